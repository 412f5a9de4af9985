"""The weights of the evaluation: one file a variant, read when its kernel is first loaded.

`evaluation.weights` in the folder of a game is one line of JSON and after it, compressed by zlib, the large parts of
the network. The line holds, in hundredths of a man,

* `variant`: whose games they were learnt from;
* `units`: how many hidden units a side has; the kernel of the variant is compiled for so many;
* `men`, `kings`: the plain value of a piece on each square, in index order as White sees it;
* `base`: where the value for the side to move begins, for few pieces first;
* `search`: what games have found for the settings of the search (`settings.py`), where that is not the usual;
* `made`: how the weights were made.

Signed 16-bit numbers follow, lowest byte first:

* what a piece adds to the sums of the side that sees it, where `ONE` is 1: own men, own kings, the other side's men,
  its kings; for each square in index order as White sees it; `units` numbers each;
* where the sums begin, `units` numbers;
* what the hidden units count, in parts of `OUTPUT` of a hundredth: for few pieces first; those of the side to move,
  then the other side's.

`turkengine/training` makes such files; its `network.py` says what is computed.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from turkengine import games
from turkengine.errors import WeightsError, shown
from turkengine.kernel.settings import values_of
from turkengine.rules.variant import Variant

BUCKETS = 4  # sets of output weights, by the pieces on the board
ONE = 181  # what 1 is among the sums: its square is just within 16 bits
OUTPUT = 64
CURE = "put back the one that came with the program, or one that `turkengine train fit` has written"
LARGEST = 3000  # hundredths of a man that a value counts: forty such pieces are just within 32 bits
MAN, ADVANCE = 100.0, 3.0  # without learnt weights: a man, each rank it has gone
KING, SHORT_KING = 300.0, 150.0  # one that flies, one that moves a square
FEWEST_UNITS = 16
PIECES = 4  # that a side tells apart: own men, own kings, the other side's men and kings


class Weights(NamedTuple):
    """What the kernel's `set_weights` takes, as in the file; the numbers in the byte order of this machine."""

    units: int
    men: list[float]
    kings: list[float]
    base: list[float]
    rows: array[int]
    bias: array[int]
    outputs: array[int]
    search: dict[str, int]


def path_of(variant: Variant) -> Path:
    """Where the weights of a variant lie."""
    return games.folder_of(variant) / "evaluation.weights"


def read_weights(variant: Variant) -> Weights:
    """The weights that a variant is played with: those learnt for it, or where it has none, plain values.

    Raises:
        WeightsError: the file is damaged, or of another game.
    """
    path = path_of(variant)
    return read(path, variant) if path.exists() else by_hand(variant)


def weights_file(variant: Variant) -> bytes:
    """What the file of weights that a variant is played with holds, or would hold."""
    path = path_of(variant)
    return path.read_bytes() if path.exists() else _packed(*_parts_of(by_hand(variant), variant))


def by_hand(variant: Variant) -> Weights:
    """Weights for a game of which nothing has been learnt: material, and men worth more the nearer they are to the end.

    The network is there, since the kernel is compiled with one, and adds nothing.
    """
    size = variant.board.size
    men = [MAN + ADVANCE * variant.board.rank(square) for square in range(size)]
    empty = array("h", bytes(2 * PIECES * size * FEWEST_UNITS))
    outputs = array("h", bytes(2 * BUCKETS * 2 * FEWEST_UNITS))
    nothing = array("h", bytes(2 * FEWEST_UNITS))
    king = KING if variant.kings_fly else SHORT_KING
    return Weights(FEWEST_UNITS, men, [king] * size, [0.0] * BUCKETS, empty, nothing, outputs, {})


def read(path: Path, variant: Variant) -> Weights:
    """The weights in a file.

    Raises:
        WeightsError: the file is damaged, or of another game.
    """
    line, _, packed = path.read_bytes().partition(b"\n")
    try:
        header = json.loads(line)
        numbers = array("h", zlib.decompress(packed))
        name, units, men, kings, base = (header[key] for key in ("variant", "units", "men", "kings", "base"))
        lengths = (len(men), len(kings), len(base), len(numbers))
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise WeightsError(f"{path} is not a file of weights: {error!r}; {CURE}") from None
    if name != variant.name:
        raise WeightsError(f"{path} holds weights of {shown(str(name))}, not of {variant.name}; {CURE}")
    if type(units) is not int or units < 1:
        raise WeightsError(f"{path} gives no number of hidden units: {units!r}; {CURE}")
    if sys.byteorder == "big":
        numbers.byteswap()
    size = variant.board.size
    rows, outputs = PIECES * size * units, BUCKETS * 2 * units
    if lengths != (size, size, BUCKETS, rows + units + outputs):
        raise WeightsError(f"{path} holds weights of another board, or of another number of units; {CURE}")
    if not all(type(value) in (int, float) and abs(value) <= LARGEST for value in (*men, *kings, *base)):
        raise WeightsError(f"{path} holds a value that is not a number of hundredths up to {LARGEST}; {CURE}")
    search = header.get("search", {})
    try:
        values_of(search)
    except (ValueError, TypeError, AttributeError) as error:
        raise WeightsError(f"{path} holds a setting that is none: {error}; {CURE}") from None
    bias = rows + units
    parts = numbers[:rows], numbers[rows:bias], numbers[bias:]
    return Weights(units, men, kings, base, *parts, search)


def with_search(file: bytes, search: dict[str, int]) -> bytes:
    """What a file of weights holds, with other settings of the search."""
    line, _, packed = file.partition(b"\n")
    return json.dumps({**json.loads(line), "search": search}).encode() + b"\n" + packed


def write_weights(path: Path, header: dict[str, Any], parts: Iterable[Iterable[int]]) -> None:
    """Write a file of weights; `header` and the numbers after it, as above."""
    path.write_bytes(_packed(header, parts))


def _packed(header: dict[str, Any], parts: Iterable[Iterable[int]]) -> bytes:
    numbers = array("h", (number for part in parts for number in part))
    if sys.byteorder == "big":
        numbers.byteswap()
    return json.dumps(header).encode() + b"\n" + zlib.compress(numbers.tobytes(), 9)


def _parts_of(weights: Weights, variant: Variant) -> tuple[dict[str, Any], Iterable[Iterable[int]]]:
    plain = {key: getattr(weights, key) for key in ("units", "men", "kings", "base", "search")}
    return {"variant": variant.name, **plain, "made": "by hand"}, (weights.rows, weights.bias, weights.outputs)
