"""The referee: brings two engines through one game, keeps their clocks, and ends it whatever they do.

It goes by the rules alone. A move is what the rules say is legal, the time of a move is what the client has measured
from its order to its answer, and each way in which an engine can fail ends the game with its own reason. A game that is
to be broken off from outside leaves no record: it has not been played.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from turkengine.client.contract import Client, ClientError, ClientFault
from turkengine.errors import MoveError
from turkengine.match.clocked import KINDS, ClockedGame
from turkengine.match.clocks import TimeControl
from turkengine.match.conduct import Conduct, Policy
from turkengine.notation import moves
from turkengine.record.record import FAULTS, Ending, EndingKind, Record
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant


@dataclass(frozen=True)
class Player:
    """One side of a game: what it is called in this match, the engine, and what it may use."""

    name: str
    client: Client
    control: TimeControl


@dataclass(frozen=True)
class Beginning:
    """Where a game begins: a position, and moves from there that nobody has to think about."""

    position: Position
    moves: tuple[Move, ...] = ()
    name: str = ""

    @property
    def variant(self) -> Variant:
        """The game that is played."""
        return self.position.variant


def never() -> bool:
    """Nothing breaks the game off."""
    return False


def play(
    beginning: Beginning,
    players: Mapping[Side, Player],
    conduct: Conduct | None = None,
    broken_off: Callable[[], bool] = never,
    now: Callable[[], float] = time.perf_counter,
) -> Record | None:
    """Play one game.

    Args:
        players: White and Black; started here where they are not.
        broken_off: asked before every move.
        now: the clock that times what ends without an answer.

    Returns:
        The game, or None where it was broken off.
    """
    return _Refereeing(beginning, players, conduct or Conduct(), broken_off, now).run()


class _Refereeing:
    """One game under way."""

    def __init__(
        self,
        beginning: Beginning,
        players: Mapping[Side, Player],
        conduct: Conduct,
        broken_off: Callable[[], bool],
        now: Callable[[], float],
    ) -> None:
        self.beginning, self.players, self.conduct = beginning, players, conduct
        self.broken_off, self.now = broken_off, now
        controls = {side: player.control for side, player in players.items()}
        self.clocked = ClockedGame(beginning.position, controls, conduct, now)
        self.game = self.clocked.game
        self.asked_again = False  # for the move that is due

    def run(self) -> Record | None:
        """From the opening to the record."""
        for move in self.beginning.moves:
            if self.game.ending is None:
                self.game.play(move, book=True)
        self._start_engines()
        while self.game.ending is None:
            if self.broken_off():
                return None
            self._move()
        if self.game.ending.kind in FAULTS and self.broken_off():
            return None  # an engine that has been ended from outside has not failed
        names = {side: player.name for side, player in self.players.items()}
        record = self.clocked.record(names, self.beginning.name)
        for player in self.players.values():
            player.client.game_over(self.game.position)
        return record

    def _start_engines(self) -> None:
        """Both are started, also where the first cannot be: nobody wins against an engine that is not there either."""
        failed: dict[Side, ClientError] = {}
        for side, player in self.players.items():
            try:
                player.client.start(self.game.variant)
                player.client.new_game()
            except ClientError as error:
                failed[side] = error
        if len(failed) == len(self.players):
            reason = "; ".join(str(error) for error in failed.values())
            self.game.end(Ending(EndingKind.START, None, f"neither engine can be started: {reason}"))
        for side, failure in failed.items():
            self._fail(side, failure)

    def _move(self) -> None:
        """Ask for one move, and see to what comes of it."""
        side, clock = self.game.side, self.clocked.clocks[self.game.side]
        assert clock is not None, "an engine has limits"
        deadline = clock.deadline(self.clocked.margin(side), self.conduct.patience)
        ordered = self.now()
        try:
            thought = self.players[side].client.think(self.game.position, clock.limits, deadline)
            if thought.move is not None and thought.move not in self.game.position.legal_moves():
                raise self._illegal(thought.move)
        except ClientError as error:
            self._without_move(side, error, self.now() - ordered)
            return
        if thought.move is None:
            self.game.resign(side)
            return
        self.asked_again = False
        self.clocked.move(thought.move, thought.seconds, thought)

    def _without_move(self, side: Side, error: ClientError, seconds: float) -> None:
        """What an engine does instead of a legal move: only an irregular move can leave the game going on."""
        if error.reason is not ClientFault.ILLEGAL_MOVE:
            self._fail(side, error)
            return
        self.clocked.irregular(str(error), error.article or "", seconds)
        policy = self.conduct.irregularity
        if policy is Policy.RECTIFY and not self.asked_again:
            self.asked_again = True
            return
        if policy is Policy.STAND and error.move_text is not None and self.clocked.let_stand(error.move_text):
            return
        self._fail(side, error)

    def _illegal(self, move: Move) -> ClientError:
        """The error of a client that lets an illegal move pass."""
        text = moves.hub(self.game.position, move)
        try:
            moves.read(self.game.position, text)
        except MoveError as error:
            return ClientError(ClientFault.ILLEGAL_MOVE, str(error), getattr(error, "article", None), text)
        return ClientError(ClientFault.ILLEGAL_MOVE, f"{text} is not a legal move", None, text)

    def _fail(self, side: Side, error: ClientError) -> None:
        self.game.end(Ending(KINDS[error.reason], side.opponent, str(error), error.article or ""))
