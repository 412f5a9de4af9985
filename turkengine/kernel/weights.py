"""The weights of the evaluation: one file a variant, read when its kernel is first loaded.

`turkengine/weights/NAME.weights` is one line of JSON and behind it, compressed by zlib, the tables of the patterns. All
values are in hundredths of a man, in pairs of one for the opening and one for the ending. The line holds

* `variant`: whose games they were learnt from;
* `man`, `to_move`: what a man and having the move are worth, and `kings`, a king on each square in index order as
  White sees it;
* `holding`: against how many pieces or fewer a lone side's king holds, and by how much that divides the score;
* `patterns`: for each [its table, whether Black sees it, its squares]; a square without a man is a digit 0 of the
  state, a man of the side that sees it 1, one of the other side 2, and the first square is the lowest digit;
* `made`: how the weights were made.

The tables follow as signed 16-bit numbers, lowest byte first: table by table, state by state, opening and ending.
`turkengine/training` makes such files.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from pathlib import Path
from typing import Any, NamedTuple

from turkengine.rules.variant import Variant

FOLDER = Path(__file__).resolve().parents[1] / "weights"


class Weights(NamedTuple):
    """What the kernel's `set_weights` takes; the tables in the byte order of this machine."""

    man: list[int]
    kings: list[list[int]]
    to_move: list[int]
    holding_pieces: int
    holding_divisor: int
    patterns: list[tuple[int, bool, list[int]]]
    tables: bytes


def path_of(variant: Variant) -> Path:
    """Where the weights of a variant lie."""
    return FOLDER / f"{variant.name}.weights"


def read_weights(variant: Variant) -> Weights:
    """The weights that a variant is played with.

    Raises:
        ValueError: the file does not fit the variant's board.
    """
    return read(path_of(variant), variant)


def read(path: Path, variant: Variant) -> Weights:
    """The weights in a file.

    Raises:
        ValueError: the file does not fit the variant's board.
    """
    line, _, packed = path.read_bytes().partition(b"\n")
    header = json.loads(line)
    if len(header["kings"]) != variant.board.size:
        raise ValueError(f"{path}: {len(header['kings'])} squares for kings, the board has {variant.board.size}")
    tables = array("h", zlib.decompress(packed))
    if sys.byteorder == "big":
        tables.byteswap()
    pieces, divisor = header["holding"]
    return Weights(
        header["man"], header["kings"], header["to_move"], pieces, divisor, header["patterns"], tables.tobytes()
    )


def write_weights(path: Path, header: dict[str, Any], tables: array[int]) -> None:
    """Write a file of weights; `header` as told above, the tables as 16-bit numbers."""
    ordered = array("h", tables)
    if sys.byteorder == "big":
        ordered.byteswap()
    path.write_bytes(json.dumps(header).encode() + b"\n" + zlib.compress(ordered.tobytes(), 9))
