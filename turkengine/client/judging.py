"""What an engine says, held against the rules.

The compiled kernel reads the moves, since that takes no time worth mentioning; whatever it does not take is shown to
the readable rules, which have the last word and know the article.
"""

from __future__ import annotations

from collections.abc import Sequence

from turkengine.client.contract import ClientError, Fault
from turkengine.engine.contract import Position as Situation
from turkengine.engine.contract import load_kernel
from turkengine.errors import AmbiguousMoveError, IllegalMoveError, MoveError, UnreadableMoveError
from turkengine.notation import moves
from turkengine.rules.move import Move
from turkengine.rules.position import Position


def quick(position: Position) -> Situation:
    """The same position in the kernel, without its history."""
    return load_kernel(position.variant).Position.from_cells(position.cells, position.side)


def legal_move(name: str, position: Position, text: str) -> Move:
    """The legal move that the engine `name` means by `text`.

    Raises:
        ClientError: with `Fault.ILLEGAL_MOVE`, or with `Fault.GARBAGE` where the text is no move at all.
    """
    try:
        return moves.read(quick(position), text)
    except MoveError:
        return _judged(name, position, text)


def legal_line(position: Position, texts: Sequence[str]) -> tuple[Move, ...]:
    """The moves of a line as far as they are legal one after another."""
    found: list[Move] = []
    situation = quick(position)
    for text in texts:
        try:
            move = moves.read(situation, text)
        except MoveError:
            break
        found.append(move)
        situation = situation.play(move)
    return tuple(found)


def _judged(name: str, position: Position, text: str) -> Move:
    try:
        return moves.read(position, text)
    except IllegalMoveError as error:
        said = str(error) if error.article is None or error.article in str(error) else f"{error.article}: {error}"
        raise ClientError(Fault.ILLEGAL_MOVE, f"{name}: {said}", error.article, text) from None
    except AmbiguousMoveError as error:
        raise ClientError(Fault.ILLEGAL_MOVE, f"{name}: {error}", None, text) from None
    except MoveError as error:
        fault = Fault.ILLEGAL_MOVE if _is_move(position, text) else Fault.GARBAGE
        raise ClientError(fault, f"{name}: {error}", None, text) from None


def _is_move(position: Position, text: str) -> bool:
    """Whether a text is written as a move, be it from an empty square."""
    try:
        moves.attempt_of(position, text)
    except UnreadableMoveError:
        return False
    return True
