"""Games as trees: the moves played, variations, comments, marks, and the position at every place.

A game comes from a file (`read_games`, `Game.read`), or is made move by move; `str(game)` is its PDN. What a file holds
that cannot be played stays where it stood and is written again; `faults` lists it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import NoneType
from typing import IO, Any, Self

from turkengine.api import checking, flattening
from turkengine.api.position import Position
from turkengine.errors import MoveError, PdnError, PositionError
from turkengine.games import VARIANTS
from turkengine.notation import pdn
from turkengine.notation.pdn.game import UNFINISHED, Remark
from turkengine.notation.pdn.kinds import tags_of
from turkengine.rules.move import Move
from turkengine.rules.outcome import result
from turkengine.rules.variant import Variant


class Node:
    """A place in a game: the position, how it came about, and how it goes on.

    Attributes:
        position: what is on the board here.
        move: the move that has led here, None at the start of the game.
        parent: the place before it, None at the start.
        children: how it goes on; the first is the main line, the others are variations.
        comments: what is said after the move; at the start, before the first one.
        nags: numeric annotation glyphs of the move; 1 to 6 are `!`, `?`, `!!`, `??`, `!?` and `?!`.
        lead: what is said before the move, where it begins a variation.
        set_up: the FEN of the position set up after the move, empty where it comes from the move.
        unplayed: the rest of the line from here as text, where a file goes on with a move that cannot be played.
        dead: variations from here of which not even the first move can be played.
    """

    __slots__ = ("children", "comments", "dead", "lead", "move", "nags", "parent", "position", "set_up", "unplayed")

    def __init__(self, position: Position, move: Move | None = None, parent: Node | None = None) -> None:
        checking.require("position", position, Position, "a Position")
        self.position, self.move, self.parent = position, move, parent
        self.children: list[Node] = []
        self.comments: list[str] = []
        self.nags: list[int] = []
        self.lead: list[str] = []
        self.set_up = ""
        self.unplayed: tuple[pdn.Ply, ...] = ()
        self.dead: list[pdn.Line] = []

    @property
    def next(self) -> Node | None:
        """The next place of the main line, None at its end."""
        return self.children[0] if self.children else None

    @property
    def variations(self) -> list[Node]:
        """The first places of the lines that could have been played in place of the main one from here."""
        return self.children[1:]

    @property
    def ply(self) -> int:
        """How many moves have been made from the start to here."""
        return sum(1 for node in self._ancestors() if node.move is not None)

    @property
    def text(self) -> str:
        """The move that has led here as text, empty at the start."""
        return self.parent.position.text(self.move) if self.parent is not None and self.move is not None else ""

    @property
    def comment(self) -> str:
        """All comments here in one text."""
        return " ".join(self.comments)

    def add(self, move: Move | str, comment: str = "", nags: Iterable[int] = ()) -> Node:
        """Go on with a legal move: the main line where there is none yet, else a variation. The new place.

        Raises:
            MoveError: it is not legal here.
            TypeError: an argument has another type, here as in all methods.
        """
        checking.require("comment", comment, str, "a text")
        checking.several("nags", nags, "a list of numbers, as in [1] for !")
        nags = list(nags)
        for nag in nags:
            checking.whole("each of nags", nag, 0)
        after = self.position.play(move)
        assert after.move is not None
        node = Node(after, after.move, self)
        node.comments += [comment] if comment else []
        node.nags += nags
        self.children.append(node)
        return node

    def add_line(self, moves: Iterable[Move | str]) -> Node:
        """Go on with moves one after another, none of which is left out for being there already. The last place."""
        checking.several("moves", moves)
        node = self
        for move in moves:
            node = node.add(move)
        return node

    def set_down(self, fen: str) -> bool:
        """Set up another position here, as some files do between moves; False where the rules do not accept it."""
        checking.require("fen", fen, str, "a text as in 'W:W31-50:B1-20'")
        self.set_up = fen
        try:
            self.position = Position(fen, self.position.variant)
        except PositionError:
            return False
        return True

    def promote(self) -> None:
        """Make this line the main one of its parent."""
        if self.parent is not None:
            self.parent.children.remove(self)
            self.parent.children.insert(0, self)

    def remove(self) -> None:
        """Cut this line off from its parent."""
        if self.parent is not None:
            self.parent.children.remove(self)
            self.parent = None

    def mainline(self) -> Iterator[Node]:
        """The places of the main line after this one."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    def walk(self) -> Iterator[Node]:
        """This place and all after it, the main line first."""
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def _ancestors(self) -> Iterator[Node]:
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent

    def __reduce__(self) -> tuple[object, ...]:
        """For `pickle` and `copy.deepcopy`: a place takes the whole game with it."""
        if self.parent is not None:
            return flattening.at_end_of, flattening.way_to(self)
        return flattening.fresh, (type(self),), flattening.flat(self)

    def __setstate__(self, entries: Sequence[flattening.FlatNode]) -> None:
        flattening.grow(self, entries)

    def __copy__(self) -> Self:
        """This place alone: all that it refers to is shared."""
        twin = type(self).__new__(type(self))
        for name, value in flattening.held(self).items():
            setattr(twin, name, value)
        return twin

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.ply}: {self.text or 'start'}, {self.position.fen()}>"


