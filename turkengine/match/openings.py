"""Where games begin: openings from a file of games or of positions, or made by chance and found to be balanced.

Each opening is played twice with colours exchanged, so none favours anybody; but a pair from a lopsided one says
little, and engines that play the same game twice say nothing. An opening is known by its number alone, so that a match
that goes on later goes on with the same ones.
"""

from __future__ import annotations

import hashlib
import math
import random
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from turkengine.engine import perft
from turkengine.engine.core import EngineCore
from turkengine.engine.kernel_types import load_kernel
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options
from turkengine.engine.report import Report
from turkengine.errors import OptionError, PdnError, PositionError
from turkengine.match.conduct import Conduct
from turkengine.match.game import MatchGame
from turkengine.match.referee import Beginning
from turkengine.notation import fen, moves, pdn
from turkengine.rules.move import Move
from turkengine.rules.outcome import outcome
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant

BY_CHANCE, FROM_START = "random", "start"  # what stands in the place of a file
FEW_PLIES = 4  # with more there are more lines than anybody plays
JUDGE_DEPTH = 8  # plies; a few milliseconds
JUDGE_HASH = 4  # MiB
MOST_TRIALS = 2000  # lines by chance of which none is balanced, before the limit is found to be too narrow

Judge = Callable[[Position], int]
"""The score of a position in hundredths of a man, from the side to move."""


class Openings(Protocol):
    """Any source of openings. `description` differs where the openings do, `remarks` are lines for people."""

    @property
    def description(self) -> str: ...

    @property
    def remarks(self) -> Sequence[str]: ...

    def opening(self, number: int) -> Beginning:
        """The opening with this number, from 0; where there are fewer they begin anew."""

    def different(self, count: int) -> int:
        """How many different ones to expect among the first `count`; at most so many."""


class Listed:
    """Openings from a list, in an order that the seed decides."""

    def __init__(self, openings: Sequence[Beginning], seed: int, source: str, remarks: Sequence[str] = ()) -> None:
        """Shuffle them.

        Args:
            openings: at least one.
            source: what the list is called.
            remarks: what people should know of it.
        """
        self.remarks = tuple(remarks)
        self._openings = list(openings)
        random.Random(seed).shuffle(self._openings)
        texts = "\n".join(sorted(_text(opening) for opening in openings))
        digest = hashlib.sha256(texts.encode()).hexdigest()[:12]
        self.description = f"{len(openings)} from {source} ({digest}), seed {seed}"

    def __len__(self) -> int:
        return len(self._openings)

    def opening(self, number: int) -> Beginning:
        """The opening with this number, from 0."""
        return self._openings[number % len(self._openings)]

    def different(self, count: int) -> int:
        """As many as there are."""
        return min(count, len(self))


class Balanced:
    """Lines of moves by chance that end in a position which a short search finds balanced."""

    remarks: tuple[str, ...] = ()

    def __init__(self, variant: Variant, plies: int, most: int, seed: int, judge: Judge) -> None:
        """Nothing is searched yet.

        Args:
            plies: the length of a line.
            most: hundredths of a man; the largest score that counts as balanced.
        """
        self._variant, self._plies, self._most, self._seed, self._judge = variant, plies, most, seed, judge
        self.description = f"{plies} plies by chance, scores up to {most}, seed {seed}"

    def opening(self, number: int) -> Beginning:
        """The opening with this number, from 0.

        Raises:
            OptionError: no line is balanced.
        """
        chance = random.Random(f"{self._seed}/{number}")
        for _ in range(MOST_TRIALS):
            opening = self._line(chance)
            if opening is not None:
                return opening
        raise OptionError(
            f"no {self._plies} plies by chance end within {self._most} hundredths of a man; allow a larger score"
        )

    def different(self, count: int) -> int:
        """As many as so many throws find of all lines there are, balanced or not."""
        if self._plies > FEW_PLIES:
            return count
        lines = perft.count(load_kernel(self._variant).Position.start(), self._plies)
        assert lines is not None, "nothing stops it"
        return round(lines.leaves * -math.expm1(-count / lines.leaves))

    def _line(self, chance: random.Random) -> Beginning | None:
        """A line by chance, None where the game ends in it, a capture is due after it or a side is ahead."""
        start = position = Position.start(self._variant)
        line = []
        for _ in range(self._plies):
            line.append(chance.choice(sorted(position.legal_moves(), key=_in_order)))
            position = position.play(line[-1])
            if outcome(position) is not None:
                return None
        if any(move.is_capture for move in position.legal_moves()) or abs(self._judge(position)) > self._most:
            return None
        return Beginning(start, tuple(line))


class EngineJudge:
    """Scores positions by a short search of the built-in engine; the same position always gets the same score."""

    def __init__(self) -> None:
        self._engine = EngineCore(Options(hash=JUDGE_HASH))
        self._lock = threading.Lock()  # games of several threads begin at any time

    def __call__(self, position: Position) -> int:
        """The score from the side to move."""
        reports: list[Report] = []
        with self._lock:
            self._engine.configure(Options(variant=position.variant, hash=JUDGE_HASH))
            self._engine.new_game()
            searched = self._engine.position(position.cells, position.side)
            self._engine.start(searched, Limits(depth=JUDGE_DEPTH, analysis=True), reports.append, lambda answer: None)
            self._engine.wait()
        return reports[-1].score.hundredths

    def close(self) -> None:
        """End the engine."""
        self._engine.close()


