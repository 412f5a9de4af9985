"""What an engine says, held against the rules.

A move to be played is read in the position that was asked about, which in a match is of the readable rules: these have
the last word, know the article, and have found the legal moves before. Lines, which are long and decide nothing, are
read by the compiled kernel.
"""

from __future__ import annotations

from collections.abc import Sequence

from turkengine.client.contract import ClientError, ClientFault
from turkengine.engine.kernel_types import load_kernel
from turkengine.errors import AmbiguousMoveError, IllegalMoveError, MoveError, UnreadableMoveError
from turkengine.notation import moves
from turkengine.rules.move import Move
from turkengine.rules.position import Situation


def legal_move(name: str, position: Situation, text: str) -> Move:
    """The legal move that the engine `name` means by `text`.

    Raises:
        ClientError: with `ClientFault.ILLEGAL_MOVE`, or with `ClientFault.GARBAGE` where the text is no move at all.
    """
    try:
        return moves.read(position, text)
    except IllegalMoveError as error:
        said = str(error) if error.article is None or error.article in str(error) else f"{error.article}: {error}"
        raise ClientError(ClientFault.ILLEGAL_MOVE, f"{name}: {said}", error.article, text) from None
    except AmbiguousMoveError as error:
        raise ClientError(ClientFault.ILLEGAL_MOVE, f"{name}: {error}", None, text) from None
    except MoveError as error:
        fault = ClientFault.ILLEGAL_MOVE if _is_move(position, text) else ClientFault.GARBAGE
        raise ClientError(fault, f"{name}: {error}", None, text) from None


def legal_line(position: Situation, texts: Sequence[str]) -> tuple[Move, ...]:
    """The moves of a line as far as they are legal one after another."""
    found: list[Move] = []
    situation = load_kernel(position.variant).Position.from_cells(position.cells, position.side)
    for text in texts:
        try:
            move = moves.read(situation, text)
        except MoveError:
            break
        found.append(move)
        situation = situation.play(move)
    return tuple(found)


def _is_move(position: Situation, text: str) -> bool:
    """Whether a text is written as a move, be it from an empty square."""
    try:
        moves.attempt_of(position, text)
    except UnreadableMoveError:
        return False
    return True
