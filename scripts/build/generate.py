"""Turns each variant's declaration into the constants that the kernel is compiled against.

The kernel is translated to C once, as `_kernel.c`. For every variant two small files are written beside it: `_NAME.h`,
the declaration as C constants, and `_NAME.c`, which is both together as a module of that name. So the C compiler sees
the rules of one game as constants, and the folder of the game in `turkengine/games` stays the only place where they are
decided. How large the network of the
evaluation is, the game's file of weights says. `TURKENGINE_GAMES="croda turkish"` in the environment builds those
games only, for whoever changes the kernel.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from turkengine.games import VARIANTS, variant_named  # noqa: E402
from turkengine.kernel import module_name  # noqa: E402
from turkengine.kernel.settings import SETTINGS  # noqa: E402
from turkengine.kernel.weights import BUCKETS, ONE, read_weights  # noqa: E402
from turkengine.rules import bounds  # noqa: E402
from turkengine.rules.board import Board, Direction  # noqa: E402
from turkengine.rules.variant import CapturePriority, Landing, Progress, Promotion, Removal, Side, Variant  # noqa: E402

if TYPE_CHECKING:
    from setuptools import Extension

KERNEL = ROOT / "turkengine" / "kernel"
EVERYWHERE = 2**64 - 1
MOST_STEPS = 5  # of a man
PRIORITIES = {
    "KINGS_GO_FIRST": CapturePriority.BY_KING,
    "MOST_KINGS_DECIDE": CapturePriority.MOST_KINGS,
    "EARLIEST_KINGS_DECIDE": CapturePriority.KINGS_EARLIEST,
}


class Layout:
    """Where each square lies in a 64-bit word, such that one step in a direction is one shift.

    A full 8x8 board fills the word, rank by rank. On dark squares two ranks take 11 bits, one of them never occupied,
    so that diagonal steps are shifts by 5 and 6 and a step over the side edge lands on an unused bit; on smaller boards
    they take fewer.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.bits = tuple(self._bit(*place) for place in board.places)
        self.mask = sum(1 << bit for bit in self.bits)

    def _bit(self, file: int, rank: int) -> int:
        if self.board.dark_only:
            pair = self.board.files + 1
            return pair * (rank // 2) + (pair // 2 + self.board.a1_dark if rank % 2 else 0) + file // 2
        return self.board.files * rank + file

    def shift(self, direction: Direction) -> int:
        """By how many bits a step moves a piece."""
        steps = {
            self.bits[target] - self.bits[square]
            for square in range(self.board.size)
            if (target := self.board.step(square, direction)) is not None
        }
        (shift,) = steps
        return shift

    def guard(self, direction: Direction) -> int:
        """The bits from which the shift stays on the board; all bits where no shift can leave it for another square."""
        shift = self.shift(direction)
        staying = 0
        wrong = False
        for square in range(self.board.size):
            bit = self.bits[square]
            if self.board.step(square, direction) is not None:
                staying |= 1 << bit
            elif 0 <= bit + shift < 64 and self.mask >> (bit + shift) & 1:
                wrong = True
        return staying if wrong else EVERYWHERE

    def ray(self, square: int, direction: Direction) -> int:
        """All squares from the one beside `square` to the edge."""
        return sum(1 << self.bits[other] for other in self.board.ray(square, direction))


def header(variant: Variant) -> str:
    """The declaration of `variant` as C constants. Arrays indexed by side hold White's value first."""
    layout = Layout(variant.board)
    sides = (Side.WHITE, Side.BLACK)
    kings = variant.king_jumps
    directions = (*kings, *(way for way in variant.king_directions if way not in kings))
    square_of_bit = {bit: square for square, bit in enumerate(layout.bits)}
    at_bit = [square_of_bit.get(bit) for bit in range(64)]
    mirror = mirrored(variant, layout) or {}

    check(variant)
    for moves in (variant.man_steps, variant.man_captures, kings, variant.king_directions):
        turned = {direction.reversed() for direction in moves}
        assert turned == set(variant.facing(moves, Side.BLACK)), "the kernel's endings turn the board for Black"
    lines = [
        f"/* The rules of {variant.name}, generated from its folder in turkengine/games. */",
        "#include <stdint.h>",
        f'static const char *const GAME = "{variant.name}";',
        define("SQUARES", variant.board.size),
        define("BOARD_MASK", word(layout.mask)),
        define("KING_LANDS_ANYWHERE", variant.king_landing is not Landing.DIRECTLY_BEHIND),
        define("LAST_KING_STOPS", variant.king_landing is Landing.BEHIND_LAST_KING),
        define("KINGS_FLY", variant.kings_fly),
        define("KING_DIRECTIONS", len(directions)),
        define("MAN_STEPS", max(len(variant.man_steps), 3)),
        define("MEN_TAKE_KINGS", variant.men_take_kings),
        define("NUMBER_DECIDES", variant.number_decides),
        *(define(name, priority in variant.capture_priority) for name, priority in PRIORITIES.items()),
        define("CROWNING_ENDS_MOVE", variant.promotion is Promotion.ENDS_MOVE),
        define("CROWNED_IN_PASSING", variant.promotion is Promotion.GOES_ON),
        define("REMOVED_AT_ONCE", variant.removal is Removal.IMMEDIATE),
        define("REVERSAL_BANNED", variant.reversal_banned),
        define("EVERY_MAN_MOVE_IS_PROGRESS", variant.no_progress.progress is Progress.MAN_MOVE),
        define("NO_PROGRESS_PLIES", variant.no_progress.plies),
        define("NO_PROGRESS_OPTIONAL", variant.no_progress.optional),
        define("REPETITIONS", variant.repetitions),
        define("ONE_PIECE_EACH_DRAWS", variant.one_piece_each_draws),
        define("LONE_MAN_LOSES", variant.lone_man_loses),
        define("MATERIAL_LIMITS", len(variant.material_limits)),
        define("PIECES_PER_SIDE", variant.pieces_per_side),
        define("UNITS", read_weights(variant).units),
        define("BUCKETS", BUCKETS),
        define("ONE", ONE),
        *(define(name, getattr(bounds, name)) for name in ("WIN", "LONGEST_WIN", "EVALUATION_LIMIT", "MOST_PIECES")),
        define("HAS_MIRROR", bool(mirror)),
        define("SETTINGS", len(SETTINGS)),
        *(define(setting.name.upper(), index) for index, setting in enumerate(SETTINGS)),
        array("uint8_t", "BIT_OF_SQUARE", layout.bits),
        array("uint8_t", "SQUARE_OF_BIT", [255 if square is None else square for square in at_bit]),
        array("uint8_t", "MIRROR_OF_BIT", [mirror.get(index, index) for index in range(64)]),
        array("int", "SHIFT", [layout.shift(direction) for direction in directions]),
        array("uint64_t", "GUARD", [word(layout.guard(direction)) for direction in directions]),
        array("int", "OPPOSITE", [kings.index(direction.reversed()) for direction in kings]),
        *(
            array("uint64_t", f"RAY_{index}", [0 if s is None else word(layout.ray(s, direction)) for s in at_bit])
            for index, direction in enumerate(directions)
        ),
        f"static const uint64_t *const RAY[{len(directions)}] = "
        f"{{{', '.join(f'RAY_{index}' for index in range(len(directions)))}}};",
        *men(variant, layout, Side.WHITE),
        *men(variant, layout, Side.BLACK),
        array(
            "uint64_t",
            "PROMOTION",
            [word(sum(1 << layout.bits[square] for square in variant.promotion_squares[side])) for side in sides],
        ),
        array(
            "uint64_t",
            "BEFORE_PROMOTION",
            [word(sum(1 << layout.bits[square] for square in before_promotion(variant, side))) for side in sides],
        ),
        array("uint8_t", "RANK_OF_BIT", [0 if square is None else variant.board.rank(square) for square in at_bit]),
        array("int", "MATERIAL_PLIES", [limit.plies for limit in variant.material_limits] or [0]),
        # One word a limit: bit 8 * kings + men is set for each balance on its list.
        array(
            "uint64_t",
            "MATERIAL_BALANCES",
            [word(sum(1 << (8 * kings + men) for kings, men in limit.strong)) for limit in variant.material_limits]
            or [0],
        ),
    ]
    return "\n".join(lines) + "\n"


def check(variant: Variant) -> None:
    """Refuse what the kernel has no code for."""
    kings = variant.king_jumps
    assert len(kings) == 4, "the kernel's kings capture in four directions"
    assert set(kings) <= set(variant.king_directions), "the kernel's kings move where they capture"
    assert set(variant.man_captures) <= set(kings), "the kernel's men capture where its kings do"
    assert len(variant.man_steps) <= MOST_STEPS, f"the kernel's men have at most {MOST_STEPS} steps"
    assert isinstance(variant.capture_priority, tuple), "the kernel takes priorities one after another"
    assert [one for one in CapturePriority if one in variant.capture_priority] == [*variant.capture_priority], (
        "the kernel takes the priorities it knows, in their usual order"
    )
    assert isinstance(variant.promotion, Promotion), "the kernel knows no other way of crowning"
    assert variant.promotion is not Promotion.GOES_ON or all(direction.right for direction in variant.man_captures), (
        "the kernel sees a man crowned on its way by what it has taken on the rank before the last"
    )
    if CapturePriority.KINGS_EARLIEST in variant.capture_priority or variant.king_landing is Landing.BEHIND_LAST_KING:
        assert variant.number_decides, "the kernel compares the last kings of captures of one length"
    assert variant.kings_fly or variant.king_landing is Landing.DIRECTLY_BEHIND, "a king that does not fly lands there"


def before_promotion(variant: Variant, side: Side) -> list[int]:
    """The squares of the rank before the one that crowns."""
    rank = variant.board.ranks - 2
    return [square for square in range(variant.board.size) if variant.own_rank(square, side) == rank]


def mirrored(variant: Variant, layout: Layout) -> dict[int, int] | None:
    """The bit of each square's image with left and right exchanged, None where the game is another one there."""
    board = variant.board
    images = [board.square_at(board.files - 1 - file, rank) for file, rank in board.places]
    same = all(
        {Direction(-direction.right, direction.forward) for direction in moves} == set(moves)
        for moves in (variant.man_steps, variant.man_captures, variant.king_directions, variant.king_jumps)
    )
    if None in images or not same:
        return None
    return {layout.bits[square]: layout.bits[image] for square, image in enumerate(images) if image is not None}


def men(variant: Variant, layout: Layout, side: Side) -> list[str]:
    """How the men of one side step and capture, as arrays with the side's name in front."""
    steps = variant.facing(variant.man_steps, side)
    missing = [0] * max(3 - len(steps), 0)
    captures = variant.facing(variant.man_captures, side)
    return [
        array("int", f"{side.name}_STEP_SHIFT", [*map(layout.shift, steps), *missing]),
        array("uint64_t", f"{side.name}_STEP_GUARD", [*(word(layout.guard(step)) for step in steps), *missing]),
        array("int", f"{side.name}_MAN_CAPTURES", [int(king in captures) for king in variant.king_jumps]),
    ]


def define(name: str, value: object) -> str:
    """One constant."""
    return f"#define {name} {int(value) if isinstance(value, bool) else value}"


def array(kind: str, name: str, values: Iterable[object]) -> str:
    """One constant array."""
    listed = [str(value) for value in values]
    return f"static const {kind} {name}[{len(listed)}] = {{{', '.join(listed)}}};"


def word(bits: int) -> str:
    """A 64-bit literal."""
    return f"0x{bits:016x}ULL"


def write(path: Path, text: str) -> None:
    """Write a generated file only where it changes, so that an unchanged variant is not compiled again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def chosen() -> list[Variant]:
    """The games that are built: all, or those that TURKENGINE_GAMES names."""
    names = os.environ.get("TURKENGINE_GAMES", "").split()
    return [variant_named(name) for name in names] or list(VARIANTS)


def generate() -> list[str]:
    """Write the two files of each variant, and what is translated for all; returns the modules' names."""
    variants = chosen()
    for variant in variants:
        name = module_name(variant)
        write(KERNEL / f"{name}.h", header(variant))
        write(
            KERNEL / f"{name}.c",
            f"/* The kernel for {variant.name}. */\n"
            f'#define RULES "{name}.h"\n#define PyInit__kernel PyInit_{name}\n#include "_kernel.c"\n',
        )
    write(KERNEL / "_kernel.pyx", '# What is translated, once for all games.\ninclude "kernel.pxi"\n')
    return [module_name(variant) for variant in variants]


def extensions() -> list[Extension]:
    """Generate, translate to C and describe how to compile: one extension module a variant."""
    from setuptools import Extension  # only here: to generate takes nothing but Python

    windows = sys.platform == "win32"
    native = ["-march=native"] if os.environ.get("TURKENGINE_NATIVE") == "1" else []
    names = generate()
    parts = [f"turkengine/kernel/{part.name}" for part in sources()]
    translate(Extension("turkengine.kernel._kernel", ["turkengine/kernel/_kernel.pyx"], depends=parts))
    return [
        Extension(
            f"turkengine.kernel.{name}",
            [f"turkengine/kernel/{name}.c"],
            include_dirs=["turkengine/kernel"],
            extra_compile_args=["/O2"] if windows else ["-O3", "-g0", *native],
            extra_link_args=[] if windows else ["-s"],
            depends=[f"turkengine/kernel/{name}.h", "turkengine/kernel/_kernel.c", *parts],
        )
        for name in names
    ]


def translate(module: Extension) -> None:
    """Write the module in C.

    Cython only prints a "performance hint" where a call would have to ask for the interpreter's lock and look for an
    exception, which makes it several times slower; here that is an error.
    """
    from Cython.Build import cythonize

    directives = {"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True}
    with tempfile.TemporaryFile("w+") as printed:
        sys.stderr.flush()
        errors = os.dup(2)
        os.dup2(printed.fileno(), 2)
        try:
            untyped: Any = cythonize
            untyped([module], compiler_directives=directives)
        finally:
            os.dup2(errors, 2)
            os.close(errors)
            printed.seek(0)
            messages = printed.read()
            sys.stderr.write(messages)
    if "performance hint" in messages.lower():
        raise SystemExit("generate: mend what Cython calls a performance hint above: it costs speed in the hot path")


def sources() -> list[Path]:
    """The parts that every variant's module includes."""
    return [*sorted(KERNEL.glob("*.pxi")), KERNEL / "portable.h", KERNEL / "vectors.h"]


if __name__ == "__main__":
    generate()
