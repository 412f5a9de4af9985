"""The games of files, ready to be analysed: played over as far as the rules allow, with everything that is wrong named.

Files are read game by game, so that one of any size can be given, and may be read again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path

from turkengine.analysis.store import digest_of
from turkengine.api.position import Position
from turkengine.errors import TurkengineError
from turkengine.notation import pdn
from turkengine.notation.pdn.kinds import kind_of
from turkengine.notation.pdn.replaying import UNKNOWN
from turkengine.rules.move import Move
from turkengine.rules.variant import Variant

LINES_TOLD = 3  # of games that are left out, for each kind
SAMPLE = 1 << 18  # bytes of a file that stand for the rest

Complain = Callable[[str, int, str], object]
"""Takes a file, a line (0 for the file as a whole) and what is wrong."""


@dataclass(frozen=True)
class Source:
    """A file of games: its name, and its content where it cannot be read twice."""

    name: str
    content: bytes | None = None

    def entries(self) -> Iterator[pdn.PdnEntry]:
        """Its games.

        Raises:
            OSError, PdnError: it cannot be read.
        """
        if self.content is not None:
            return pdn.read(BytesIO(self.content), self.name)
        return pdn.read(Path(self.name))

    def beginning(self) -> tuple[bytes, int]:
        """What stands at its begin, and how many bytes there are in all.

        Raises:
            OSError: it cannot be read.
        """
        if self.content is not None:
            return self.content[:SAMPLE], len(self.content)
        with open(self.name, "rb") as stream:
            return stream.read(SAMPLE), os.fstat(stream.fileno()).st_size


@dataclass(frozen=True)
class PlayedGame:
    """A game that can be analysed.

    Attributes:
        entry: as the file has it.
        variant: what it was played over by.
        positions, moves: those played, one position more than moves.
        digest: what it is known by.
    """

    entry: pdn.PdnEntry
    variant: Variant
    positions: tuple[Position, ...]
    moves: tuple[Move, ...]
    digest: bytes

    @property
    def title(self) -> str:
        """Who has played."""
        game = self.entry.game
        return f"{game.tag('White', '?').strip() or '?'} - {game.tag('Black', '?').strip() or '?'}"


def played_games(
    sources: Sequence[Source], variant: Variant | None, complain: Complain = lambda *_: None
) -> Iterator[PlayedGame]:
    """Every game that a variant here replays, as far as it can be played.

    Args:
        variant: the game where tags do not name it.
        complain: called with everything wrong.
    """
    for source in sources:
        count = 0
        left_out = _LeftOut()
        try:
            for entry in source.entries():
                count += 1
                game = played_game(entry, variant, complain, left_out.add)
                if game is not None:
                    yield game
        except OSError as error:
            complain(source.name, 0, error.strerror or str(error))
        except TurkengineError as error:
            complain(source.name, 0, str(error).removeprefix(f"{source.name}: "))
        else:
            if not count:
                complain(source.name, 0, "there is no game in it")
        if left_out:
            complain(source.name, left_out.line, left_out.reason)


def positions_in(sources: Sequence[Source]) -> int:
    """About how many positions there are to be searched: what a progress bar needs, from the begin of each file."""
    total = 0
    for source in sources:
        try:
            begin, size = source.beginning()
            count = sum(len(entry.game.line.plies) + 1 for entry in pdn.read(BytesIO(begin)))
        except (OSError, TurkengineError):  # reported when the games are read
            continue
        total += round(count * size / len(begin)) if begin else 0
    return total


class _LeftOut:
    """The games of a file that no variant here replays. They are summed up in one line, for there may be thousands.

    Attributes:
        line: where the first of them begins.
    """

    def __init__(self) -> None:
        self.line = 0
        self._counts: dict[str, int] = {}  # by what they are games of
        self._lines: dict[str, list[int]] = {}  # of the first ones

    def __bool__(self) -> bool:
        return bool(self._counts)

    def add(self, entry: pdn.PdnEntry, what: str) -> None:
        """Take in one game of `what`, or `UNKNOWN`."""
        self.line = self.line or entry.line
        self._counts[what] = self._counts.get(what, 0) + 1
        if self._counts[what] <= LINES_TOLD:
            self._lines.setdefault(what, []).append(entry.line)

    @property
    def reason(self) -> str:
        """What to say about them."""
        total = sum(self._counts.values())
        if total > 1:
            kinds = sorted(self._counts, key=lambda what: (what == UNKNOWN, -self._counts[what], what))
            told = f"{total} games are left out: {', '.join(map(self._told, kinds))}"
            return f"{told}; name the unknown kind with --variant" if UNKNOWN in kinds else told
        if UNKNOWN in self._counts:
            return "nothing says which game this is, so it is left out; name it with --variant"
        return f"this is a game of {next(iter(self._counts))}, which is not analysed here; it is left out"

    def _told(self, what: str) -> str:
        count, lines = self._counts[what], self._lines[what]
        where = ", ".join(map(str, lines)) + (", ..." if count > len(lines) else "")
        kind = "of an unknown kind" if what == UNKNOWN else f"of {what}"
        return f"{count} {kind} (line{'s' if count > 1 else ''} {where})"


def played_game(
    entry: pdn.PdnEntry,
    variant: Variant | None,
    complain: Complain = lambda *_: None,
    leave_out: Callable[[pdn.PdnEntry, str], object] = lambda *_: None,
) -> PlayedGame | None:
    """A game of a file as far as it can be played, None where no variant here replays it; see `played_games`.

    Args:
        leave_out: takes a game that no variant here replays, and what it is a game of.
    """
    faults = [(fault.line, fault.reason) for fault in entry.faults]
    told = kind_of(entry.game).fault
    if told:
        faults.append((entry.line, told))
    played: pdn.Replay[Position] = pdn.replay(entry.game, variant, Position.of_setup)
    for illegal in played.illegal:
        faults.append((entry.line_of(illegal.order) if illegal.ply else entry.line, str(illegal)))
    for line, reason in sorted(faults, key=lambda fault: fault[0]):
        complain(entry.file, line, reason)
    if played.variant is None:
        leave_out(entry, played.other)
        return None
    if not played.positions:
        return None
    texts = [position.text(move) for position, move in zip(played.positions, played.moves, strict=False)]
    breaks = [str(place) for place, (one, other) in enumerate(pairwise(played.positions)) if other.previous is not one]
    digest = digest_of(played.variant.name, played.positions[0].fen(counters=True), [*texts, *breaks])
    return PlayedGame(entry, played.variant, played.positions, played.moves, digest)
