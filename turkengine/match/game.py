"""One game by the rules: the board, the score sheet, and how it ends. It knows no engine and no clock.

Whoever plays, engines, people or both, gives it moves; it says whether they are legal, keeps them, and sees the end.
"""

from __future__ import annotations

from turkengine.errors import IllegalMoveError
from turkengine.match.conduct import Conduct
from turkengine.notation import fen, moves
from turkengine.record.record import Ending, EndingKind, Played
from turkengine.rules.move import Move
from turkengine.rules.outcome import outcome
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant


class MatchGame:
    """A game under way.

    Attributes:
        position: what is on the board.
        moves: the score sheet.
        ending: None while the game goes on.
    """

    def __init__(self, start: Position, conduct: Conduct | None = None) -> None:
        self.start = self.position = start
        self.conduct = conduct or Conduct()
        self.moves: list[Played] = []
        self.ending: Ending | None = None
        self._before: list[Position] = []  # the positions that the moves were made in
        self._arbiter = self.conduct.tables.arbiter(self.variant) if self.conduct.tables is not None else None
        self._see_the_end()

    @property
    def variant(self) -> Variant:
        """The rules that are played by."""
        return self.start.variant

    @property
    def side(self) -> Side:
        """Whose move it is."""
        return self.position.side

    def play(
        self,
        move: Move,
        *,
        book: bool = False,
        seconds: float | None = None,
        clock: float | None = None,
        score: int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
    ) -> None:
        """Make a legal move; the rest is what `Played` says about it.

        Raises:
            IllegalMoveError: it is not legal, with the article it breaks.
        """
        if move not in self.position.legal_moves():
            text = moves.hub(self.position, move)
            moves.read(self.position, text)  # says what is wrong with it
            raise IllegalMoveError(f"{text} is not a legal move", None)
        text = moves.written(self.position, move)
        self.moves.append(Played(self.side, text, book, seconds, clock, score, depth, nodes))
        self._before.append(self.position)
        self.position = self.position.play(move)
        self._see_the_end()
        if self.ending is None and not book:
            self.ending = self.conduct.adjudicate(self.moves)

    def let_stand(self, text: str, after: Position, seconds: float | None = None, clock: float | None = None) -> None:
        """Put down an irregular move that the opponent lets stand; the game goes on from `after`, without history."""
        self.moves.append(Played(self.side, text, seconds=seconds, clock=clock, fen=fen.write(after)))
        self._before.append(self.position)
        self.position = after
        self._see_the_end()

    def take_back(self, plies: int, consent: bool) -> None:
        """Undo the last moves, those that ended the game included.

        Raises:
            IllegalMoveError: the opponent does not consent (5.4.4), or there are not so many moves to take back.
        """
        if not consent:
            raise IllegalMoveError("a move may be taken back only where the opponent consents (5.4.4)", "5.4.4")
        if not 0 < plies <= sum(not move.book for move in self.moves):
            raise IllegalMoveError(f"{plies} moves cannot be taken back; so many have not been made", None)
        self.position = self._before[-plies]
        del self._before[-plies:], self.moves[-plies:]
        self.ending = None

    def end(self, ending: Ending) -> None:
        """End the game for a reason that is not on the board; one that has ended stays as it is."""
        if self.ending is None:
            self.ending = ending

    def agree(self) -> None:
        """Both players agree on a draw."""
        self.end(Ending(EndingKind.AGREEMENT, None, "draw by agreement"))

    def resign(self, side: Side) -> None:
        """A player gives up."""
        self.end(Ending(EndingKind.RESIGNED, side.opponent, f"{side.name.capitalize()} gives up"))

    def _see_the_end(self) -> None:
        found = outcome(self.position, self.conduct.no_progress)
        if found is not None:
            self.ending = Ending(EndingKind.RULES, found.winner, found.reason.value, found.article)
        elif self._arbiter is not None:
            verdict = self._arbiter.verdict(self.position, self.conduct.no_progress)
            if verdict is not None:
                self.ending = Ending(EndingKind.TABLES, verdict.winner, verdict.reason, verdict.article)