@dataclass(frozen=True)
class Fault:
    """Something wrong in a game that a file holds: the line of the file, 0 where there is none, and what it is."""

    line: int
    reason: str


class Game(Node):
    """A game, which is its first place and knows its tags.

    Attributes:
        tags: names and values in their order, without those that follow from the game itself: see `pdn`.
        faults: what a file has wrong in it.
    """

    __slots__ = ("faults", "tags", "told_result")

    def __init__(
        self, fen: str | None = None, variant: Variant | str = VARIANTS[0], tags: dict[str, str] | None = None
    ) -> None:
        """A game without moves.

        Raises:
            PositionError, VariantError: as for `Position`.
        """
        super().__init__(Position(fen, variant))
        checking.require("tags", tags, (Mapping, NoneType), "a dict of names and values, both text")
        self.tags = dict(tags or {})
        for name, value in self.tags.items():
            checking.require("a name in tags", name, str, "a text")
            checking.require(f"the tag {name}", value, str, "a text")
        self.faults: tuple[Fault, ...] = ()
        self.told_result = ""

    @classmethod
    def read(cls, text: str, variant: Variant | str | None = None) -> Game:
        """The first game of a text in PDN.

        Raises:
            PdnError: it holds none, or one of another kind of draughts.
        """
        checking.require("text", text, str, "a game in PDN as text")
        for game in read_games(StringIO(text), variant):
            return game
        raise PdnError("this text holds no game that a variant here replays")

    @property
    def variant(self) -> Variant:
        """The rules it is played by."""
        return self.position.variant

    @property
    def moves(self) -> list[Move]:
        """The moves played, without variations."""
        return [node.move for node in self.mainline() if node.move is not None]

    @property
    def end(self) -> Node:
        """The last place of the main line."""
        node: Node = self
        for last in self.mainline():
            node = last
        return node

    @property
    def result(self) -> str:
        """The result: what was given, else what the rules say of the last position, `*` while the game goes on."""
        if self.told_result:
            return self.told_result
        outcome = self.end.position.outcome()
        return result(outcome, self.variant) if outcome is not None else UNFINISHED

    def pdn(self) -> str:
        """The game as PDN 3.0: its tags with Result, GameType, Variant and FEN brought up to date, and all its moves.

        Raises:
            PdnError: a tag or a comment holds what PDN has no place for, or variations nest too deeply to be read.
        """
        usual = self.position == Position(variant=self.variant)
        own = {
            "Result": self.result,
            **tags_of(self.variant),
            "SetUp": None if usual else "1",
            "FEN": None if usual else self.position.fen(counters=True),
        }
        plies = tuple(_plies(self))
        game = pdn.PdnGame(tuple(self.tags.items()), pdn.Line(plies, tuple(self.comments)))
        return pdn.write(game.with_tags(**own))

    def __str__(self) -> str:
        return self.pdn()


