"""Every error turkengine raises on purpose.

One small tree: catch `TurkengineError` for all of them. A message is one line that names the culprit (square, move,
option, article) and says what would be right, so that it can be shown to a user as it is.
"""

from __future__ import annotations

LONGEST_ECHO = 40  # characters of a text from outside that a message repeats


def shown(text: str) -> str:
    """A text from outside as part of a one-line message: quoted, and cut where it is long."""
    return repr(text if len(text) <= LONGEST_ECHO else text[: LONGEST_ECHO - 3] + "...")


def unforeseen(error: Exception) -> str:
    """What to say about any error: one that is none of these is our mistake, or a machine has run out of something."""
    if isinstance(error, TurkengineError):
        return str(error)
    if is_want_of_memory(error):
        return f"too little memory ({error or 'none is left'}); a smaller hash or fewer threads may do"
    return f"internal error, {type(error).__name__}: {error}"


def is_want_of_memory(error: Exception) -> bool:
    """Whether the machine has no more memory; Python has no error of its own for a thread that cannot be had."""
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and "can't start new thread" in str(error)
    )


class TurkengineError(Exception):
    """Base of all errors with a message meant for the user."""

    def __reduce__(self) -> tuple[object, ...]:
        """For `pickle`, so that an error raised in another process arrives as it was, with all its attributes."""
        return _arrived, (type(self), self.args), self.__dict__


def _arrived(kind: type[TurkengineError], arguments: tuple[object, ...]) -> TurkengineError:
    """An error with its message, its own attributes still to come."""
    return kind.__new__(kind, *arguments)


class PositionError(TurkengineError):
    """A position that the rules do not accept, or a text that describes none."""


class MoveError(TurkengineError):
    """A text that names no legal move of the position it was read in."""


class UnreadableMoveError(MoveError):
    """The text is not written as a move at all, or starts on an empty square."""


class AmbiguousMoveError(MoveError):
    """The text fits several legal moves; `candidates` holds each of them written in full."""

    def __init__(self, message: str, candidates: tuple[str, ...]) -> None:
        super().__init__(message)
        self.candidates = candidates


class IllegalMoveError(MoveError):
    """The move breaks a rule; `article` is its number in the FMJD rules, or None where none applies."""

    def __init__(self, message: str, article: str | None) -> None:
        super().__init__(message)
        self.article = article


class OptionError(TurkengineError):
    """An unknown option, or a value that the option cannot take."""


class VariantError(TurkengineError):
    """A name that no variant has."""


class PdnError(TurkengineError):
    """A file of games that cannot be read at all, or a game that cannot be written."""


class EndgameError(TurkengineError):
    """A file of endgame tables that is damaged, foreign or missing, or an ending that cannot be solved here."""


class WeightsError(TurkengineError):
    """A file of weights that is damaged, of another board, or of a network that the kernel was not built for."""


class BookError(TurkengineError):
    """An opening book that cannot be used."""
