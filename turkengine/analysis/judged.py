"""What is known of an analysed game, as values and as the JSON that docs/json.md describes.

Nothing in it depends on the machine or the hour: the same search gives the same record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from turkengine.analysis.judge import Mark, PlayerSummary, accuracy_of
from turkengine.analysis.shots import Shot
from turkengine.engine.chances import Chances
from turkengine.rules.variant import Side

SCHEMA, VERSION = "turkengine-analysis", 1


@dataclass(frozen=True)
class FoundLine:
    """A line that the search has found in a position.

    Attributes:
        evaluation: from White's view, as `[%eval]` writes it: men, or `#n`, n moves to White's win.
        moves: as text.
    """

    evaluation: str
    moves: tuple[str, ...]


@dataclass(frozen=True)
class JudgedMove:
    """A move of a game and what is thought of it.

    Attributes:
        ply: its number, from 1.
        side: who has made it, W or B.
        move: as text.
        fen: the position before it, with counters.
        evaluation: of the position after it, from White's view, as `[%eval]` writes it.
        men: the same in men, a win as 10 men.
        chances: White's, in the position after it.
        depth, nodes: of the search of the position before it, None where an engine does not say it.
        lines: what that search has found, the best line first; empty where it has found none.
        loss: men that the mover has lost by it against the best move.
        cost: expectation that the mover has lost by it, from 0 to 1.
        mark: what stands after it.
        forced: whether it was the only legal move.
        phase: of the game.
        shot: the combination that it begins.
        missed_shot: the one that could have been begun in its place.
        missed_win: whether a won position is not won any more.
    """

    ply: int
    side: str
    move: str
    fen: str
    evaluation: str
    men: float
    chances: Chances
    depth: int | None
    nodes: int | None
    lines: tuple[FoundLine, ...]
    loss: float
    cost: float
    mark: Mark
    forced: bool
    phase: str
    shot: Shot | None = None
    missed_shot: Shot | None = None
    missed_win: bool = False

    @property
    def best(self) -> str:
        """The best move, empty where none was found."""
        return self.lines[0].moves[0] if self.lines and self.lines[0].moves else ""

    @property
    def is_critical(self) -> bool:
        """Whether it is worth a look: a mistake or worse, a missed win or shot, or a good move."""
        heavy = self.mark in (Mark.MISTAKE, Mark.BLUNDER, Mark.GOOD)
        return heavy or self.missed_win or self.missed_shot is not None or self.shot is not None

    @property
    def remark(self) -> str:
        """What is to be said of it in words, empty where nothing is."""
        said = []
        if self.shot is not None:
            said.append(self.shot.name)
        if self.missed_win:
            said.append("missed win")
        if self.missed_shot is not None:
            said.append(f"missed {self.missed_shot.name}: {self.missed_shot.text}")
        return "; ".join(said)


@dataclass(frozen=True)
class JudgedGame:
    """An analysed game.

    Attributes:
        variant: its name.
        start: the evaluation of the position it begins with, as in `JudgedMove`.
        men: the same in men.
        moves: those that could be played.
    """

    variant: str
    start: str
    men: float
    moves: tuple[JudgedMove, ...] = field(default=())

    def summary(self, side: Side) -> PlayerSummary:
        """What one player has done."""
        own = [move for move in self.moves if move.side == side.value]
        chosen = [move for move in own if not move.forced]
        return PlayerSummary(
            moves=len(own),
            forced=len(own) - len(chosen),
            accuracy=accuracy_of(move.cost for move in chosen),
            mean_loss=sum(move.loss for move in chosen) / len(chosen) if chosen else None,
            marks=tuple(sorted(Counter(move.mark.value for move in own if move.mark is not Mark.NONE).items())),
            missed_wins=sum(move.missed_win for move in own),
            missed_shots=sum(move.missed_shot is not None for move in own),
        )

    def as_data(self) -> dict[str, Any]:
        """As JSON takes it."""
        return {
            "variant": self.variant,
            "start": {"eval": self.start, "men": self.men},
            "moves": [_move_data(move) for move in self.moves],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> JudgedGame:
        """The record that `as_data` has been made from."""
        moves = tuple(_move_from(move) for move in data["moves"])
        return cls(data["variant"], data["start"]["eval"], data["start"]["men"], moves)


def summary_data(summary: PlayerSummary) -> dict[str, Any]:
    """A player's summary as JSON takes it."""
    return {
        "moves": summary.moves,
        "forced": summary.forced,
        "accuracy": _rounded(summary.accuracy, 1),
        "mean_loss": _rounded(summary.mean_loss, 3),
        "marks": dict(summary.marks),
        "missed_wins": summary.missed_wins,
        "missed_shots": summary.missed_shots,
    }


def chances_data(chances: Chances) -> dict[str, float]:
    """Chances as JSON takes them."""
    return {"win": round(chances.win, 3), "draw": round(chances.draw, 3), "loss": round(chances.loss, 3)}


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _move_data(move: JudgedMove) -> dict[str, Any]:
    return {
        "ply": move.ply,
        "side": move.side,
        "move": move.move,
        "fen": move.fen,
        "eval": move.evaluation,
        "men": move.men,
        "chances": chances_data(move.chances),
        "depth": move.depth,
        "nodes": move.nodes,
        "best": move.best,
        "lines": [{"eval": line.evaluation, "moves": list(line.moves)} for line in move.lines],
        "loss": move.loss,
        "cost": move.cost,
        "mark": move.mark.value,
        "forced": move.forced,
        "phase": move.phase,
        "shot": _shot_data(move.shot),
        "missed_shot": _shot_data(move.missed_shot),
        "missed_win": move.missed_win,
    }


def _shot_data(shot: Shot | None) -> dict[str, Any] | None:
    return asdict(shot) if shot is not None else None


def _move_from(data: Mapping[str, Any]) -> JudgedMove:
    def shot(told: Mapping[str, Any] | None) -> Shot | None:
        return Shot(**told) if told is not None else None

    return JudgedMove(
        data["ply"],
        data["side"],
        data["move"],
        data["fen"],
        data["eval"],
        data["men"],
        Chances(**data["chances"]),
        data["depth"],
        data["nodes"],
        tuple(FoundLine(line["eval"], tuple(line["moves"])) for line in data["lines"]),
        data["loss"],
        data["cost"],
        Mark(data["mark"]),
        data["forced"],
        data["phase"],
        shot(data["shot"]),
        shot(data["missed_shot"]),
        data["missed_win"],
    )
