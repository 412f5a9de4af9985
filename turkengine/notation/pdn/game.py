"""A game of draughts as a file has it: tags, moves as text, comments, variations, result. Nothing here is checked.

Whether the moves are legal is a question for `replay`, and which game is played for `kind`; a game of any kind of
draughts can be held. All values are frozen and compared by content.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from turkengine.notation.signs import PLAIN

DRAWS = frozenset({"1-1", "1/2-1/2"})
WHITE_WINS = frozenset({"2-0", "1-0"})
BLACK_WINS = frozenset({"0-2", "0-1"})
BOTH_LOSE = "0-0"
UNFINISHED = "*"  # also where the result is not known

LONGEST_RESULT = 20  # characters

RESULTS = DRAWS | WHITE_WINS | BLACK_WINS | {BOTH_LOSE, UNFINISHED}

NAGS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "*": 7}
"""The numeric annotation glyph for each mark that may stand after a move."""


_SPELLED = str.maketrans({"\u00bd": "1/2", ",": "."})


def result_named(text: str) -> str | None:
    """The one of `RESULTS` that `text` spells, None where it spells none; `2 - 0`, `1/2` and a half sign spell one."""
    if text in RESULTS or len(text) > LONGEST_RESULT:
        return text if text in RESULTS else None
    spelled = "".join(text.translate(PLAIN).translate(_SPELLED).split())
    if spelled in ("1/2", "1/21/2", "0.5-0.5", "1/2:1/2"):
        return "1/2-1/2"
    if "0" in spelled:  # `1:1` may be a move, from the first square to itself
        spelled = spelled.replace(":", "-")
    return spelled if spelled in RESULTS else None


def same_result(one: str, other: str) -> bool:
    """Whether two results say the same, each in its own class: 2-0 and 1-0."""
    return one == other or any({one, other} <= results for results in (DRAWS, WHITE_WINS, BLACK_WINS))


@dataclass(frozen=True, slots=True)
class SetUp:
    """A position set up in the middle of a game, in place of the one that the moves have led to."""

    fen: str


@dataclass(frozen=True, slots=True)
class Ply:
    """One move as text.

    Attributes:
        text: the move as it was written, blanks inside left out.
        nags: numeric annotation glyphs; 1 to 6 are `!`, `?`, `!!`, `??`, `!?` and `?!`.
        remarks: what follows the move, in its order: comments, variations in place of this move, positions set up.
    """

    text: str
    nags: tuple[int, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments after the move."""
        return tuple(remark for remark in self.remarks if isinstance(remark, str))

    @property
    def variations(self) -> tuple[Line, ...]:
        """The lines that could have been played in place of this move."""
        return tuple(remark for remark in self.remarks if isinstance(remark, Line))


@dataclass(frozen=True, slots=True)
class Line:
    """Moves one after another: those of the game, or a variation.

    Attributes:
        plies: the moves.
        remarks: what stands before the first of them.
    """

    plies: tuple[Ply, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments before the first move."""
        return tuple(remark for remark in self.remarks if isinstance(remark, str))


Remark: TypeAlias = str | Line | SetUp


@dataclass(frozen=True)
class PdnGame:
    """One game.

    Attributes:
        tags: (name, value) in the order of the file; a name may come twice.
        line: the moves of the game, with everything that hangs on them.
        terminator: what the text of the moves ends with: a result, or `*`. PDN 3.0 writes `*` and gives the result in
            the tag Result, older files repeat the result here.
    """

    tags: tuple[tuple[str, str], ...] = ()
    line: Line = field(default_factory=Line)
    terminator: str = UNFINISHED

    @property
    def moves(self) -> tuple[str, ...]:
        """The texts of the moves played, without variations."""
        return tuple([ply.text for ply in self.line.plies])

    @property
    def fen(self) -> str | None:
        """The position in which the game begins, None for the usual one."""
        return self.tag("FEN") or None

    @property
    def result(self) -> str:
        """One of `RESULTS`: what the text says, and where it says nothing what the tag Result says."""
        if self.terminator != UNFINISHED:
            return self.terminator
        return result_named(self.tag("Result")) or UNFINISHED

    def tag(self, name: str, otherwise: str = "") -> str:
        """The value of the first tag of this name, in any case; `otherwise` where there is none."""
        wanted = name.casefold()
        return next((value for key, value in self.tags if key.casefold() == wanted), otherwise)

    def with_tags(self, **values: str | None) -> PdnGame:
        """The same game with these tags changed in their places or added at the end, and without those given None."""
        tags = [(name, values.get(name, value)) for name, value in self.tags]
        known = {name for name, _ in tags}
        tags += [(name, value) for name, value in values.items() if name not in known]
        return replace(self, tags=tuple((name, value) for name, value in tags if value is not None))


def plies_in_order(line: Line) -> Iterator[Ply]:
    """Every move of a line and of the variations in it, in the order of the text: a move, then its variations."""
    waiting: list[Iterator[Ply | Remark]] = [iter((*line.remarks, *line.plies))]
    while waiting:
        for item in waiting[-1]:
            if isinstance(item, Ply):
                yield item
                waiting.append(iter(item.remarks))
                break
            if isinstance(item, Line):
                waiting.append(iter((*item.remarks, *item.plies)))
                break
        else:
            waiting.pop()
