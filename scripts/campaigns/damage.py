"""Damaged books, weights and endgame tables: each is refused by a line that names it, or does no harm

The size is the number of damaged files of each kind. A file is cut, mixed, patched or has a number of its first line
replaced; what is accepted all the same is used for a search.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

from kernel import positions
from kernel.searching import search

from turkengine import kernel
from turkengine.engine import book
from turkengine.engine.dice import Dice
from turkengine.errors import BookError, EndgameError, TurkengineError, WeightsError
from turkengine.games import VARIANTS
from turkengine.kernel import endgames, weights
from turkengine.kernel.settings import values_of
from turkengine.rules.variant import Variant

SIZE = 2_000
NUMBERS = b'0 -1 1e999 NaN 1e30 99999999999999999999 null true "7" [] {} 2.5'.split()


def run(size: int, folder: Path) -> str:
    """Damage, read, and use what has been read."""
    refused = 0
    for kind in (use_book, use_weights, use_endings):
        for number in range(size):
            refused += kind(random.Random(number), VARIANTS[number % len(VARIANTS)], folder)
    restore()
    return f"{refused} of {3 * size} damaged files were refused, and the others did no harm"


def use_book(dice: random.Random, variant: Variant, folder: Path) -> bool:
    path = folder / "damaged.book"
    path.write_bytes(damaged(dice, book.path_of(variant).read_bytes()))
    start = positions.start(variant)

    def use() -> None:
        read = book.read(path, variant, start.key)
        read.chosen(start, 10, 100, Dice(1))

    return was_refused(use, BookError, path)


def use_weights(dice: random.Random, variant: Variant, folder: Path) -> bool:
    path = folder / "damaged.weights"
    path.write_bytes(damaged(dice, weights.path_of(variant).read_bytes()))
    module = kernel.load(variant)

    def use() -> None:
        read = weights.read(path, variant)
        module.set_weights(read)
        module.set_settings(values_of(read.search))
        search(positions.middle_game(variant, seed=dice.randrange(100)), nodes=300)

    return was_refused(use, WeightsError, path)


def use_endings(dice: random.Random, variant: Variant, folder: Path) -> bool:
    original = dice.choice(endgames.files_in(endgames.SHIPPED, variant))
    path = folder / original.name
    path.write_bytes(damaged(dice, original.read_bytes()))
    endings = kernel.load(variant).Endings()

    def use() -> None:
        endgames.mount_file(endings, path, variant)
        search(positions.compiled(positions.thrown(variant, dice, most=3)), nodes=300, endings=endings)

    return was_refused(use, EndgameError, path)


def was_refused(use: Callable[[], None], error: type[TurkengineError], path: Path) -> bool:
    """Whether that error came, in one line that names the file; no other may."""
    try:
        use()
    except error as refusal:
        said = str(refusal)
    else:
        return False
    assert path.name in said, f"the file is not named: {said}"
    assert "\n" not in said, f"more than a line: {said!r}"
    return True


def damaged(dice: random.Random, content: bytes) -> bytes:
    """The content of a file with something wrong."""
    line, _, rest = content.partition(b"\n")
    where = dice.randrange(len(content))
    match dice.randrange(6):
        case 0:
            return content[:where]
        case 1:
            return content[:where] + bytes([content[where] ^ 1 << dice.randrange(8)]) + content[where + 1 :]
        case 2:
            return content[:where] + dice.randbytes(dice.randrange(1, 40)) + content[where:]
        case 3:
            other = dice.randrange(len(content))
            return content[:where] + content[other : other + 50] + content[where + 50 :]
        case 4:
            numbers = list(re.finditer(rb"-?\d+(\.\d+)?", line))
            chosen = dice.choice(numbers)
            return line[: chosen.start()] + dice.choice(NUMBERS) + line[chosen.end() :] + b"\n" + rest
        case _:
            header = json.loads(line)
            key = dice.choice(list(header))
            del header[key]
            return json.dumps(header).encode() + b"\n" + rest


def restore() -> None:
    """Give the kernels the weights back that come with the program."""
    kernel.load.cache_clear()
    for variant in VARIANTS:
        kernel.load(variant)
