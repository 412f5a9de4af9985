"""The reasons for which games end, as words of the declarations and of every outcome."""

from __future__ import annotations

from enum import Enum


class Reason(Enum):
    """Why a game is over. The value is the reason as people say it."""

    NO_PIECE = "no piece left"
    NO_MOVE = "no legal move"
    LONE_MAN = "a lone man against several"
    ONE_PIECE_EACH = "one piece each"
    REPETITION = "the position occurred for the third time"
    FOURTH_TIME = "the position occurred for the fourth time"
    SIXTEEN_MOVES = "16 moves each against a lone king"
    FIFTEEN_MOVES = "15 moves each against a lone king"
    FIVE_MOVES = "5 moves each against a lone king"
    KINGS_ONLY = "25 moves each by kings only"
    FORTY_KING_MOVES = "40 moves each by kings only"
    TWENTY_KING_MOVES = "20 moves each by kings only"
    FIFTEEN_KING_MOVES = "15 moves each by kings only"
    NO_PROGRESS = "too many moves without progress"
