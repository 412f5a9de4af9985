"""A game searched position by position, and every move judged.

The positions are searched from the last to the first: what the table has learnt of the rest of the game is there when
an earlier move is judged by it, so that a move and the one after it are seen alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from turkengine.analysis.judge import ONLY_GOOD, Mark, lets_a_win_go, mark_of, phase_of
from turkengine.analysis.judged import FoundLine, JudgedGame, JudgedMove
from turkengine.analysis.shots import shot_in
from turkengine.api.engine import BaseEngine
from turkengine.api.limit import Limit, PovScore
from turkengine.api.position import Position
from turkengine.engine.chances import Chances
from turkengine.engine.score import WIN, Score
from turkengine.rules.move import Move
from turkengine.rules.variant import Side

WIN_IN_MEN = 10.0  # what a win, or a lead beyond it, counts where men are compared
LONGEST_LINE = 12  # moves of a line that are kept


@dataclass(frozen=True)
class Seen:
    """A position and what a search has found in it.

    Attributes:
        score: from the view of the side to move.
        lines: score and moves of each line found, the best first.
        is_drawn: whether the game has ended there in a draw.
    """

    position: Position
    score: PovScore
    depth: int | None
    nodes: int | None
    lines: tuple[tuple[PovScore, tuple[Move, ...]], ...]
    is_drawn: bool = False

    def chances(self, side: Side) -> Chances:
        """The chances of `side`."""
        if self.is_drawn:
            return Chances(0.0, 1.0, 0.0)
        return self.score.chances(self.position.variant, side)


def judged(
    engine: BaseEngine,
    positions: Sequence[Position],
    moves: Sequence[Move],
    limit: Limit,
    multipv: int = 1,
    on_position: Callable[[], object] = lambda: None,
) -> JudgedGame:
    """A game as the engine judges it.

    Args:
        positions: those of the game, the first before the first move, each played from the one before it unless another
            was set up there.
        moves: those between the positions.
        limit: of each search.
        multipv: how many lines are searched in each position.
        on_position: called after each search.

    Raises:
        ClientError: the engine has failed.
    """
    game = object()

    def look(position: Position) -> Seen:
        found = seen(engine, position, limit, multipv, game)
        on_position()
        return found

    after = look(positions[-1])
    judged_moves: list[JudgedMove] = []
    for place in reversed(range(len(moves))):
        if positions[place + 1].previous is not positions[place]:
            after = look(positions[place].play(moves[place]))
        before = look(positions[place])
        judged_moves.append(_judged(before, after, moves[place], place + 1))
        after = before
    told = _named_once(judged_moves[::-1])
    return JudgedGame(after.position.variant.name, str_of(after.score), men_of(after.score.white), told)


def seen(engine: BaseEngine, position: Position, limit: Limit, multipv: int = 1, game: object = None) -> Seen:
    """What the engine finds in a position; where the game is over there, what the rules say.

    Raises:
        ClientError: the engine has failed.
    """
    outcome = position.outcome()
    if outcome is not None:
        lost = 0 if outcome.winner is None else WIN if outcome.winner is position.side else -WIN
        return Seen(position, PovScore(Score(lost), position.side), 0, 0, (), outcome.winner is None)
    found = engine.analyse(position, limit, multipv, game=game)
    lines = tuple((info.score, info.line) for info in found.lines)
    if not lines:
        bare = PovScore(Score(position.evaluate()), position.side)
        return Seen(position, bare, None, None, ())
    return Seen(position, lines[0][0], found.depth, found.nodes, lines)


def men_of(score: Score) -> float:
    """A score in men, none beyond a win."""
    return round(max(-WIN_IN_MEN, min(score.men, WIN_IN_MEN)), 2) + 0.0


def str_of(score: PovScore) -> str:
    """A score as `[%eval]` writes it, from White's view."""
    return str(score).removeprefix("+")


def _judged(before: Seen, after: Seen, move: Move, ply: int) -> JudgedMove:
    position, side = before.position, before.position.side
    best = before.lines[0][1] if before.lines else ()
    is_best = not best or best[0] == move
    had, has = before.chances(side), after.chances(side)
    cost = 0.0 if is_best else max(had.expectation - has.expectation, 0.0)
    loss = 0.0 if is_best else max(men_of(before.score.pov(side)) - men_of(after.score.pov(side)), 0.0)
    forced = len(position.legal_moves()) == 1
    shot = shot_in(position, best) if best else None
    mark = mark_of(cost)
    if not forced and is_best and (shot is not None or _only_good(before)):
        mark = Mark.GOOD
    lines = tuple(
        FoundLine(str_of(score), tuple(position.line_texts(line[:LONGEST_LINE]))) for score, line in before.lines
    )
    return JudgedMove(
        ply=ply,
        side=side.value,
        move=position.text(move),
        fen=position.fen(counters=True),
        evaluation=str_of(after.score),
        men=men_of(after.score.white),
        chances=after.chances(Side.WHITE),
        depth=before.depth,
        nodes=before.nodes,
        lines=lines,
        loss=round(loss, 2),
        cost=round(cost, 4),
        mark=mark,
        forced=forced,
        phase=phase_of(position.variant, position.cells),
        shot=shot if is_best and not forced else None,
        missed_shot=shot if not is_best and mark.is_bad else None,
        missed_win=not is_best and lets_a_win_go(had, has),
    )


def _named_once(moves: list[JudgedMove]) -> tuple[JudgedMove, ...]:
    """The moves without the praise of those that only go on with a shot begun before."""
    told: list[JudgedMove] = []
    running: list[str] = []  # the rest of the shot under way
    for move in moves:
        if running and running[0] == move.move:
            running.pop(0)
            move = replace(move, shot=None, mark=Mark.NONE) if move.mark is Mark.GOOD else move
        else:
            running = move.shot.text.split()[1:] if move.shot is not None else []
        told.append(move)
    return tuple(told)


def _only_good(before: Seen) -> bool:
    """Whether every other move gives much away, as far as several lines show; captures that are due are no feat."""
    if len(before.lines) < 2:
        return False
    variant, side = before.position.variant, before.position.side
    first, second = (score.chances(variant, side).expectation for score, _ in before.lines[:2])
    return first - second >= ONLY_GOOD and not any(move.is_capture for move in before.position.legal_moves())
