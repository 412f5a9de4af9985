"""When a game is over, and who has won.

The rules are asked in the order in which they take precedence: a loss goes before a draw that the same move brings
about. Nothing has to be claimed. Each rule reads the variant's declaration and is silent where a game does not have it.
"""

from __future__ import annotations

from dataclasses import dataclass

from turkengine.rules.position import Position
from turkengine.rules.reason import Reason
from turkengine.rules.variant import Side, Variant

__all__ = ["Outcome", "Reason", "outcome", "result"]


@dataclass(frozen=True)
class Outcome:
    """The end of a game.

    Attributes:
        winner: the side that has won, None for a draw.
        reason: which rule ended the game.
        article: the rule's number with the FMJD, "convention", or empty where the game's rules count no articles.
    """

    winner: Side | None
    reason: Reason
    article: str = ""


def outcome(position: Position, no_progress: int | None = None) -> Outcome | None:
    """How the game has ended in `position`, None while it goes on.

    Args:
        no_progress: plies without progress that make a draw, 0 for no such rule, None for the variant's own number. It
            counts only in games where that number is an option.
    """
    return _loss(position) or _lone_man_loss(position) or _draw(position, no_progress)


def result(outcome: Outcome, variant: Variant) -> str:
    """The score as the game writes it: "2-0" in International draughts, "1-0" in the others."""
    white_wins, draw, black_wins = variant.results
    if outcome.winner is None:
        return draw
    return white_wins if outcome.winner is Side.WHITE else black_wins


def _loss(position: Position) -> Outcome | None:
    """A side without a piece has lost whoever is to move; a side without a legal move loses when it is to move."""
    for side in (position.side, position.side.opponent):
        if position.count(side) == (0, 0):
            return Outcome(side.opponent, Reason.NO_PIECE)
    if not position.legal_moves():
        return Outcome(position.side.opponent, Reason.NO_MOVE)
    return None


def _lone_man_loss(position: Position) -> Outcome | None:
    """Two men or more and nothing else win against one man, unless the man is on move and can capture."""
    if not position.variant.lone_man_loses:
        return None
    for lone in Side:
        kings, men = position.count(lone.opponent)
        lost = position.count(lone) == (0, 1) and kings == 0 and men >= 2
        if lost and not (position.side is lone and _can_capture(position)):
            return Outcome(lone.opponent, Reason.LONE_MAN)
    return None


def _draw(position: Position, no_progress: int | None) -> Outcome | None:
    variant = position.variant
    one_each = variant.one_piece_each_draws and all(sum(position.count(side)) == 1 for side in Side)
    if one_each and not _can_capture(position):
        return Outcome(None, Reason.ONE_PIECE_EACH)
    if position.occurrences >= variant.repetitions:
        reason = Reason.FOURTH_TIME if variant.repetitions == 4 else Reason.REPETITION
        return Outcome(None, reason, variant.repetition_article)
    lone_king = position.material_limit
    if lone_king is not None and position.material_plies >= lone_king.plies:
        return Outcome(None, lone_king.reason, lone_king.article)
    rule = variant.no_progress
    plies = no_progress if rule.optional and no_progress is not None else rule.plies
    if plies and position.no_progress >= plies:
        return Outcome(None, rule.reason, rule.article)
    return None


def _can_capture(position: Position) -> bool:
    return any(move.is_capture for move in position.legal_moves())
