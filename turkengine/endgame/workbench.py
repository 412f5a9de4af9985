"""A kernel's workshop with all processors at work on it: endings are laid out, filled from files, and written to files.

Every long step goes through the numbers of an ending in parts, each of which lets the interpreter go; so an
interruption is never more than a part away.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import TracebackType
from typing import Any, TypeVar

from turkengine.endgame.coding import code_lengths
from turkengine.endgame.material import Material
from turkengine.errors import EndgameError
from turkengine.kernel import endgames
from turkengine.rules.variant import Variant

T = TypeVar("T")

PART = 1 << 16  # numbers; a multiple of a block

VALUES = 255  # of a placement; 255 itself stands for none


class Workbench:
    """Endings of one variant in memory. Use it in a `with` block.

    Args:
        kernel: the compiled module of the variant.
        jobs: how many processors work.
    """

    def __init__(self, kernel: Any, variant: Variant, jobs: int) -> None:
        self.kernel, self.variant = kernel, variant
        self.workshop = kernel.Workshop()
        self.loaded: set[Material] = set()  # balances
        self._pool = ThreadPoolExecutor(jobs)

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def parts(self, ending: Material, work: Callable[[int, int], T]) -> Iterable[T]:
        """What `work` makes of each part of an ending's numbers, in order."""
        size = self.kernel.ending_size(ending)
        begins = range(0, size, PART)
        return self._pool.map(work, begins, [min(begin + PART, size) for begin in begins])

    def load(self, balance: Material, file: endgames.File) -> None:
        """Unpack a file into memory."""
        endings = self.kernel.Endings()
        for table in file.tables:
            try:
                endings.mount(table.counts, table.lengths, table.starts, table.blocks)
            except ValueError as error:
                raise EndgameError(f"{file.path}: {error}") from None
        for ending in balance.endings:
            self.workshop.lay_out(ending)
            try:
                unpacking = self.kernel.Unpacking(endings, self.workshop, ending)
                list(self.parts(ending, unpacking.fill))
            except ValueError as error:
                raise EndgameError(f"{file.path}: {error}") from None
            list(self.parts(ending, unpacking.restore))
        self.loaded.add(balance)

    def keep_only(self, balances: set[Material]) -> None:
        """Give the memory of all other balances back."""
        for balance in self.loaded - balances:
            for ending in balance.endings:
                self.workshop.drop(ending)
        self.loaded &= balances

    def tally(self, ending: Material) -> tuple[int, int, int, int | None]:
        """How many positions are won, drawn and lost, and the plies of the longest win or loss."""
        counts = [0] * (VALUES + 1)
        for part in self.parts(ending, partial(self.workshop.tally, ending)):
            counts = [one + more for one, more in zip(counts, part, strict=True)]
        won, lost, longest = 0, 0, -1
        for value in range(1, VALUES):
            if counts[value]:
                wins, plies = self.kernel.meaning_of(value)
                won += counts[value] if wins else 0
                lost += 0 if wins else counts[value]
                longest = max(longest, plies)
        return won, counts[0], lost, None if longest < 0 else longest

    def write(self, balance: Material, path: Path) -> int:
        """Write the file of a balance in memory; its bytes. It comes into being as a whole, when all is written.

        Raises:
            EndgameError: there is no writing to it.
        """
        described, parts = [], []
        for ending in balance.endings:
            packing = self.kernel.Packing(self.workshop, ending)
            list(self.parts(ending, packing.take))
            lengths = code_lengths(packing.token_counts())
            starts, blocks = packing.write(lengths)
            won, drawn, lost, longest = self.tally(ending)
            described.append(
                {
                    "counts": ending,
                    "won": won,
                    "drawn": drawn,
                    "lost": lost,
                    "longest": longest,
                    "starts": len(starts),
                    "blocks": len(blocks),
                }
            )
            parts += [lengths, starts, blocks]
        return write_file(path, self.variant, described, parts)


def write_file(path: Path, variant: Variant, described: list[dict[str, Any]], parts: list[bytes]) -> int:
    """Write what `endgames.read` reads; the bytes written."""
    header: dict[str, Any] = {
        "format": endgames.FORMAT,
        "variant": variant.name,
        "rules": endgames.rules_of(variant),
        "tables": described,
    }
    header["checksum"] = endgames.checksum(header, parts)
    content = [json.dumps(header).encode() + b"\n", *parts]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as stream:
            try:
                stream.writelines(content)
                stream.close()
                os.chmod(stream.name, 0o644)
                os.replace(stream.name, path)
            except BaseException:
                os.unlink(stream.name)
                raise
    except OSError as error:
        raise EndgameError(f"{path}: cannot be written: {error.strerror or error}") from None
    return sum(map(len, content))
