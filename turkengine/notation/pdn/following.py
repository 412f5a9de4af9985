"""What stands after the result of a game: whose it is.

Comments may be about the game before them or the one after them, and so may a variation or a position set up; they
belong to the moves that follow directly, else to the game before. Anything else there, a second result, a mark, prose,
is no part of any game. Once there is such a thing, moves too may be part of it, as in "White was better after 31-27":
only tags, or a move with the number 1, begin a game then.
"""

from __future__ import annotations

from turkengine.notation.pdn import tokens
from turkengine.notation.pdn.game import result_named

Piece = tuple[str, int, int]
"""What it is, "comment" or "outside", and where it stands."""

_COMMENTS = ("comment", "line_comment")
_COMPANIONS = ("variation", "setup")  # of the moves that follow directly


class Following:
    """The text from `place` on, up to the next game.

    Attributes:
        pieces: what belongs to the game before, or to none, in the order of the text.
        end: where it ends.
    """

    def __init__(self, text: str, place: int) -> None:
        self.pieces: list[Piece] = []
        self.end = place
        self._text = text
        self._may_be_closed = True  # whether a bracket that opens may have one that closes it
        self._read(place)

    def _read(self, place: int) -> None:
        pending: list[Piece] = []  # whose it is depends on what follows
        while True:
            token = tokens.TOKEN.match(self._text, place)
            kind = token.lastgroup if token is not None else None
            if token is None or kind is None or kind == "tag":
                self._take(pending, place)
                return
            if kind == "move" and result_named(token["move"]) is None and self._begins(token.start()):
                return
            start, place = place, token.end()
            if kind == "opened":
                kind, place = ("variation", closed) if (closed := self._closed(place)) else ("stray", place)
            piece = ("comment" if kind in _COMMENTS else "outside", start, place)
            if kind in _COMMENTS or (kind in _COMPANIONS and not self._is_prose):
                pending.append(piece)
            else:
                self._take([*pending, piece], place)
                pending = []

    @property
    def _is_prose(self) -> bool:
        return any(kind == "outside" for kind, _, _ in self.pieces[-1:])

    def _begins(self, place: int) -> bool:
        """Whether a move with what stands before it begins a game."""
        return not self.pieces or tokens.FIRST_NUMBER.match(self._text, place) is not None

    def _take(self, pieces: list[Piece], end: int) -> None:
        """Take these in; what lies outside becomes one piece with the one before it that does."""
        for piece in pieces:
            kind, _, after = piece
            if kind == "outside" and self._is_prose:
                self.pieces[-1] = (kind, self.pieces[-1][1], after)
            else:
                self.pieces.append(piece)
        self.end = end if pieces else self.end

    def _closed(self, place: int) -> int:
        """Where the bracket that opens before `place` is closed, 0 where it is not."""
        depth = 1
        while self._may_be_closed and depth:
            token = tokens.TOKEN.match(self._text, place)
            kind = token.lastgroup if token is not None else None
            if token is None or kind in (None, "tag"):
                self._may_be_closed = False
                return 0
            depth += (kind == "opened") - (kind == "closed")
            place = token.end()
        return place if self._may_be_closed else 0
