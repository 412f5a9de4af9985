"""The table of a game with people: who sits there, the clocks, and the score sheet that becomes a file.

It knows the game and the time and says nothing: the words are the session's.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from turkengine.client.contract import Client, Thought
from turkengine.errors import MoveError
from turkengine.match.clocks import Clock, TimeControl
from turkengine.match.game import Game
from turkengine.notation import fen, moves
from turkengine.record.record import Ending, Incident, Kind, Record
from turkengine.rules.irregularity import stand
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.rules.variant import Side

PATIENCE = 60.0  # s beyond a time for each move before an engine is given up
PERSON = "human"
NO_CONTROL = "-"  # how files of games write that there is no clock


@dataclass(frozen=True)
class Seat:
    """Who plays a side.

    Attributes:
        client: the engine, None for a person.
        control: what it may use, None for a person without a clock.
    """

    client: Client | None = None
    control: TimeControl | None = None

    @property
    def name(self) -> str:
        """For people and files."""
        return PERSON if self.client is None else self.client.name


class Table:
    """One game.

    Attributes:
        game: the board, the score sheet, the end.
        seats: who plays each side.
        clocks: each side's, None where it has none.
        incidents: the irregularities so far.
    """

    def __init__(self, start: Position, seats: Mapping[Side, Seat], now: Callable[[], float] = time.perf_counter):
        """The clock of the side to move runs from `begin` on.

        Args:
            now: seconds that only go forward.
        """
        self.game = Game(start)
        self.seats = seats
        self.now = now
        self.clocks = {side: Clock(seat.control) if seat.control is not None else None for side, seat in seats.items()}
        self.incidents: list[Incident] = []
        self._clocks_before: list[dict[Side, Clock | None]] = []  # of each move on the score sheet
        self._date, self._began = datetime.now(UTC), now()
        self._turn, self._wasted = self._began, 0.0  # when the turn began, and seconds in it that brought no move

    def begin(self) -> None:
        """The first turn begins now."""
        self._began = self.now()
        self._next_turn()

    @property
    def seat(self) -> Seat:
        """Whose move it is."""
        return self.seats[self.game.side]

    @property
    def played(self) -> Move | None:
        """The move that has led to what is on the board, None at the start and behind one that was let stand."""
        return self.game.position.move

    def remaining(self, side: Side) -> float | None:
        """Seconds left on a clock, the turn under way counted; None where there is none."""
        clock = self.clocks[side]
        if clock is None or clock.remaining is None:
            return None
        runs = self.game.ending is None and side is self.game.side
        return clock.remaining - (self.now() - self._turn if runs else 0.0)

    def flag(self) -> bool:
        """Whether the person who is to move has run out of time just now; then the game is lost."""
        side = self.game.side
        left = self.remaining(side)
        if self.game.ending is not None or self.seat.client is not None or left is None or left > 0:
            return False
        self.game.end(Ending(Kind.TIME, side.opponent, f"{side.name.capitalize()} is out of time"))
        return True

    def think(self) -> Thought:
        """Ask the engine that is to move.

        Raises:
            ClientError: it has no legal move for us.
        """
        client, clock = self.seat.client, self.clocks[self.game.side]
        assert client is not None, "a person is not asked here"
        assert clock is not None, "an engine has limits"
        if not client.alive():
            client.start(self.game.variant)
        margin = 0.0 if clock.remaining is not None else PATIENCE
        deadline = clock.deadline(margin, math.inf)
        return client.think(self.game.position, clock.limits, None if math.isinf(deadline) else deadline)

    def move(self, move: Move, thought: Thought | None = None) -> None:
        """Make a legal move; `thought` is what an engine has said with it."""
        side = self.game.side
        self._keep_clocks()
        seconds = self.now() - self._turn if thought is None else thought.seconds
        clock = self.clocks[side]
        late = 0.0
        if clock is not None:
            late = max(seconds - clock.remaining, 0.0) if clock.remaining is not None else 0.0
            clock.spend(seconds)
        self.game.play(
            move,
            seconds=round(self._wasted + seconds, 4),
            clock=self._shown(clock),
            score=thought.score.hundredths if thought is not None and thought.score is not None else None,
            depth=thought.depth if thought is not None else None,
            nodes=thought.nodes if thought is not None else None,
        )
        if late:
            reason = f"{side.name.capitalize()} is out of time by {late:.3f} s"
            self.game.ending = Ending(Kind.TIME, side.opponent, reason)
        self._next_turn()

    def note(self, text: str, article: str) -> None:
        """Put down that the side to move has wanted to play against the rules; the time that took is lost to it."""
        self.incidents.append(Incident(len(self.game.moves) + 1, self.game.side, "irregularity", text, article))
        self._wasted += self._waste()
        self._turn = self.now()

    def let_stand(self, text: str) -> bool:
        """Go on from an irregular move; whether it defines a position for that."""
        position = self.game.position
        try:
            after = stand(position, moves.attempt_of(position, text))
        except MoveError:
            return False
        if after is None:
            return False
        self._keep_clocks()
        seconds = self._wasted + (self._waste() if self.seat.client is None else 0.0)
        self.game.let_stand(text, after, round(seconds, 4), self._shown(self.clocks[self.game.side]))
        self._next_turn()
        return True

    def take_back(self, plies: int, consent: bool = True) -> None:
        """Undo moves, and set the clocks back with them.

        Raises:
            IllegalMoveError: as `Game.take_back` says.
        """
        self.game.take_back(plies, consent)
        self.clocks = self._clocks_before[-plies]
        del self._clocks_before[-plies:]
        self._next_turn()

    def record(self) -> Record:
        """The game so far as it goes into files."""
        start, ending = self.game.start, self.game.ending
        usual = start == Position.start(start.variant)
        white, black = (self.seats[side] for side in (Side.WHITE, Side.BLACK))
        return Record(
            variant=start.variant.name,
            white=white.name,
            black=black.name,
            fen="" if usual else fen.write_counted(start),
            opening="",
            controls=(str(white.control or NO_CONTROL), str(black.control or NO_CONTROL)),
            began=self._date.strftime("%Y-%m-%dT%H:%M:%S"),
            seconds=round(self.now() - self._began, 3),
            moves=tuple(self.game.moves),
            incidents=tuple(self.incidents),
            ending=ending or Ending(Kind.UNFINISHED, None, "broken off"),
        )

    def _next_turn(self) -> None:
        self._turn, self._wasted = self.now(), 0.0

    def _waste(self) -> float:
        """Take what has passed of the turn off the clock; the seconds."""
        clock, seconds = self.clocks[self.game.side], self.now() - self._turn
        if clock is not None:
            clock.waste(seconds)
        return seconds

    def _keep_clocks(self) -> None:
        self._clocks_before.append({side: copy.copy(clock) for side, clock in self.clocks.items()})

    @staticmethod
    def _shown(clock: Clock | None) -> float | None:
        return None if clock is None or clock.remaining is None else round(clock.remaining, 4)
