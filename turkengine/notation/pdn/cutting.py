"""A text of games in parts that can be parsed one by one: cut before the tags of a game.

Tags in a comment are none, unless the comment was not closed, which shows in the brace that comes next: one that opens
another comment, or none. Comments do not nest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from turkengine.notation.pdn import tokens
from turkengine.notation.pdn.parser import parse

LONGEST_PART = 1 << 20  # characters without tags that are read before the games among them are handed out
OVERLAP = 1 << 16  # characters of a line that are looked at again when more of it has come

LONGEST_LEAD = 1 << 12  # characters before the first tags that are looked at again with each line that looks like a tag

_MORE_TAGS = re.compile(r"(?:[ \t]*+(?:%[^\n]*+)?\n)*+[ \t]*+(?:%[^\n]*+|\[?+[ \t]*+)\Z")
"""What may stand between tags, up to the end of the text."""


def parts(texts: Iterator[str]) -> Iterator[tuple[str, int, bool]]:
    """A text cut before tags that follow a game: each part, its first line, and whether it is the last one."""
    cutter = _Cutter()
    for text in texts:
        yield from cutter.add(text)
    yield from cutter.finish()


class _Cutter:
    """What has come of a text and has not been handed out."""

    def __init__(self) -> None:
        self.waiting, self.line = "", 1
        self.size = LONGEST_PART
        self.searched = 0  # up to where tags have been looked for
        self.lead = -1  # where the tags begin that follow nothing but a comment or prose, the first ones of the text

    def add(self, text: str) -> Iterator[tuple[str, int, bool]]:
        """More of the text; the parts that it completes."""
        self.waiting += text
        yield from self._cut(final=False)
        if len(self.waiting) > self.size:
            end = _end_of_games(self.waiting)
            if end:
                yield self._taken(end)
            else:
                self.size = 2 * len(self.waiting)  # one long game, or a comment that has no end: look again later

    def finish(self) -> Iterator[tuple[str, int, bool]]:
        """The text has ended."""
        yield from self._cut(final=True)
        yield cleaned(self.waiting), self.line, True

    def _cut(self, final: bool) -> Iterator[tuple[str, int, bool]]:
        text, begun = self.waiting, 0
        braces = _Braces(text)
        undecided: int | None = None
        header = None
        for header in tokens.HEADER.finditer(text, self.searched):
            start = header.start()
            if start <= max(begun, self.lead) or _is_remarked(text, start):
                continue
            if braces.is_comment(start):
                if tokens.CERTAIN_TAG.search(text, start, header.end()) is None or braces.is_closed(start):
                    continue
                if not (final or braces.opens_again(start) or len(text) - start > LONGEST_PART):
                    undecided = start
                    break
            before = text[begun:start]
            if not before.strip():
                continue
            if (
                (self.lead < 0 or (self.lead > 0 and start < LONGEST_LEAD))  # the first tags, or what looked like them
                and not begun
                and self.line == 1
                and all(found.is_empty for found in parse(before, 0, False))
            ):
                self.lead = start
                continue
            yield cleaned(before), self.line, False
            self.line += text.count("\n", begun, start)
            begun = start
            braces.forget()
        self.searched = self._goes_on(header) if undecided is None else undecided
        if begun:
            self._drop(begun)

    def _goes_on(self, last: re.Match[str] | None) -> int:
        """Where to look on when more has come: the last tags may go on, and so may the last line."""
        length = len(self.waiting)
        if last is not None and length - last.start() < LONGEST_PART and _MORE_TAGS.match(self.waiting, last.end()):
            return last.start()
        return max(self.waiting.rfind("\n") + 1, length - OVERLAP)

    def _taken(self, end: int) -> tuple[str, int, bool]:
        part = cleaned(self.waiting[:end]), self.line, False
        self.line += self.waiting.count("\n", 0, end)
        self._drop(end)
        return part

    def _drop(self, end: int) -> None:
        self.waiting, self.size = self.waiting[end:], LONGEST_PART
        self.searched = max(self.searched - end, 0)
        self.lead = 0


class _Braces:
    """Which places of a text stand in a comment; asked for from the left to the right, so that it is read once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place, self._open = 0, False
        self._next = {"{": -1, "}": -1}

    def is_comment(self, place: int) -> bool:
        """Whether a comment is open here."""
        opened, closed = self._text.rfind("{", self._place, place), self._text.rfind("}", self._place, place)
        if opened != closed:
            self._open = opened > closed
        self._place = place
        return self._open

    def forget(self) -> None:
        """The comment that is open was not closed."""
        self._open = False

    def is_closed(self, place: int) -> bool:
        """Whether the next brace from here on closes a comment."""
        opened, closed = self._following("{", place), self._following("}", place)
        return closed >= 0 and not 0 <= opened < closed

    def opens_again(self, place: int) -> bool:
        """Whether the next brace from here on opens a comment."""
        return self._following("{", place) >= 0 and not self.is_closed(place)

    def _following(self, brace: str, place: int) -> int:
        """Where the next brace of this kind stands, -1 for nowhere."""
        if self._next[brace] < place and self._next[brace] != len(self._text):
            found = self._text.find(brace, place)
            self._next[brace] = len(self._text) if found < 0 else found
        return -1 if self._next[brace] == len(self._text) else self._next[brace]


def cleaned(text: str) -> str:
    """The text with usual blanks in the place of those that do not break or have no width, but in comments and tags."""
    if tokens.UNSEEN.search(text) is None:
        return text
    return tokens.KEPT_OR_UNSEEN.sub(lambda found: found[1] or " ", text)


def _is_remarked(text: str, place: int) -> bool:
    """Whether a place stands in a comment to the end of the line."""
    before = text[text.rfind("\n", 0, place) + 1 : place]
    return before.lstrip().startswith("%") or ";" in before.rpartition("}")[2]


def _end_of_games(text: str) -> int:
    """Where the last game but one ends of a text without tags between its games, 0 where there is one game."""
    end = 0
    for parsed in parse(text, 0, final=False):
        if parsed.end < len(text.rstrip()):
            end = parsed.end
    return end
