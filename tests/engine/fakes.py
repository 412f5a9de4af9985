"""A kernel made of the readable rules and a clock instead of a search: iterations take as long as the test wants."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from turkengine.engine.kernel_types import RawReport
from turkengine.rules import position as rules
from turkengine.rules.move import Move
from turkengine.rules.outcome import Outcome, outcome
from turkengine.rules.variant import Side, Variant

TICK = 0.0003  # s between looks at the stop flag and the clock
DEEPEST = 60


class Position:
    """What the rules say, with the kernel's methods."""

    def __init__(self, law: rules.Position) -> None:
        self.law = law
        self.variant, self.cells, self.side = law.variant, law.cells, law.side
        self.no_progress, self.material_plies = law.no_progress, law.material_plies
        self.follows_a_move = law.follows_a_move
        self.occurrences, self.key = law.occurrences, hash((law.cells, law.side))

    def legal_moves(self) -> list[Move]:
        return self.law.legal_moves()

    def play(self, move: Move) -> Position:
        return Position(self.law.play(move))

    def outcome(self, no_progress: int | None = None) -> Outcome | None:
        return outcome(self.law, no_progress)

    def evaluate(self) -> int:
        [(_, white, black)] = self.evaluation_terms()
        return white - black if self.side is Side.WHITE else black - white

    def evaluation_terms(self) -> list[tuple[str, int, int]]:
        return [("men", 100 * self.cells.count("w"), 100 * self.cells.count("b"))]

    def perft(self, depth: int, every_leaf: bool = False) -> int:
        if depth == 0:
            return 1
        moves = self.legal_moves()
        return len(moves) if depth == 1 else sum(self.play(move).perft(depth - 1) for move in moves)


class PositionMaker:
    """The class of positions of one variant."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant

    def start(self) -> Position:
        return Position(rules.Position.start(self.variant))

    def from_cells(self, cells: str, side: Side, no_progress: int = 0, material_plies: int = 0) -> Position:
        return Position(rules.Position(self.variant, cells, side, no_progress, material_plies))


class Table:
    """Remembers its size, and how often it was cleared."""

    largest = 1 << 30  # MiB; tests make it smaller
    chunks = threading.Semaphore(1 << 30)  # that are cleared before it takes longer; tests make them fewer

    def __init__(self, mebibytes: int, touch: bool = True) -> None:
        if mebibytes > self.largest:
            raise MemoryError
        self.mebibytes = mebibytes
        self.cleared = 0

    def clear(self, start: int = 0, count: int = 1 << 30) -> None:
        self.chunks.acquire()
        self.cleared += start == 0


@dataclass
class Searcher:
    """Finishes iteration d after `pace * growth ** d` seconds and reports random but legal lines."""

    table: Table
    pace: float = 0.0005
    growth: float = 1.5
    deadline: float = float("inf")
    stopped: bool = False
    games: int = 0
    runs: int = 0
    on_run: Callable[[], None] = lambda: None

    def prepare(self) -> None:
        self.stopped, self.deadline = False, float("inf")

    def run(
        self,
        position: Position,
        *,
        depth: int = 0,
        nodes: int = 0,
        mate: int = 0,
        multi_pv: int = 1,
        root_moves: tuple[Move, ...] = (),
        threads: int = 1,
        no_progress: int | None = None,
        contempt: int = 0,
        endings: object = None,
        on_report: Callable[[RawReport], None],
    ) -> None:
        self.runs += 1
        self.on_run()
        began = time.perf_counter()
        moves = list(root_moves or position.legal_moves())
        chosen = random.Random(1)
        for iteration in range(1, min(depth or DEEPEST, DEEPEST) + 1):
            if not self._think(began + self.pace * self.growth**iteration) or (nodes and 100 * iteration > nodes):
                return
            for rank, move in enumerate(chosen.sample(moves, min(multi_pv, len(moves))), start=1):
                line = self._line(position, move, iteration, chosen)
                seconds = time.perf_counter() - began
                on_report((iteration, iteration, float(iteration), rank, 0, 0, 100 * iteration, seconds, 0, 0, line))

    def _think(self, until: float) -> bool:
        while not self.stopped and time.perf_counter() < self.deadline:
            if time.perf_counter() >= until:
                return True
            time.sleep(TICK)
        return False

    def _line(self, position: Position, move: Move, plies: int, chosen: random.Random) -> tuple[Move, ...]:
        line = [move]
        position = position.play(move)
        while len(line) < min(plies, 4) and position.outcome() is None:
            line.append(chosen.choice(position.legal_moves()))
            position = position.play(line[-1])
        return tuple(line)

    def stop(self) -> None:
        self.stopped = True

    def current_move(self) -> tuple[Move, int] | None:
        return None

    def new_game(self) -> None:
        self.games += 1


class Endings:
    """Endgame tables that know nothing."""

    most_pieces = 0
    lost = False

    def mount(self, counts: tuple[int, ...], lengths: bytes, starts: memoryview, blocks: memoryview) -> None:
        assert counts


class Kernel:
    """The kernel of one variant; `searchers` holds those made, the last one last."""

    Endings = Endings

    def __init__(self, variant: Variant, **settings: object) -> None:
        self.Position = PositionMaker(variant)
        self.Table = Table
        self.settings = settings
        self.searchers: list[Searcher] = []

    def Searcher(self, table: Table) -> Searcher:
        self.searchers.append(Searcher(table, **self.settings))  # type: ignore[arg-type]
        return self.searchers[-1]


class Kernels:
    """A loader for `Engine(load=...)` that keeps what it has loaded."""

    def __init__(self, **settings: object) -> None:
        self.settings = settings
        self.loaded: dict[str, Kernel] = {}

    def __call__(self, variant: Variant) -> Kernel:
        if variant.name not in self.loaded:
            self.loaded[variant.name] = Kernel(variant, **self.settings)
        return self.loaded[variant.name]

    @property
    def searcher(self) -> Searcher:
        """The searcher made last, of the variant loaded last."""
        return list(self.loaded.values())[-1].searchers[-1]
