"""Tables built balance by balance, each with the help of those it leads to.

A file that is there and sound is not built again, so a build that was interrupted goes on where it was; what is lost is
the balance it was at.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from turkengine.endgame.material import Material, balances
from turkengine.endgame.workbench import Workbench
from turkengine.errors import EndgameError
from turkengine.kernel import endgames
from turkengine.rules.variant import Variant

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Built:
    """One balance, done.

    Attributes:
        seconds: that it took, None where the file was there.
    """

    balance: Material
    file: endgames.File
    seconds: float | None


def memory_needed(kernel: Any, balance: Material) -> int:
    """Bytes that it takes to build a balance: a value and a count of moves for each placement, and what it leads to."""
    own = 2 * _size(kernel, balance)
    sets = 11 * MEBIBYTE  # of squares, at most
    return own + sets + sum(_size(kernel, other) for other in balance.led_to())


def _size(kernel: Any, balance: Material) -> int:
    """Bytes of a balance in memory."""
    return sum(int(kernel.ending_size(ending)) for ending in balance.endings)


def build(
    kernel: Any,
    variant: Variant,
    pieces: int,
    folder: Path,
    *,
    jobs: int,
    memory: int,
    on_built: Callable[[Built], None],
    on_step: Callable[[Material, str], None] = lambda balance, step: None,
) -> None:
    """Make the files of every balance of 2 to `pieces` pieces that are not there yet.

    Args:
        kernel: the compiled module of the variant.
        folder: where they belong; those that come with the program are not made again.
        jobs: processors to be used.
        memory: bytes that may be used.
        on_built: called with each balance, in order.
        on_step: called with what is done at the moment.

    Raises:
        EndgameError: a balance needs more memory than there is, a win is too long for a table, or there is no writing.
    """
    order = [balance for number in range(2, pieces + 1) for balance in balances(number)]
    with Workbench(kernel, variant, jobs) as bench:
        for place, balance in enumerate(order, start=1):
            file = sound(variant, balance, folder)
            seconds = None
            if file is None:
                began = time.monotonic()
                step = partial(_numbered, on_step, balance, f"{place} of {len(order)}")
                _check_memory(kernel, balance, memory)
                _load_needed(bench, balance, folder, step)
                _solve(bench, balance, step)
                step("is written")
                path = path_of(folder, variant, balance)
                bench.write(balance, path)
                file = endgames.read(path, variant)
                seconds = time.monotonic() - began
            on_built(Built(balance, file, seconds))


def _numbered(on_step: Callable[[Material, str], None], balance: Material, place: str, step: str) -> None:
    on_step(balance, f"{place}, {step}")


def path_of(folder: Path, variant: Variant, balance: Material) -> Path:
    """The file of a balance."""
    return endgames.folder_in(folder, variant) / f"{balance.name}{endgames.SUFFIX}"


def sound(variant: Variant, balance: Material, folder: Path) -> endgames.File | None:
    """The file of a balance, from those shipped or from `folder`; None where there is none that can be used."""
    for place in (endgames.SHIPPED, folder):
        path = path_of(place, variant, balance)
        if path.is_file():
            try:
                file = endgames.read(path, variant)
            except EndgameError:
                continue  # built again, in its place
            if {table.counts for table in file.tables} == set(balance.endings):
                return file
    return None


def _check_memory(kernel: Any, balance: Material, memory: int) -> None:
    needed = memory_needed(kernel, balance)
    if needed > memory:
        raise EndgameError(
            f"{balance.name} takes {needed // MEBIBYTE} MiB of memory, and {memory // MEBIBYTE} MiB are free"
        )


def _load_needed(bench: Workbench, balance: Material, folder: Path, step: Callable[[str], None]) -> None:
    needed = balance.led_to()
    bench.keep_only(needed)
    for other in sorted(needed - bench.loaded):
        step(f"reads {other.name}")
        file = sound(bench.variant, other, folder)
        if file is None:
            raise EndgameError(f"{path_of(folder, bench.variant, other)}: the file has gone; build again")
        bench.load(other, file)


def _solve(bench: Workbench, balance: Material, step: Callable[[str], None]) -> None:
    """Solve a balance with both sides to move; what it leads to is in memory."""
    workshop = bench.workshop
    try:
        for ending in balance.endings:
            workshop.lay_out(ending, True)
        bench.loaded.add(balance)
        farthest = -1
        for ending in balance.endings:
            step(f"first look at {ending.name}")
            farthest = max(farthest, *bench.parts(ending, partial(workshop.prepare, ending)))
        plies = 0
        while plies <= farthest:
            step(f"wins and losses in {plies} plies")
            for ending in balance.endings:
                farthest = max(farthest, *bench.parts(ending, partial(workshop.spread, ending, plies)))
            plies += 1
        for ending in balance.endings:
            workshop.solved(ending)
    except (OverflowError, MemoryError) as error:
        raise EndgameError(f"{bench.variant.name} {balance.name}: {error}") from None