def read_games(
    source: str | Path | IO[Any],
    variant: Variant | str | None = None,
    on_other: Callable[[int, str], None] | None = None,
) -> Iterator[Game]:
    """The games of a file of PDN one after another, without those of other kinds of draughts.

    Args:
        source: a path, or an open file.
        variant: the game where tags do not name it.
        on_other: called for each game left out: the line in which it begins and what is played there.

    Raises:
        OSError, PdnError: the file cannot be read.
    """
    if variant is not None:
        variant = checking.variant(variant)
    if not hasattr(source, "read"):
        checking.require("source", source, (str, Path), "the path of a file, or an open one")
    if on_other is not None and not callable(on_other):
        raise TypeError("on_other takes a function of a line and a text, or None")
    return _games(source, variant, on_other)


def _games(
    source: str | Path | IO[Any], variant: Variant | None, on_other: Callable[[int, str], None] | None
) -> Iterator[Game]:
    for entry in pdn.read(source):
        played = pdn.replay(entry.game, variant, Position.of_setup)
        if played.variant is None or not played.positions:
            if on_other is not None:
                on_other(entry.line, played.other or str(played.fault))
            continue
        faults = [Fault(fault.line, fault.reason) for fault in entry.faults]
        faults += [Fault(entry.line_of(illegal.order), str(illegal)) for illegal in played.illegal]
        yield _game(entry.game, played, tuple(sorted(faults, key=lambda fault: fault.line)))


def _game(told: pdn.PdnGame, played: pdn.Replay[Position], faults: tuple[Fault, ...]) -> Game:
    assert played.variant is not None
    game = Game(played.positions[0].fen(counters=True), played.variant, dict(told.tags))
    game.faults = faults
    game.told_result = "" if told.result == UNFINISHED else told.result
    _grow(game, told.line, played.moves)
    return game


def _grow(start: Node, line: pdn.Line, known: Sequence[Move] = ()) -> None:
    """Put a line after a place.

    Args:
        known: its first moves, where they have been read before: with the rest of the game a doubt can be resolved.
    """
    start.comments += line.comments
    for remark in line.remarks:
        if isinstance(remark, pdn.Line):
            start.dead.append(remark)
        elif isinstance(remark, pdn.SetUp) and not start.set_down(remark.fen):
            start.unplayed = line.plies
            return
    node = start
    for place, ply in enumerate(line.plies):
        try:
            child = node.add(known[place] if place < len(known) else ply.text, nags=ply.nags)
        except MoveError:
            node.unplayed = line.plies[place:]
            return
        stands = True
        for remark in ply.remarks:
            if isinstance(remark, str):
                child.comments.append(remark)
            elif isinstance(remark, pdn.Line):
                _grow_variation(node, remark)
            else:
                stands = child.set_down(remark.fen)
        if not stands:
            child.unplayed = line.plies[place + 1 :]
            return
        node = child


def _grow_variation(start: Node, line: pdn.Line) -> None:
    """Put a variation after a place, whose own comments and end stay as they are."""
    held, unplayed = start.comments, start.unplayed
    start.comments, start.unplayed = [], ()
    number = len(start.children)
    _grow(start, line)
    if len(start.children) > number:
        start.children[number].lead = start.comments
    elif line.plies:
        start.dead.append(line)
    start.comments, start.unplayed = held, unplayed


def _plies(start: Node, depth: int = 0) -> Iterator[pdn.Ply]:
    """The line after a place as a file has it; `depth` variations are around it."""
    node = start
    while node.children:
        main, *others = node.children
        if others and depth == pdn.DEEPEST:
            reason = f"variations nest more than {pdn.DEEPEST} deep after {node!r}; promote one of them, or remove some"
            raise PdnError(reason)
        remarks: list[Remark] = list(main.comments)
        if main.set_up:
            remarks.append(pdn.SetUp(main.set_up))
        remarks += [pdn.Line((_ply(other), *_plies(other, depth + 1)), tuple(other.lead)) for other in others]
        remarks += node.dead
        yield pdn.Ply(main.text, tuple(main.nags), tuple(remarks))
        node = main
    yield from node.unplayed


def _ply(node: Node) -> pdn.Ply:
    """The first move of a variation."""
    remarks: list[Remark] = list(node.comments)
    if node.set_up:
        remarks.append(pdn.SetUp(node.set_up))
    return pdn.Ply(node.text, tuple(node.nags), tuple(remarks))
