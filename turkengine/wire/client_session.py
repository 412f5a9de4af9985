"""What the line protocols have in common for whoever drives an engine: the other side of `session.py`.

A client session says what to write and takes the engine's lines; it reads no pipe and looks at no clock:

    NEW --hello--> GREETING --it has listed its options--> SETTING --set_up--> INITIALISING --it is ready--> IDLE
    IDLE --ask--> SEARCHING --answer--> IDLE

It promises:

* The words of an engine lead to at most one event, and never to an error: what cannot be understood is kept as the
  explanation in case that something is missed (`strange`).
* An answer belongs to the order it came after. One that comes without an order is kept in `unasked`: from then on
  nobody knows what answers what.
* What the search reports on its way costs next to nothing; it is read when the answer is there.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from turkengine.engine.limits import Limits
from turkengine.engine.options import Kind
from turkengine.engine.score import EVALUATION_LIMIT, WIN, Score
from turkengine.errors import OptionError, VariantError, shown
from turkengine.games import VARIANTS
from turkengine.rules.position import GamePosition
from turkengine.rules.variant import Variant
from turkengine.wire.words import one_line

MOST_REPORTS = 1000  # of one search that are kept, the latest; one may be many lines that have come together
LONGEST_REPORTS = 1 << 22  # characters of them; the latest one is kept whatever its length
MOST_PARAMETERS = 2000  # that are kept
LONGEST_PARAMETERS = 1 << 20  # characters of them
LONGEST_WORDS = 500  # characters of what an engine calls itself, or complains of
MOST_NAMES = 12  # that a message lists


class Stage(Enum):
    """How far the conversation has come."""

    NEW = "new"
    GREETING = "greeting"
    SETTING = "setting"
    INITIALISING = "initialising"
    IDLE = "idle"
    SEARCHING = "searching"


@dataclass(frozen=True)
class Parameter:
    """An option as an engine declares it; the fields are those of `engine.options.Option`, as far as they are given.

    Attributes:
        value: as the engine prints it.
        minimum, maximum: None where none is declared.
    """

    name: str
    kind: Kind | str
    value: str
    minimum: float | None = None
    maximum: float | None = None
    values: tuple[str, ...] = ()

    def check(self, text: str) -> None:
        """Accept a value that the engine says it takes.

        Raises:
            OptionError: it does not.
        """
        if self.values and text not in self.values:
            raise OptionError(f"its option {self.name} takes one of {', '.join(self.values)}, not {shown(text)}")
        if self.kind == "bool" and text not in ("true", "false"):
            raise OptionError(f"its option {self.name} takes true or false, not {shown(text)}")
        if self.kind in ("int", "real"):
            try:
                number = float(text)
            except ValueError:
                raise OptionError(f"its option {self.name} takes a number, not {shown(text)}") from None
            low = -math.inf if self.minimum is None else self.minimum
            high = math.inf if self.maximum is None else self.maximum
            if not low <= number <= high:
                raise OptionError(f"its option {self.name} takes a number from {low:g} to {high:g}, not {shown(text)}")


@dataclass(frozen=True)
class Found:
    """What the last report with a score says, None for each thing that it does not say.

    Attributes:
        score: from the side to move.
        line: the moves as text.
        rank: 1 for the best line, 2 for the second best, ...
    """

    depth: int | None = None
    nodes: int | None = None
    score: Score | None = None
    line: tuple[str, ...] = ()
    rank: int = 1


@dataclass(frozen=True)
class Greeted:
    """It has said who it is and what can be set."""


@dataclass(frozen=True)
class Ready:
    """It can be asked."""


@dataclass(frozen=True)
class InStep:
    """It has obeyed everything up to the question whether it has."""


@dataclass(frozen=True)
class Answered:
    """The answer to an order: a move as text, None where it says that it has none."""

    move: str | None
    ponder: str | None
    found: Found


@dataclass(frozen=True)
class Complained:
    """It says that something was wrong."""

    message: str


Event = Greeted | Ready | InStep | Answered | Complained


class ClientSession(ABC):
    """One conversation with one engine, in the dialect of the subclass.

    Attributes:
        stage: how far it has come.
        name: what the engine calls itself, empty before it has.
        parameters: what it declares, by name.
        complaint: the last thing that it said was wrong, since the last order.
        strange: the first line since the last order that is no part of the dialect.
        unasked: the first answer that came without an order.
        seems: the dialect that its greeting is written in, where that is another one; empty where it is not.
    """

    dialect: ClassVar[str]
    declares: ClassVar[bool] = True  # whether the dialect has a way to say what can be set
    complaints_count: ClassVar[bool] = True  # whether a complaint is never a mere remark
    variant_parameter: ClassVar[str]
    hello_line: ClassVar[str] = "hub"  # what the conversation begins with
    start_line: ClassVar[str] = "init"  # follows the options, and is answered when the engine is ready
    new_game_line: ClassVar[str]  # says that the next position is of another game
    step_line: ClassVar[str] = "ping"  # is answered when everything before it has been obeyed
    ponder_hit_line: ClassVar[str] = "ponder-hit"

    def __init__(self) -> None:
        self.stage = Stage.NEW
        self.name = ""
        self.parameters: dict[str, Parameter] = {}
        self.complaint: str | None = None
        self.strange: str | None = None
        self.unasked: str | None = None
        self.seems = ""
        self._reports: deque[str | bytes] = deque(maxlen=MOST_REPORTS)
        self._reported = 0  # characters of all that has been kept since some was let go
        self._declared = 0  # characters

    # What a dialect is made of.

    @abstractmethod
    def understand(self, word: str, text: str) -> Event | None:
        """What a line says that begins with `word`, `text` being what follows it.

        Raises:
            ValueError: it is no line of the dialect.
        """

    @abstractmethod
    def read_report(self, text: str) -> Found | None:
        """A report of the search taken apart; None where it has no score, or only a bound of one."""

    @abstractmethod
    def setting_line(self, name: str, value: str) -> str:
        """How an option is set."""

    @abstractmethod
    def order_lines(self, position: GamePosition, limits: Limits) -> list[str]:
        """How a search is ordered."""

    # What is said.

    def hello(self) -> list[str]:
        """The beginning."""
        self.stage = Stage.GREETING
        return [self.hello_line]

    def set_up(self, variant: Variant, options: Mapping[str, str]) -> list[str]:
        """Choose the variant, set options by name, and let the engine get ready.

        Raises:
            VariantError: it does not play the variant.
            OptionError: it has no such option, or the option does not take the value.
        """
        lines = []
        if self.declares:
            chosen = self._variant(variant)
            lines = [self.setting_line(self.variant_parameter, chosen)] if chosen is not None else []
        elif variant is not VARIANTS[0]:
            raise VariantError(f"it plays {VARIANTS[0].name} only, not {variant.name}; so it is in its dialect")
        for name, value in options.items():
            if not name.isprintable() or not value.isprintable() or '"' in name + value:
                raise OptionError(f"option {shown(name)} cannot be set to {shown(value)}; a line cannot say that")
            known = self.parameter(name)
            if known is not None:
                known.check(value)
            lines.append(self.setting_line(known.name if known is not None else name, value))
        self.stage, self.complaint = Stage.INITIALISING, None
        return [*lines, self.start_line]

    def new_game(self) -> list[str]:
        """The next position is of another game; `InStep` says that this has been obeyed."""
        return [self.new_game_line, self.step_line]

    def ask(self, position: GamePosition, limits: Limits) -> list[str]:
        """Order a search."""
        assert self.stage is Stage.IDLE, "one order at a time, and none before it is ready"
        lines = self.order_lines(position, limits)
        self.stage, self.complaint, self.strange = Stage.SEARCHING, None, None
        self._reports.clear()
        self._reported = 0
        return lines

    def stop(self) -> list[str]:
        """End the search; the answer is still to come."""
        return ["stop"]

    def ponder_hit(self) -> list[str]:
        """The move pondered on was played."""
        return [self.ponder_hit_line]

    def quit(self) -> list[str]:
        """End the conversation."""
        return ["quit"]

    def put_aside(self, data: bytes) -> bool:
        """Keep whole lines unread that are nothing but reports of the search under way; False where they are not kept.

        Nothing looks at them before the answer, since most searches report a lot that nobody asks for.
        """
        if self.stage is not Stage.SEARCHING or not data.startswith(b"info ") or not data.endswith(b"\n"):
            return False
        if data.count(b"\n") != data.count(b"\ninfo ") + 1:
            return False
        self._keep(data)
        return True

    def receive(self, line: str) -> Event | None:
        """The engine has written a line."""
        word, text = (*line.split(None, 1), "", "")[:2]
        if word == "info" and self.stage is Stage.SEARCHING:
            self._keep(text)
            return None
        try:
            event = self.understand(word, text)
        except ValueError:
            if self.strange is None and line.strip():
                self.strange = one_line(line[:LONGEST_WORDS])
            return None
        match event:
            case Greeted() if self.stage is Stage.GREETING:
                self.stage = Stage.SETTING
            case Ready() if self.stage is Stage.INITIALISING:
                self.stage = Stage.IDLE
            case InStep() if self.stage in (Stage.IDLE, Stage.SEARCHING):
                pass
            case Answered() if self.stage is Stage.SEARCHING:
                self.stage = Stage.IDLE
            case Answered():
                self.unasked = self.unasked or one_line(line[:LONGEST_WORDS])
                return None
            case Complained(message):
                self.complaint = message[:LONGEST_WORDS]
            case _:
                return None
        return event

    def told(self, line: str) -> Found | None:
        """What a line says of the search under way, None where it is no report with a score."""
        word, _, text = line.strip().partition(" ")
        return self.read_report(text) if word == "info" and self.stage is Stage.SEARCHING else None

    def take_complaint(self) -> str | None:
        """The last complaint, once."""
        complaint, self.complaint = self.complaint, None
        return complaint

    # What the dialects build on.

    def declare(self, parameter: Parameter) -> None:
        """Keep an option that the engine declares, as long as there are no more than any engine has.

        Raises:
            ValueError: there are.
        """
        self._declared += sum(map(len, (parameter.name, parameter.value, *parameter.values)))
        if len(self.parameters) >= MOST_PARAMETERS or self._declared > LONGEST_PARAMETERS:
            raise ValueError("too many options")
        self.parameters[parameter.name] = parameter

    def _keep(self, report: str | bytes) -> None:
        """Keep a report, and let the oldest go where they become too long."""
        if self._reported > LONGEST_REPORTS:
            while len(self._reports) > MOST_REPORTS // 100:
                self._reports.popleft()
            self._reported = sum(map(len, self._reports))
        self._reports.append(report)
        self._reported += len(report)

    def found(self) -> Found:
        """What the search has reported last."""
        for told in reversed(self._reports):
            for text in (told,) if isinstance(told, str) else _texts(told):
                found = self.read_report(text)
                if found is not None and found.rank == 1:
                    return found
        return Found()

    def _variant(self, variant: Variant) -> str | None:
        """How the engine calls the variant; None where there is nothing to choose."""
        declared = self.parameters.get(self.variant_parameter)
        names = (*variant.aliases, variant.name)
        if declared is None:
            if variant is VARIANTS[0]:
                return None
            raise VariantError(f"it declares no {self.variant_parameter}, so it plays {VARIANTS[0].name} only")
        for name in declared.values:
            if name.lower() in names:
                return name
        raise VariantError(f"it does not play {variant.name}; it plays {', '.join(declared.values) or 'nothing known'}")

    def parameter(self, name: str) -> Parameter | None:
        """The option of this name in any case; None where the dialect declares none.

        Raises:
            OptionError: there is none.
        """
        if not self.declares:
            return None
        for known in self.parameters.values():
            if known.name.lower() == name.lower():
                return known
        names = list(self.parameters)
        listed = ", ".join(names[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")
        raise OptionError(f"it has no option {shown(name)}; it has {listed or 'none'}")


def _texts(data: bytes) -> Iterator[str]:
    """What follows `info` in each of some lines, the last line first."""
    for line in reversed(data.split(b"\n")[:-1]):
        yield line.decode("utf-8", "replace").partition(" ")[2]


def score_of_men(men: float) -> Score | None:
    """A score in men as a score; what is beyond a won game is one, and what is not a number is none."""
    return score_of_hundredths(men * 100) if men == men else None


def score_of_hundredths(hundredths: float) -> Score:
    """A score in hundredths of a man, within those of a won and a lost game."""
    return Score(round(max(-WIN, min(hundredths, WIN))))


def score_of_mate(winner_moves: int) -> Score:
    """A score given as moves to the end: those that the winner still makes, negative where that is the other side."""
    if winner_moves > 0:
        return Score(max(WIN - (2 * winner_moves - 1), EVALUATION_LIMIT))
    return Score(min(-WIN - 2 * winner_moves, -EVALUATION_LIMIT))
