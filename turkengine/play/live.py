"""A game with people while it goes on: who plays, the clocks, and the score sheet that becomes a file.

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
from turkengine.match.clocked import DATE, ClockedGame
from turkengine.match.clocks import Clock, TimeControl
from turkengine.match.conduct import Conduct
from turkengine.notation import fen, moves
from turkengine.record.record import Ending, EndingKind, Record
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.rules.variant import Side

PATIENCE = 60.0  # s beyond a time for each move before an engine is given up
PERSON = "human"
CONDUCT = Conduct(move_margin=PATIENCE)


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


class LiveGame:
    """One game.

    Attributes:
        game: the board, the score sheet, the end.
        seats: who plays each side.
        clocked: the game with its clocks and incidents.
    """

    def __init__(self, start: Position, seats: Mapping[Side, Seat], now: Callable[[], float] = time.perf_counter):
        """The clock of the side to move runs from `begin` on.

        Args:
            now: seconds that only go forward.
        """
        self.seats, self.now = seats, now
        controls = {side: seat.control for side, seat in seats.items()}
        self.clocked = ClockedGame(start, controls, CONDUCT, now, notes_overruns=False)
        self.game = self.clocked.game
        self._clocks_before: list[dict[Side, Clock | None]] = []  # of each move on the score sheet
        self._turn = now()  # when it began, or when the last seconds of it were taken off the clock
        self._stopped: float | None = None  # seconds that had passed when the clocks were stopped

    def begin(self) -> None:
        """The first turn begins now."""
        self.clocked.began = self._turn = self.now()
        self._stopped = None if self._stopped is None else 0.0

    def restore(self, record: Record, spent: float) -> None:
        """Go on with a game that was broken off in a turn of which `spent` seconds have passed.

        Raises:
            TurkengineError: its moves cannot be played.
        """
        for played in record.moves:
            self._keep_clocks()
            clock = self.clocked.clocks[played.side]
            if played.fen:
                after = fen.read(self.game.variant, played.fen)
                self.game.let_stand(played.text, after, played.seconds, played.clock)
            else:
                if clock is not None:
                    clock.spend(played.seconds or 0.0)
                self.game.play(
                    moves.read(self.game.position, played.text),
                    seconds=played.seconds,
                    clock=played.clock,
                    score=played.score,
                    depth=played.depth,
                    nodes=played.nodes,
                )
            if clock is not None and played.clock is not None:
                clock.remaining = played.clock
        self.clocked.incidents += record.incidents
        self.clocked.date = datetime.strptime(record.began, DATE).replace(tzinfo=UTC)
        clock = self.clocked.clocks[self.game.side]
        if clock is not None:
            clock.waste(spent)
        self.clocked.wasted = spent

    def stop_clocks(self) -> None:
        """No time passes from now on."""
        if self._stopped is None:
            self._stopped = self._passed()

    def start_clocks(self) -> None:
        """Time passes again."""
        if self._stopped is not None:
            self._turn, self._stopped = self.now() - self._stopped, None

    @property
    def spent(self) -> float:
        """Seconds of the turn under way."""
        return self.clocked.wasted + (self._passed() if self.game.ending is None else 0.0)

    @property
    def seat(self) -> Seat:
        """Whose move it is."""
        return self.seats[self.game.side]

    @property
    def played(self) -> Move | None:
        """The move that has led to what is on the board, None at the start and after one that was let stand."""
        return self.game.position.move

    def remaining(self, side: Side) -> float | None:
        """Seconds left on a clock, the turn under way counted; None where there is none."""
        clock = self.clocked.clocks[side]
        if clock is None or clock.remaining is None:
            return None
        runs = self.game.ending is None and side is self.game.side
        return clock.remaining - (self._passed() if runs else 0.0)

    def flag(self) -> bool:
        """Whether the person who is to move has run out of time just now; then the game is lost."""
        side = self.game.side
        left = self.remaining(side)
        if self.game.ending is not None or self.seat.client is not None or left is None or left > 0:
            return False
        self.game.end(Ending(EndingKind.TIME, side.opponent, f"{side.name.capitalize()} is out of time"))
        return True

    def think(self) -> Thought:
        """Ask the engine that is to move.

        Raises:
            ClientError: it has no legal move for us.
        """
        client, clock = self.seat.client, self.clocked.clocks[self.game.side]
        assert client is not None, "a person is not asked here"
        assert clock is not None, "an engine has limits"
        if not client.alive():
            client.start(self.game.variant)
        deadline = clock.deadline(self.clocked.margin(self.game.side), math.inf)
        return client.think(self.game.position, clock.limits, None if math.isinf(deadline) else deadline)

    def move(self, move: Move, thought: Thought | None = None) -> None:
        """Make a legal move; `thought` is what an engine has said with it."""
        self._keep_clocks()
        self.clocked.move(move, self._passed() if thought is None else thought.seconds, thought)
        self._turn = self.now()

    def note(self, text: str, article: str) -> None:
        """Put down that the side to move has wanted to play against the rules; the time that took is lost to it."""
        self.clocked.irregular(text, article, self._passed())
        self._turn = self.now()

    def let_stand(self, text: str) -> bool:
        """Go on from an irregular move; whether it defines a position for that."""
        self._keep_clocks()
        if not self.clocked.let_stand(text, self._passed() if self.seat.client is None else 0.0):
            self._clocks_before.pop()
            return False
        self._turn = self.now()
        return True

    def take_back(self, plies: int, consent: bool = True) -> None:
        """Undo moves, and set the clocks back with them.

        Raises:
            IllegalMoveError: as `Game.take_back` says.
        """
        self.game.take_back(plies, consent)
        self.clocked.clocks = self._clocks_before[-plies]
        self.clocked.wasted = 0.0
        del self._clocks_before[-plies:]
        self._turn = self.now()

    def record(self) -> Record:
        """The game so far as it goes into files."""
        return self.clocked.record({side: seat.name for side, seat in self.seats.items()})

    def _passed(self) -> float:
        """Seconds of the turn under way that are not taken off the clock yet."""
        return self.now() - self._turn if self._stopped is None else self._stopped

    def _keep_clocks(self) -> None:
        self._clocks_before.append({side: copy.copy(clock) for side, clock in self.clocked.clocks.items()})
