"""A game with its clocks, its incidents and its record: what a referee keeps, whoever plays.

Engines against each other and games with people go by it alike. It asks nobody for a move and waits for nothing: moves
and the seconds that they took come from outside, and it decides what follows a late one and one against the rules.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from turkengine.client.contract import ClientFault, Thought
from turkengine.errors import MoveError
from turkengine.match.clocks import Clock, TimeControl
from turkengine.match.conduct import Conduct
from turkengine.match.game import MatchGame
from turkengine.notation import fen, moves
from turkengine.record.record import Ending, EndingKind, Incident, Record
from turkengine.rules.attempt import stand
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.rules.variant import Side

NO_CONTROL = "-"  # how files of games write that there is no clock
DATE = "%Y-%m-%dT%H:%M:%S"  # of a record; UTC

KINDS = {
    ClientFault.START: EndingKind.START,
    ClientFault.CRASH: EndingKind.CRASH,
    ClientFault.TIMEOUT: EndingKind.TIMEOUT,
    ClientFault.SILENCE: EndingKind.SILENCE,
    ClientFault.GARBAGE: EndingKind.GARBAGE,
    ClientFault.ILLEGAL_MOVE: EndingKind.IRREGULARITY,
    ClientFault.ABANDONED: EndingKind.ABANDONED,
}
"""How a game ends by each way in which an engine can fail."""


class ClockedGame:
    """One game under way.

    Attributes:
        game: the board, the score sheet, the end.
        clocks: each side's, None where it has no limit at all.
        incidents: late and irregular moves so far.
        wasted: seconds of the turn under way that have brought no move.
    """

    def __init__(
        self,
        start: Position,
        controls: Mapping[Side, TimeControl | None],
        conduct: Conduct,
        now: Callable[[], float] = time.perf_counter,
        notes_overruns: bool = True,
    ) -> None:
        """The game begins now.

        Args:
            controls: what each side may use.
            now: seconds that only go forward.
            notes_overruns: whether a move that is late within the margin is an incident.
        """
        self.start, self.controls, self.conduct, self.now = start, controls, conduct, now
        self.game = MatchGame(start, conduct)
        self.clocks = {side: Clock(control) if control is not None else None for side, control in controls.items()}
        self.incidents: list[Incident] = []
        self.wasted = 0.0
        self.date, self.began = datetime.now(UTC), now()
        self._notes_overruns = notes_overruns

    def margin(self, side: Side) -> float:
        """Seconds by which a move may be late: over its clock, or over its time for each move if that is shorter."""
        clock = self.clocks[side]
        left = clock.remaining if clock is not None else None
        by_clock = clock is not None and left is not None and left <= (clock.control.move_time or left)
        return self.conduct.margin if by_clock else self.conduct.move_margin

    def move(self, move: Move, seconds: float, thought: Thought | None = None) -> None:
        """Make a legal move that has taken so long; `thought` is what an engine has said with it.

        Raises:
            IllegalMoveError: it is not legal.
        """
        side, clock = self.game.side, self.clocks[self.game.side]
        margin = self.margin(side)
        late = clock.spend(seconds) if clock is not None else 0.0
        self.game.play(
            move,
            seconds=round(self.wasted + seconds, 4),
            clock=self._shown(side),
            score=thought.score.hundredths if thought is not None and thought.score is not None else None,
            depth=thought.depth if thought is not None else None,
            nodes=thought.nodes if thought is not None else None,
        )
        self.wasted = 0.0
        self._overrun(side, late, margin, len(self.game.moves))

    def irregular(self, text: str, article: str, seconds: float) -> None:
        """The side to move has wanted to play against the rules; the time that took is lost to it."""
        side, clock, ply = self.game.side, self.clocks[self.game.side], len(self.game.moves) + 1
        margin = self.margin(side)
        late = clock.waste(seconds) if clock is not None else 0.0
        self.wasted += seconds
        self.incidents.append(Incident(ply, side, "irregularity", text, article))
        self._overrun(side, late, margin, ply)

    def let_stand(self, text: str, seconds: float = 0.0) -> bool:
        """Go on from an irregular move, after `seconds` more; whether it defines a position for that."""
        position, side = self.game.position, self.game.side
        try:
            after = stand(position, moves.attempt_of(position, text))
        except MoveError:
            return False
        if after is None:
            return False
        clock = self.clocks[side]
        if clock is not None:
            clock.waste(seconds)
        self.game.let_stand(text, after, round(self.wasted + seconds, 4), self._shown(side))
        self.wasted = 0.0
        return True

    def record(self, names: Mapping[Side, str], opening: str = "") -> Record:
        """The game so far as it goes into files."""
        start = self.start
        usual = start == Position.start(start.variant)
        white, black = (str(self.controls[side] or NO_CONTROL) for side in (Side.WHITE, Side.BLACK))
        return Record(
            variant=start.variant.name,
            white=names[Side.WHITE],
            black=names[Side.BLACK],
            fen="" if usual else fen.write_counted(start),
            opening=opening,
            controls=(white, black),
            began=self.date.strftime(DATE),
            seconds=round(self.now() - self.began, 3),
            moves=tuple(self.game.moves),
            incidents=tuple(self.incidents),
            ending=self.game.ending or Ending(EndingKind.UNFINISHED, None, "broken off"),
        )

    def _overrun(self, side: Side, late: float, margin: float, ply: int) -> None:
        """A late move is noted; beyond the margin it loses, whatever it would have done on the board."""
        lost = late > margin
        if not late or not (lost or self._notes_overruns):
            return
        text = f"{late:.3f} s late, {'beyond' if lost else 'within'} the margin of {margin:g} s"
        self.incidents.append(Incident(ply, side, "overrun", text, late=round(late, 4)))
        if lost:
            reason = f"{side.name.capitalize()} is out of time by {late:.3f} s"
            self.game.ending = Ending(EndingKind.TIME, side.opponent, reason)

    def _shown(self, side: Side) -> float | None:
        clock = self.clocks[side]
        return None if clock is None or clock.remaining is None else round(clock.remaining, 4)
