"""What the engine asks of a kernel, as types.

The compiled kernel of each variant offers these classes; so does the little one that the tests bring along. Nothing
above the engine makes a `Searcher` or a `KernelTable`: positions are the only kernel objects that travel upwards.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from turkengine.rules.move import Move
from turkengine.rules.outcome import Outcome
from turkengine.rules.variant import Side, Variant


class RawReport(NamedTuple):
    """What a search reports, by the names that `report.Report` explains; a kernel hands it over as a plain tuple."""

    depth: int
    selective_depth: int
    mean_depth: float
    rank: int
    score: int  # hundredths of a man
    bound: int  # 0 exact, 1 lower, 2 upper
    nodes: int
    seconds: float
    table_filled: int
    table_hits: int
    line: tuple[Move, ...]


class KernelPosition(Protocol):
    """A position of a game, with the history that the repetition rule needs."""

    @property
    def variant(self) -> Variant:
        """The rules it is played by."""

    @property
    def cells(self) -> str:
        """One letter a square in index order: w b (men), W B (kings), e (empty)."""

    @property
    def side(self) -> Side:
        """The side to move."""

    @property
    def no_progress(self) -> int:
        """Plies since the last capture or other move that makes progress."""

    @property
    def material_plies(self) -> int:
        """Plies since a lone king's balance of material arose."""

    @property
    def follows_a_move(self) -> bool:
        """Whether a move has led here; not so where the position was set up."""

    @property
    def occurrences(self) -> int:
        """How often the position has been on the board, this time included."""

    @property
    def key(self) -> int:
        """The Zobrist key."""

    def legal_moves(self) -> list[Move]:
        """Every legal move once."""

    def play(self, move: Move) -> KernelPosition:
        """The position after a legal move."""

    def outcome(self, no_progress: int | None = None) -> Outcome | None:
        """The result if the game is over; `no_progress` replaces the number of plies of an optional rule."""

    def evaluate(self) -> int:
        """The static evaluation in hundredths of a man from the side to move."""

    def evaluation_terms(self) -> list[tuple[str, int, int]]:
        """What it is made of: each term's name, White's part and Black's part in hundredths of a man."""

    def perft(self, depth: int, every_leaf: bool = False) -> int:
        """The number of move sequences of `depth` plies."""


class PositionMaker(Protocol):
    """The class of a kernel's positions, seen as what makes them."""

    def start(self) -> KernelPosition:
        """The position in which a game begins."""

    def from_cells(self, cells: str, side: Side, no_progress: int = 0, material_plies: int = 0) -> KernelPosition:
        """A position set up; raises PositionError where the rules do not accept it."""


class KernelTable(Protocol):
    """A transposition table."""

    @property
    def mebibytes(self) -> int:
        """Its size."""

    def clear(self, start: int = 0, count: int = ..., /) -> None:
        """Forget every position, or those in `count` MiB from the MiB `start` on."""


class Searcher(Protocol):
    """The search: one at a time, and what it has learnt for the next.

    `prepare` comes before each `run`, in the thread that asks for the search; from then on `stop` and `deadline` belong
    to the coming run, also when they are set before it has begun. `run` neither clears the one nor sets the other.
    """

    deadline: float  # time.perf_counter() at which the search ends by itself; infinity from `prepare` on

    def prepare(self) -> None:
        """Take back `stop` and set `deadline` to infinity."""

    def run(
        self,
        position: KernelPosition,
        *,
        depth: int = 0,
        nodes: int = 0,
        mate: int = 0,
        multi_pv: int = 1,
        root_moves: tuple[Move, ...] = (),
        threads: int = 1,
        no_progress: int | None = None,
        contempt: int = 0,
        endings: Any = None,
        on_report: Callable[[tuple[Any, ...]], None],
    ) -> None:
        """Search until a limit is reached, `stop` is called or the end is found; 0 stands for no limit.

        `endings` are endgame tables, as `load_endings` gives them. What is handed to `on_report` are the fields of a
        `RawReport`, in its order.
        """

    def stop(self) -> None:
        """End the run prepared or under way, from any thread."""

    def current_move(self) -> tuple[Move, int] | None:
        """The move that is searched at the root and its number from 1."""

    def new_game(self) -> None:
        """Forget what was learnt from earlier positions."""


class TableMaker(Protocol):
    """The class of a kernel's tables; MemoryError where the size cannot be had.

    Without `touch` a table has to be cleared before it is used, but is there at once.
    """

    def __call__(self, mebibytes: int, /, touch: bool = True) -> KernelTable: ...


class SearcherMaker(Protocol):
    """The class of a kernel's searchers, which remember in a table."""

    def __call__(self, table: Any, /) -> Searcher: ...


class Endings(Protocol):
    """Endgame tables; the kernel's searchers read them."""

    @property
    def most_pieces(self) -> int:
        """Of the largest ending there, 0 where there is none."""

    @property
    def lost(self) -> bool:
        """Whether a file could no longer be read when it was asked."""


class EndingsMaker(Protocol):
    """The class of a kernel's endgame tables, none of them mounted at first."""

    def __call__(self) -> Endings: ...


class Kernel(Protocol):
    """The compiled module of one variant."""

    @property
    def Position(self) -> PositionMaker:
        """Makes positions."""

    @property
    def Table(self) -> TableMaker:
        """Makes tables."""

    @property
    def Searcher(self) -> SearcherMaker:
        """Makes searchers."""

    @property
    def Endings(self) -> EndingsMaker:
        """Makes endgame tables."""

    def set_settings(self, values: list[int], /) -> None:
        """Search by these from now on, in the order of `kernel/settings.py`; for those who look for better ones."""


def load_kernel(variant: Variant) -> Kernel:
    """The compiled kernel of `variant`.

    Raises:
        ImportError: it has not been built.
    """
    from turkengine import kernel  # late: options and protocols work where nothing has been compiled

    loaded: Kernel = kernel.load(variant)  # type: ignore[attr-defined, unused-ignore]
    return loaded


def tables_folder(path: str) -> Path:
    """The folder that the option endgame-path names; `~` is the home folder."""
    from turkengine.kernel import endgames

    return endgames.folders(path)[-1]


def _wrong_folder(folder: Path, variant: Variant) -> list[str]:
    """What is wrong with a folder in which no tables of a variant are found."""
    if not folder.is_dir():
        return [f"option endgame-path: {folder} is not a folder"]
    inside = folder / variant.name
    if not inside.is_dir() and any(folder.glob("*.endgame")):
        told = f"{folder} has tables but no folder {variant.name}; name the one that {variant.name} lies in"
        return [f"option endgame-path: {told}"]
    return []


def load_endings(kernel: Kernel, variant: Variant, path: str, most_pieces: int) -> tuple[Endings, list[str]]:
    """The endgame tables of `variant` that come with the program or lie in a folder, and what is wrong with any.

    Args:
        kernel: of the variant.
        path: the folder; the user's own if empty.
        most_pieces: larger endings are left alone.
    """
    from turkengine.kernel import endgames  # late, as the kernel

    endings: Endings
    endings, complaints = endgames.mount(kernel, variant, endgames.folders(path), most_pieces)
    if path:
        complaints += _wrong_folder(tables_folder(path), variant)
    return endings, complaints
