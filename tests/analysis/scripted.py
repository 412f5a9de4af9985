"""An engine of the tests that says what it has been told to, and games by their moves."""

from __future__ import annotations

from collections.abc import Mapping

from turkengine.api.analysis import Analysis, Info
from turkengine.api.engine import BaseEngine
from turkengine.api.limit import PovScore
from turkengine.api.position import Position
from turkengine.engine.limits import Limits
from turkengine.engine.report import Bound
from turkengine.engine.score import Score
from turkengine.errors import TurkengineError

Told = tuple[tuple[int, str], ...]


class ScriptedEngine(BaseEngine):
    """Answers each position, known by its FEN, with lines: a score of the side to move in hundredths, and moves."""

    def __init__(self, told: Mapping[str, Told], otherwise: int = 0, fails_at: str = "") -> None:
        super().__init__()
        self.told, self.otherwise, self.fails_at = told, otherwise, fails_at
        self.asked: list[str] = []
        self.games: list[object] = []

    @property
    def name(self) -> str:
        return "scripted"

    def _begin(self, analysis: Analysis, limits: Limits, new_game: bool) -> None:
        position = analysis.position
        fen = position.fen()
        self.asked.append(fen)
        if new_game:
            self.games.append(self._game)
        if fen == self.fails_at:
            self._ended(analysis, None, None, TurkengineError("it has had enough"))
            return
        some = position.text(sorted(position.legal_moves(), key=lambda move: (move.origin, move.target))[0])
        lines = self.told.get(fen, ((self.otherwise, some),))
        for rank, (score, text) in enumerate(lines[: analysis.multipv], start=1):
            line = position.play_line(text.split()).moves[len(position.moves) :]
            pov = PovScore(Score(score), position.side)
            analysis.tell(Info(position, rank, 9, pov, Bound.EXACT, 1000, 0.0, line))
        self._ended(analysis, None, None, None)

    def _halt(self, analysis: Analysis) -> None:
        """It is always done."""

    def _close(self) -> None:
        """There is nothing to give back."""


def positions_of(start: Position, *moves: str) -> list[Position]:
    """The positions of a game."""
    found = [start]
    for move in moves:
        found.append(found[-1].play(move))
    return found
