"""Arguments from programs, checked where they come in, so that what is wrong is named in the words of the caller.

A wrong type is a TypeError, a value out of range a ValueError; both name the argument and what it takes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

from turkengine.errors import shown
from turkengine.games import variant_named
from turkengine.rules.variant import Side, Variant

LONGEST_NUMBER = 18  # digits of one that a message repeats

A_FEN = "a text as in 'W:W31-50:B1-20', or None for the start of a game"
A_MOVE = "a Move, or a text as in '32-28'"
MOVES = "a list of moves, each a Move or a text as in '32-28'"


def require(argument: str, value: object, kind: type | tuple[type, ...], wanted: str) -> None:
    """Have `value` be of a type.

    Raises:
        TypeError: it is not.
    """
    if not isinstance(value, kind):
        raise _wrong(argument, value, wanted)


def several(argument: str, value: Iterable[Any], wanted: str = MOVES) -> None:
    """Have `value` be something to go through, and no text: its letters are hardly meant.

    Raises:
        TypeError: it is not.
    """
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise _wrong(argument, value, wanted)


def whole(argument: str, value: object, least: int, most: int | None = None) -> None:
    """Have `value` be a whole number.

    Raises:
        TypeError: it is none.
        ValueError: it is out of range.
    """
    wanted = f"a whole number from {least} {'on' if most is None else f'to {most}'}"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise _wrong(argument, value, wanted)
    number = int(value)
    if number < least or (most is not None and number > most):
        raise ValueError(
            f"{argument} takes {wanted}, not {number if abs(number) < 10**LONGEST_NUMBER else 'a number as large'}"
        )


def seconds(argument: str, value: object) -> None:
    """Have `value` be a time.

    Raises:
        TypeError: it is not a number.
        ValueError: it is below 0, infinite, or no number at all.
    """
    wanted = "seconds from 0 on"
    if isinstance(value, bool) or not isinstance(value, Real):
        raise _wrong(argument, value, wanted)
    try:
        finite = math.isfinite(value)
    except OverflowError:
        raise ValueError(f"{argument} takes {wanted}, not a number of hundreds of digits") from None
    if not finite or value < 0:
        raise ValueError(f"{argument} takes {wanted}, not {value}")


def side(argument: str, value: object) -> None:
    """Have `value` be a side.

    Raises:
        TypeError: it is none.
    """
    require(argument, value, Side, "Side.WHITE or Side.BLACK")


def variant(value: Variant | str) -> Variant:
    """The variant that is given by itself or by its name.

    Raises:
        TypeError: it is neither.
        VariantError: no variant has this name.
    """
    require("variant", value, (Variant, str), "a Variant, or the name of one")
    return variant_named(value) if isinstance(value, str) else value


def _wrong(argument: str, value: object, wanted: str) -> TypeError:
    kind = type(value).__name__
    if value is None:
        said = "None"
    elif isinstance(value, (bool, int, float, str, bytes)):
        said = f"the {kind} {shown(value) if isinstance(value, str) else shown(repr(value))[1:-1]}"
    else:
        said = f"a value of the type {kind}"
    return TypeError(f"{argument} takes {wanted}, not {said}")
