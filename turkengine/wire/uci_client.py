"""The UCI-like dialect from the side of whoever drives an engine: the other side of `uci.py`."""

from __future__ import annotations

import re
from typing import ClassVar

from turkengine.engine.limits import Limits
from turkengine.notation import fen, moves
from turkengine.rules.position import GamePosition, Position
from turkengine.wire.client_session import (
    LONGEST_WORDS,
    Answered,
    ClientSession,
    Complained,
    Event,
    Found,
    Greeted,
    InStep,
    Parameter,
    Ready,
    Stage,
    score_of_hundredths,
    score_of_mate,
)
from turkengine.wire.history import History
from turkengine.wire.words import one_line

MILLISECONDS = 1000
NO_MOVE = frozenset({"(none)", "none", "0000", "null"})

_OPTION = re.compile(r"name\s+(?P<name>.+?)\s+type\s+(?P<kind>\S+)\s*(?P<rest>.*)", re.DOTALL)
_DEFAULT = re.compile(r"\bdefault\s+(.*?)(?=\s+(?:min|max|var)\s|$)")
_LIMIT = {end: re.compile(rf"\b{end}\s+(-?[0-9]+)") for end in ("min", "max")}
_CHOICE = re.compile(r"\bvar\s+(.+?)(?=\s+var\s|\s*$)")
_KINDS = {"spin": "int", "check": "bool", "combo": "enum"}


class UciClientSession(ClientSession):
    """A conversation in the UCI-like dialect."""

    dialect: ClassVar[str] = "uci"
    complaints_count: ClassVar[bool] = False
    variant_parameter: ClassVar[str] = "UCI_Variant"
    hello_line: ClassVar[str] = "uci"
    start_line: ClassVar[str] = "isready"
    new_game_line: ClassVar[str] = "ucinewgame"
    step_line: ClassVar[str] = "isready"
    ponder_hit_line: ClassVar[str] = "ponderhit"

    def __init__(self) -> None:
        super().__init__()
        self._history = History(moves.landing)
        self._start: GamePosition | None = None  # of the game asked about last, and how it is written
        self._start_text = ""

    def setting_line(self, name: str, value: str) -> str:
        """A `setoption` line; a button has no value."""
        known = self.parameters.get(name)
        button = known is not None and known.kind == "button"
        return f"setoption name {name}" if button else f"setoption name {name} value {value or '<empty>'}"

    def order_lines(self, position: GamePosition, limits: Limits) -> list[str]:
        """Where the game began and every move, and the order with its limits."""
        start, texts = self._history.follow(position)
        if start is not self._start:
            usual = _counted(start) == _counted(Position.start(start.variant))
            self._start, self._start_text = start, "startpos" if usual else f"fen {fen.write_counted(start)}"
        words = ["position", self._start_text]
        if texts:
            words += ["moves", *texts]
        return [" ".join(words), " ".join(["go", *_limits(position, limits)])]

    def understand(self, word: str, text: str) -> Event | None:
        """A line of the dialect."""
        words = text.split()
        match word:
            case "id" if words[:1] == ["name"]:
                self.name = " ".join(words[1:])[:LONGEST_WORDS]
            case "id" if words[:1] == ["author"]:
                pass
            case "option":
                self._declare(text)
            case "uciok":
                return Greeted()
            case "readyok":
                return Ready() if self.stage is Stage.INITIALISING else InStep()
            case "bestmove" if words:
                ponder = words[2] if words[1:2] == ["ponder"] and len(words) > 2 else None
                return Answered(None if words[0].lower() in NO_MOVE else words[0], ponder, self.found())
            case "info":
                return None
            case _:
                raise ValueError(word)
        return None

    def put_aside(self, data: bytes) -> bool:
        """Keep reports unread, if no complaint is among them."""
        return b"string" not in data and super().put_aside(data)

    def receive(self, line: str) -> Event | None:
        """The engine has written a line; complaints come as `info string`."""
        words = line.split(None, 2)
        if words[:2] == ["info", "string"]:
            self.complaint = one_line(words[2]) if len(words) > 2 else ""
            return Complained(self.complaint)
        return super().receive(line)

    def read_report(self, text: str) -> Found | None:
        """The words of an `info` line; those that nobody knows are passed over."""
        words = text.split()
        numbers: dict[str, int] = {}
        line: tuple[str, ...] = ()
        score = None
        for place, word in enumerate(words):
            try:
                if word in ("depth", "nodes", "multipv"):
                    numbers[word] = int(words[place + 1])
                elif word in ("lowerbound", "upperbound"):
                    return None
                elif word == "score":
                    kind, value = words[place + 1], words[place + 2]
                    score = score_of_mate(int(value)) if kind == "mate" else score_of_hundredths(float(value))
                elif word == "pv":
                    line = tuple(words[place + 1 :])
                    break
            except (ValueError, IndexError, OverflowError):
                return None
        if score is None:
            return None
        return Found(numbers.get("depth"), numbers.get("nodes"), score, line, numbers.get("multipv", 1))

    def _declare(self, text: str) -> None:
        told = _OPTION.fullmatch(text.strip())
        if told is None:
            raise ValueError("an option without a name or a type")
        rest = told["rest"]
        default = _DEFAULT.search(rest)
        value = default[1] if default is not None else ""
        low, high = (float(found[1]) if (found := _LIMIT[end].search(rest)) else None for end in ("min", "max"))
        kind = _KINDS.get(told["kind"], told["kind"])
        values = tuple(_CHOICE.findall(rest)) if kind == "enum" else ()
        value = "" if value == "<empty>" else value
        self.declare(Parameter(told["name"], kind, value, low, high, values))


def _counted(position: GamePosition) -> tuple[object, ...]:
    """What makes positions equal, of whatever class they are."""
    return position.cells, position.side, position.no_progress, position.material_plies


def _limits(position: GamePosition, limits: Limits) -> list[str]:
    words: list[str] = []
    if limits.ponder:
        words.append("ponder")
    clock = limits.clock
    if clock is not None:  # of both sides, since programs made for chess expect both; nobody has given us the other one
        times = [("time", clock.remaining), *([("inc", clock.increment)] if clock.increment else [])]
        words += [f"{side}{name} {round(seconds * MILLISECONDS)}" for name, seconds in times for side in "wb"]
        if clock.moves:
            words.append(f"movestogo {clock.moves}")
    if limits.move_time is not None:
        words.append(f"movetime {round(limits.move_time * MILLISECONDS)}")
    for name, value in (("depth", limits.depth), ("nodes", limits.nodes), ("mate", limits.mate)):
        if value is not None:
            words.append(f"{name} {value}")
    if limits.infinite or not words:
        words.append("infinite")
    if limits.root_moves:
        words += ["searchmoves", *(moves.landing(position, move) for move in limits.root_moves)]
    return words
