"""Sessions for the tests: scripted engines, a clock in the hands of the test, files that are a dictionary."""

from __future__ import annotations

from collections.abc import Iterable

from match.scripted import Answer, Scripted

from turkengine.engine.limits import Limits
from turkengine.games import INTERNATIONAL
from turkengine.match.clocks import TimeControl
from turkengine.match.conduct import Policy
from turkengine.notation import fen
from turkengine.play.live import LiveGame, Seat
from turkengine.play.session import PlaySession
from turkengine.play.text_board import Look
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant

NODES = TimeControl(nodes=100)


class Program(Scripted):
    """A scripted engine that counts the games it was told to be over."""

    ended = 0

    def game_over(self, position: Position) -> None:
        self.ended += 1


class Sitting:
    """A session, what it was told, and what it has said.

    Attributes:
        program: the engine that plays, if one does.
        adviser: the one that gives hints.
        moment: the time, in seconds.
        files: what has been saved.
    """

    def __init__(
        self,
        script: Iterable[Answer] | None = (),
        *,
        ours: Side = Side.WHITE,
        clock: TimeControl | None = None,
        control: TimeControl = NODES,
        position: str = "",
        variant: Variant = INTERNATIONAL,
        irregularity: Policy | None = Policy.RECTIFY,
        look: Look | None = None,
        score: int | None = None,
        seconds: float = 0.01,
    ) -> None:
        """Begin; a `script` of None seats two people."""
        self.moment = 0.0
        self.files: dict[str, str] = {}
        self.adviser = Program(name="adviser", score=12)
        self.program = Program(script or (), name="engine", score=score, seconds=seconds)
        seats = {side: Seat(control=clock) for side in Side}
        if script is not None:
            seats[ours.opponent] = Seat(self.program, clock or control)
        start = fen.read(variant, position) if position else Position.start(variant)
        live = LiveGame(start, seats, now=lambda: self.moment)
        self.session = PlaySession(
            live, look or Look(), self.adviser, Limits(depth=3), self.files.__setitem__, irregularity
        )
        self.greeting = self.session.begin()

    @property
    def live(self) -> LiveGame:
        return self.session.live

    @property
    def texts(self) -> list[str]:
        """The moves so far."""
        return [move.text for move in self.live.game.moves]

    def say(self, *lines: str) -> list[str]:
        """Write lines, and let the engine move whenever it has to; what the last of them was answered with."""
        told: list[str] = []
        for line in lines:
            told = self.session.receive(line)
            while self.session.thinks:
                told += self.session.think()
        return told
