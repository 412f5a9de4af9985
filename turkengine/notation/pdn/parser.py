"""The text of some games, in: `PdnGame` values and faults out.

Whatever is no token is kept as a comment where it stood and named as a fault, so that nothing is lost. A game has a tag
or a move: what stands before the first or after the result of one, a second result, a mark, a variation or prose, is a
fault of the game and makes no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from turkengine.errors import shown
from turkengine.notation.pdn import tokens
from turkengine.notation.pdn.following import Following
from turkengine.notation.pdn.game import NAGS, UNFINISHED, Line, PdnGame, Ply, Remark, SetUp, result_named, same_result

DEEPEST = 100  # variations within variations; a text with more has lost its brackets
LONGEST_SHORT_RESULT = 3  # characters of a result that looks like a move
UNKNOWN_RESULTS = ("", "?", "-")


@dataclass(frozen=True)
class Parsed:
    """One game of a text.

    Attributes:
        game: what was read.
        start, end: where it stands in the text.
        faults: where and what is wrong, in the order of the text.
        is_empty: whether there is neither a tag nor a move.
    """

    game: PdnGame
    start: int
    end: int
    faults: tuple[tuple[int, str], ...]
    is_empty: bool


def parse(text: str, start: int = 0, final: bool = True) -> Iterator[Parsed]:
    """Every game of `text` from `start` on; a game ends at a result, where tags follow a move, or with the text.

    Where there is no game the last value is empty and holds what there is.

    `final` says that no other game follows the text, so that its last game may end without a result.
    """
    length = len(text.rstrip())
    while start < length:
        reading = _Reading(text, start, final)
        yield reading.parsed()
        start = reading.end


def move_places(text: str) -> list[int]:
    """Where each move of the game at the start of `text` stands, those of variations too, in the order of the text."""
    return _Reading(text, 0, final=True, exact=True).places


@dataclass
class _Open:
    """A line that is being read, and where it began. What stands after its last move is collected until the next."""

    place: int
    plies: list[Ply] = field(default_factory=list)
    opening: tuple[Remark, ...] = ()
    nags: list[int] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    def settle(self) -> None:
        """Give the last move what was collected, or the line what stands before its first."""
        if self.plies and (self.nags or self.remarks):
            self.plies[-1] = Ply(self.plies[-1].text, tuple(self.nags), tuple(self.remarks))
        elif self.remarks:
            self.opening = tuple(self.remarks)
        self.nags.clear()
        self.remarks.clear()

    def line(self) -> Line:
        self.settle()
        return Line(tuple(self.plies), self.opening)


class _Reading:
    """One game, read from `start` to `end`."""

    def __init__(self, text: str, start: int, final: bool, exact: bool = False) -> None:
        self.text, self.start, self.final, self.exact = text, start, final, exact
        self.tags: list[tuple[str, str]] = []
        self.lines = [_Open(start)]  # the game, and the variations that are open
        self.faults: list[tuple[int, str]] = []
        self.places: list[int] = []  # of the moves, where asked for
        self.doubtful = False  # whether no number and no tag, but words that are no tokens come before the first move
        self.terminator: str | None = None
        self.number: int | None = None  # where a number stands that no move has followed yet
        self.swallowed: int | None = None  # where a comment begins that takes the rest of the text, its end included
        self.strays: list[str] = []  # words one after another that are no tokens
        self.end = len(text)
        after_tags = self._header(start)
        if self.end > after_tags:
            self._moves(after_tags)
        if self.doubtful and not self.final:
            self._all_is_prose(self.end)
        self._finish()

    def parsed(self) -> Parsed:
        game = PdnGame(tuple(self.tags), self.lines[0].line(), self.terminator or UNFINISHED)
        return Parsed(game, self.start, self.end, tuple(sorted(self.faults)), self.is_empty)

    @property
    def is_empty(self) -> bool:
        """Whether there is neither a tag nor a move."""
        return not self.tags and not self.lines[0].plies

    # Tags

    def _header(self, place: int) -> int:
        """Read tags; where they end, which is the end of the game where a blank line and the same tags again follow."""
        if run := tokens.TAG_RUN.match(self.text, place):
            tags = tokens.TAG.findall(run[0])
            if len(dict(tags)) == len(tags):
                self.tags, place = tags, run.end()
        names = {name for name, _ in self.tags}
        while True:
            if found := tokens.TAG.match(self.text, place):
                name, value = found.groups()
                if "\\" in value:
                    value = tokens.ESCAPED.sub(r"\1", value)
            elif found := tokens.TAG_LIKE.match(self.text, place):
                name, value = found[1], found[2].rstrip().removesuffix("]").strip().strip('"')
                self._fault(found.start(1), f'the tag {name} is not written as [{name} "value"]')
            elif found := tokens.LINE_COMMENT.match(self.text, place):
                self._comment(found[1])
                place = found.end()
                continue
            else:
                return place
            if name in names and self.text.count("\n", place, found.start(1)) > 1:
                self.end, self.final = place, False
                return place
            if name in names:
                self._fault(found.start(1), f"the tag {name} is given twice; the first one counts")
            names.add(name)
            self.tags.append((name, value))
            place = found.end()

    # Moves

    def _moves(self, place: int) -> None:
        """Read moves and everything between them, up to the end of the game."""
        text = self.text
        while True:
            if not self.exact and (run := tokens.RUN.match(text, place)):
                self._begin(place)
                self._flush()
                self.lines[-1].settle()
                self.lines[-1].plies.extend(map(_plain, tokens.PLAIN.findall(run[0])))
                self.number = None
                place = run.end()
            token = tokens.TOKEN.match(text, place)
            kind = token.lastgroup if token is not None else None
            if kind == "move" and token is not None:
                self._begin(token.start())
            if kind != "stray":
                self._flush()
            if token is None or kind is None:
                return
            if kind == "tag":
                begin = token.start("tag")
                if self.tags or (self.lines[0].plies and not self.doubtful):
                    self.end = begin
                    self.final = False
                    return
                place = self._tags_after(begin)
                if self.end <= place:
                    return
                continue
            place = token.end()
            getattr(self, f"_{kind}")(token)
            if self.terminator is not None:
                self.end = self._after(place)
                if not (self.doubtful and (not self.final or self._next_kind(self.end) == "tag")):
                    return
                self._all_is_prose(self.end)
                self.terminator, place, self.end = None, self.end, len(text)

    def _move(self, token: re.Match[str]) -> None:
        """A move, or a result that looks like one."""
        place, text = token.start("move"), "".join(token["move"].split())
        if len(text) <= LONGEST_SHORT_RESULT and (result := result_named(text)) is not None:
            if "." in self.text[token.start() : place]:
                self.number = token.start()
            self._ends(result, place, token.end())
            return
        self.lines[-1].settle()
        self.lines[-1].plies.append(_plain(text))
        if self.exact:
            self.places.append(place)
        self.number = None

    def _result(self, token: re.Match[str]) -> None:
        self._ends(result_named(token["result"]) or UNFINISHED, token.start("result"), token.end())

    def _ends(self, result: str, place: int, after: int) -> None:
        if len(self.lines) > 1 and self._next_kind(after) not in (None, "tag"):
            self._fault(place, f"the result {result} stands in a variation; it is kept as a comment")
            self.lines[-1].remarks.append(result)
        elif self.is_empty:
            if self.number is None and not self.faults:
                what_becomes_of_it = "left out" if result == UNFINISHED else "kept as a comment"
                self._fault(place, f"the result {result} stands before any game; it is {what_becomes_of_it}")
            if result != UNFINISHED:
                self.lines[-1].remarks.append(result)
        else:
            self.terminator = result

    def _number(self, token: re.Match[str]) -> None:
        if token["number"][0] != ".":
            self.number = token.start("number")

    def _comment(self, token: re.Match[str] | str) -> None:
        text = token if isinstance(token, str) else token["comment"]
        self.lines[-1].remarks.append(" ".join(text.split()).replace("}", ")"))

    def _line_comment(self, token: re.Match[str]) -> None:
        self._comment(token["line_comment"])

    def _unclosed(self, token: re.Match[str]) -> None:
        place = self.swallowed = token.start("unclosed")
        self._fault(place, "the comment that begins here is not closed with }")
        self._comment(self.text[place + 1 :])

    def _setup(self, token: re.Match[str]) -> None:
        self.lines[-1].remarks.append(SetUp("".join(token["setup"].split())))

    def _mark(self, token: re.Match[str]) -> None:
        mark = token["mark"].strip("()")
        if mark in NAGS and self.lines[-1].plies:
            self.lines[-1].nags.append(NAGS[mark])
        else:
            self._stray(token, mark)

    def _forced(self, token: re.Match[str]) -> None:
        if self.lines[-1].plies:
            self.lines[-1].nags.append(NAGS["*"])
        else:
            self._ends(UNFINISHED, token.start("forced"), token.end())

    def _nag(self, token: re.Match[str]) -> None:
        if self.lines[-1].plies and len(token["nag"]) <= 3:
            self.lines[-1].nags.append(int(token["nag"]))
        else:
            self._stray(token, f"${token['nag']}")

    def _opened(self, token: re.Match[str]) -> None:
        self._number_without_move()
        if len(self.lines) > DEEPEST:
            self._stray(token, "(")
        else:
            self.lines.append(_Open(token.start("opened")))

    def _closed(self, token: re.Match[str]) -> None:
        self._number_without_move()
        if len(self.lines) == 1:
            self._fault(token.start("closed"), "this ) closes no variation; it is left out")
        else:
            self._close()

    def _close(self) -> None:
        closed = self.lines.pop()
        if not self.lines[-1].plies:
            self._fault(closed.place, "the variation that begins here stands before any move")
        self.lines[-1].remarks.append(closed.line())

    def _stray(self, token: re.Match[str], text: str | None = None) -> None:
        """Something that is no token; several words in a row are one fault and one comment."""
        word = token["stray"] if text is None else text
        if word == "}":
            self._fault(token.start("stray"), "this } closes no comment (comments do not nest); it is left out")
            return
        if not self.strays:
            self.stray_place = token.start(token.lastgroup or 0)
        self.strays.append(word)

    def _flush(self) -> None:
        if self.strays:
            text = " ".join(self.strays)
            self._fault(self.stray_place, f"{shown(text)} is neither a move nor a mark; it is kept as a comment")
            self._comment(text)
            self.strays.clear()
            self.number = None

    # What is no game

    def _begin(self, place: int) -> None:
        """The first move without tags before it: after words that are no tokens it may be a part of them."""
        if self.strays and self.is_empty and self.number is None:
            self.doubtful = not tokens.FIRST_NUMBER.match(self.text, place)

    def _tags_after(self, place: int) -> int:
        """Read the tags that follow something else than a game; where they end."""
        if self.doubtful:
            self._all_is_prose(place)
        self._number_without_move()
        while len(self.lines) > 1:
            self._not_closed()
        return self._header(place)

    def _all_is_prose(self, end: int) -> None:
        """What has been read up to here names moves but is no game."""
        self.lines[:] = [_Open(self.start)]
        self.faults.clear()
        self.places.clear()
        self.number, self.doubtful = None, False
        self._outside(self.start, end)

    def _outside(self, start: int, end: int) -> None:
        """Keep a piece of the text that is no part of a game."""
        text = self.text[start:end].strip()
        self._fault(self.text.index(text, start), f"{shown(text)} stands outside a game; it is kept as a comment")
        self._comment(text)

    # The end

    def _after(self, place: int) -> int:
        """Where the game ends whose result ends at `place`: behind everything up to the tags or moves of the next.

        Comments, variations and positions set up directly before moves belong to those.
        """
        if tokens.TOKEN.match(self.text, place) is None:  # mostly; the text has been cut before the next tags
            return place
        following = Following(self.text, place)
        if following.end > place:
            del self.lines[1:]
        for kind, start, end in following.pieces:
            if kind == "comment":
                comment = tokens.COMMENT.match(self.text, start)
                assert comment is not None
                self._comment(comment[1] if comment[1] is not None else comment[2])
            else:
                self._outside(start, end)
        return following.end

    def _next_kind(self, place: int) -> str | None:
        following = tokens.TOKEN.match(self.text, place)
        return following.lastgroup if following is not None else None

    def _finish(self) -> None:
        self._number_without_move()
        while len(self.lines) > 1:
            self._not_closed()
        self._compare_tags()
        told = next((value for name, value in self.tags if name == "Result"), "")
        said = result_named(told)
        if self.terminator is None:
            plies = self.lines[0].plies
            if plies and plies[-1].text == told:
                self._fault(
                    self.text.rindex(told, 0, self.end),
                    f"{told} in the tag Result is not a known result; here it is read as a move",
                )
            elif not self.is_empty and self.swallowed is None and (not self.final or said not in (None, UNFINISHED)):
                says = f"; the tag Result says {told}" if told not in UNKNOWN_RESULTS else ""
                self._fault(self.start, f"there is no result at the end of the game{says}")
        elif (
            self.terminator != UNFINISHED
            and told not in UNKNOWN_RESULTS
            and not (said is not None and same_result(said, self.terminator))
        ):
            self._fault(self.start, f"the tag Result says {told}, the text ends with {self.terminator}")

    def _not_closed(self) -> None:
        self._fault(self.lines[-1].place, "the variation that begins here is not closed with )")
        self._close()

    def _compare_tags(self) -> None:
        if not any(name in ("FEN", "fen", "Fen") and value for name, value in self.tags):
            return
        if any(name.casefold() == "setup" and value.strip() == "0" for name, value in self.tags):
            self._fault(self.start, "the tag SetUp says 0, no position set up, beside a tag FEN; the FEN counts")

    def _number_without_move(self) -> None:
        if self.number is not None:
            number = self.text[self.number : self.number + 20].split(maxsplit=1)[0]
            self._fault(self.number, f"the number {shown(number)} has no move")
            self.number = None

    def _fault(self, place: int, reason: str) -> None:
        self.faults.append((place, reason))


@lru_cache(maxsize=1 << 16)
def _plain(text: str) -> Ply:
    """A move with nothing on it, shared by all games that have it."""
    return Ply(text)