def named(text: str, variant: Variant, plies: int, most: int, seed: int) -> Openings:
    """The openings that a text names: `random` for lines by chance, `start` for the starting position, else a file.

    Args:
        plies: the length of an opening; of games in a file, at most.
        most: hundredths of a man that count as balanced.

    Raises:
        OptionError: the file cannot be used.
    """
    if text == BY_CHANCE:
        return Balanced(variant, plies, most, seed, EngineJudge())
    return from_start(variant) if text == FROM_START else from_file(Path(text), variant, plies, seed)


def from_file(path: Path, variant: Variant, plies: int, seed: int) -> Listed:
    """The openings of a file: games in PDN, of which the first `plies` moves are taken, or a FEN in each line.

    Raises:
        OptionError: naming the file and the line of what cannot be used.
    """
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise OptionError(f"the openings in {path} cannot be read: {error.strerror}") from None
    games = path.suffix.lower() == ".pdn" or text.lstrip().startswith("[")
    remarks: list[str] = []
    found = _games(path, variant, plies, remarks) if games else _positions(path, text, variant)
    unique = {_text(opening): opening for opening in found}
    if not unique:
        left_out = f" ({'; '.join(remarks)})" if remarks else ""
        raise OptionError(f"there is no opening in {path}{left_out}; give games in PDN or a FEN in each line")
    return Listed(list(unique.values()), seed, path.name, remarks)


def from_start(variant: Variant) -> Listed:
    """The position in which every game of the variant begins, as the only opening."""
    return Listed([Beginning(Position.start(variant))], 0, "the rules")


def _positions(path: Path, text: str, variant: Variant) -> Iterable[Beginning]:
    for number, line in enumerate(text.splitlines(), start=1):
        content, _, name = line.partition("#")
        if not content.strip():
            continue
        try:
            position = fen.read(variant, content)
        except PositionError as error:
            raise OptionError(f"{path}:{number}: {error}") from None
        if outcome(position) is not None:
            raise OptionError(f"{path}:{number}: the game is over in this position")
        yield Beginning(position, (), name.strip())


def _games(path: Path, variant: Variant, plies: int, remarks: list[str]) -> Iterable[Beginning]:
    """The openings of games; `remarks` are added of those that end before so many plies."""
    short: list[int] = []  # lines of the file
    over: list[int] = []
    try:
        for entry in pdn.read(path):
            played = pdn.replay(entry.game, variant)
            where = f"{path}:{entry.line}"
            if played.variant != variant:
                other = played.variant.name if played.variant is not None else played.other
                raise OptionError(f"{where}: this is a game of {other}, not of {variant.name}")
            if played.fault is not None and played.fault.ply <= plies:
                raise OptionError(f"{where}: {played.fault}")
            line = played.moves[:plies]
            if any(isinstance(remark, pdn.SetUp) for ply in entry.game.line.plies[:plies] for remark in ply.remarks):
                raise OptionError(f"{where}: a position is set up in the opening; begin the game with it")
            if not played.positions:
                continue
            if outcome(played.positions[len(line)]) is not None:
                over.append(entry.line)
                continue
            if len(line) < plies:
                short.append(entry.line)
            yield Beginning(played.positions[0], line, _name(entry.game))
    except PdnError as error:
        raise OptionError(f"the openings in {path} cannot be read: {error}") from None
    for lines, said in ((over, "over within"), (short, "shorter than")):
        if lines:
            what = "is left out" if said == "over within" else "is used as far as it goes"
            remarks.append(
                f"a game in line {lines[0]} of {path.name} is {said} {plies} plies and {what}"
                + (f", and so are {len(lines) - 1} more" if len(lines) > 1 else "")
            )


def _name(game: pdn.PdnGame) -> str:
    known = (game.tag(tag) for tag in ("Opening", "Event"))
    return next((value for value in known if value.strip("? ")), "")


def within(opening: Beginning, conduct: Conduct) -> Beginning:
    """An opening cut back to where the game still goes on, as far as it is over on the way by what it is played by."""
    game = MatchGame(opening.position, conduct)
    for ply, move in enumerate(opening.moves):
        game.play(move, book=True)
        if game.ending is not None:
            return replace(opening, moves=opening.moves[:ply])
    return opening


def _text(opening: Beginning) -> str:
    """What tells an opening from others: where it begins and its moves."""
    position, texts = opening.position, [fen.write_counted(opening.position)]
    for move in opening.moves:
        texts.append(moves.hub(position, move))
        position = position.play(move)
    return " ".join(texts)


def _in_order(move: Move) -> tuple[int, int, list[int]]:
    return move.origin, move.target, sorted(move.captured)
