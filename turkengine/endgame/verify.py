"""Tables verified: what a file says follows from the moves, and agrees with a search that knows no tables.

A value follows from those that the moves lead to: a win in n plies is one move from a loss in n - 1 and from no faster
one, a loss in n plies has only moves to wins, the slowest in n - 1, and a draw has a move to a draw and none to a loss.
If every position of an ending and of all that it leads to passes, the tables are right: distances cannot hold each
other up in a circle.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from turkengine.endgame.build import sound
from turkengine.endgame.material import Material
from turkengine.endgame.workbench import Workbench
from turkengine.errors import EndgameError
from turkengine.kernel import endgames
from turkengine.notation import fen
from turkengine.rules.bounds import LONGEST_WIN, WIN
from turkengine.rules.variant import Variant

DEPTH = 18  # plies that a sample is searched, if NODES are enough for it
NODES = 100_000
NEAR = 6  # plies; so near wins and losses must be found: the search looks at some moves less deep than DEPTH
TABLE_SIZE = 4  # MiB


@dataclass(frozen=True)
class Verified:
    """One balance.

    Attributes:
        faults: one line for each fault found, at most one for each side to move and kind.
        positions: how many were looked at.
        searched: how many of them were searched too.
    """

    balance: Material
    faults: tuple[str, ...]
    positions: int
    searched: int


def verify(
    kernel: Any,
    variant: Variant,
    wanted: list[Material],
    folder: Path,
    *,
    jobs: int,
    sample: int,
    seed: int = 1,
    on_step: Callable[[Material, str], None] = lambda balance, step: None,
) -> Iterator[Verified]:
    """Verify balances whose files are there.

    Args:
        kernel: the compiled module of the variant.
        wanted: the balances, those of fewer pieces and men first.
        folder: where their files are, and those of what they lead to, beside the ones that come with the program.
        jobs: processors to be used.
        sample: positions of each ending to be searched.

    Raises:
        EndgameError: the file of a balance that one leads to is missing or damaged.
    """
    dice = random.Random(seed)
    with Workbench(kernel, variant, jobs) as bench:
        for balance in wanted:
            bench.keep_only(balance.led_to() | {balance})
            files = {}
            for other in sorted((balance.led_to() | {balance}) - bench.loaded):
                on_step(balance, f"reads {other.name}")
                file = sound(variant, other, folder)
                if file is None:
                    raise EndgameError(f"{other.name} is not there, or its file is damaged; {balance.name} leads to it")
                bench.load(other, file)
                files[other] = file
            faults: list[str] = []
            own = files.get(balance) or sound(variant, balance, folder)
            assert own is not None  # it has been loaded
            for table in own.tables:
                ending = Material(*table.counts)
                on_step(balance, f"{ending.name} is checked")
                faults += _moves_fault(bench, ending) + _tally_fault(bench, ending, table)
                faults += _search_faults(bench, ending, table, sample, dice)
            positions = sum(table.won + table.drawn + table.lost for table in own.tables)
            yield Verified(balance, tuple(faults), positions, sample * len(own.tables))


def _moves_fault(bench: Workbench, ending: Material) -> list[str]:
    """The first position whose value does not follow from its moves."""
    found = bench.parts(ending, partial(bench.workshop.wrong, ending))
    number = next((number for number in found if number >= 0), None)
    if number is None:
        return []
    position = bench.kernel.position_at(ending, number)
    return [f"{ending.name}: the value of {fen.write(position)} does not follow from its moves"]


def _tally_fault(bench: Workbench, ending: Material, table: endgames.EndgameTable) -> list[str]:
    told = (table.won, table.drawn, table.lost, table.longest)
    if bench.tally(ending) == told:
        return []
    return [f"{ending.name}: the first line of the file gives other numbers of wins, draws and losses"]


def _search_faults(
    bench: Workbench, ending: Material, table: endgames.EndgameTable, sample: int, dice: random.Random
) -> list[str]:
    """Of a sample, the first position that a search without tables values otherwise."""
    kernel = bench.kernel
    endings = kernel.Endings()
    endings.mount(table.counts, table.lengths, table.starts, table.blocks)
    searcher = kernel.Searcher(kernel.Table(TABLE_SIZE))
    size = kernel.ending_size(ending)
    left = sample
    while left:
        position = kernel.position_at(ending, dice.randrange(size))
        if position is None:
            continue
        left -= 1
        won, plies, _ = endings.look_up(position)
        told = won * (WIN - plies)
        searched, through = _searched(searcher, position)
        near = won != 0 and plies <= NEAR and (through or abs(searched) >= WIN - NEAR)
        claimed = abs(searched) >= WIN - LONGEST_WIN  # then the same side wins, whether or not as fast
        if (near and searched != told) or (claimed and won * searched <= 0):
            return [f"{ending.name}: {fen.write(position)} is worth {told}, and {searched} by search"]
    return []


def _searched(searcher: Any, position: Any) -> tuple[int, bool]:
    """The score of a search without tables, and whether it came to its full depth."""
    outcome = position.outcome()
    if outcome is not None:
        return (0 if outcome.winner is None else WIN if outcome.winner is position.side else -WIN), True
    reports: list[tuple[Any, ...]] = []
    searcher.prepare()
    searcher.run(position, depth=DEPTH, nodes=NODES, on_report=reports.append)
    depth, score = reports[-1][0], reports[-1][4]  # where the kernel's searcher puts them
    return score, depth == DEPTH
