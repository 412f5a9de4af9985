"""Games of the engine against itself, to learn from.

A game begins with a few random moves, so that no two are alike, and goes on with short searches of a fixed number of
nodes. Every quiet position is kept with the score of its search; the result is known at the end. Game number n of a
seed is the same on every machine and however many processes play.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from turkengine.engine.kernel_types import Kernel, KernelPosition, RawReport, load_kernel
from turkengine.engine.score import LONGEST_WIN, WIN
from turkengine.rules.move import Move
from turkengine.rules.outcome import Outcome
from turkengine.rules.variant import Side, Variant

FEWEST_RANDOM, MOST_RANDOM = 4, 12  # plies at the start of a game
UNBALANCED = 150  # hundredths of a man: an opening that is worth more to one side is not played
DECIDED = 1000  # hundredths of a man that a side is ahead, in `DECIDED_FOR` searches on end, where a game is cut short
DECIDED_FOR = 6  # plies
LONGEST_GAME = 300  # plies; then it counts as a draw
KEPT = 2000  # hundredths of a man; positions with larger scores teach nothing about playing on
TABLE = 4  # MiB
EXACT = 0  # the bound in a report

# A position as `dataset.RECORD` has it: white, black and kings, score, result, side, game.
Record = tuple[int, int, int, int, int, int, int]


class SelfPlayer:
    """Plays games of one variant, one after another."""

    def __init__(self, variant: Variant, nodes: int) -> None:
        """Searches of so many nodes each."""
        self.kernel: Kernel = load_kernel(variant)
        self._table = self.kernel.Table(TABLE)
        self._searcher = self.kernel.Searcher(self._table)
        self._nodes = nodes

    def game(self, seed: int, number: int) -> list[Record]:
        """The quiet positions of a game, and its result in each."""
        dice = random.Random(f"{seed} {number}")
        self.new_game()
        position = self.opening(dice)
        kept: list[tuple[int, int, int, int, int]] = []
        result = decided = 0
        for _ in range(LONGEST_GAME):
            outcome = position.outcome()
            if outcome is not None:
                result = result_of(outcome)
                break
            score, move = self.think(position)
            sign = 1 if position.side is Side.WHITE else -1
            if abs(score) >= WIN - LONGEST_WIN:
                result = sign if score > 0 else -sign
                break
            decided = 0 if abs(score) < DECIDED else decided + 1
            if decided == DECIDED_FOR:
                result = sign if score > 0 else -sign
                break
            if abs(score) <= KEPT and not move.is_capture:
                kept.append((*bitboards(position.cells), sign * score, 0 if sign == 1 else 1))
            position = position.play(move)
        return [(white, black, kings, score, result, side, number) for white, black, kings, score, side in kept]

    def new_game(self) -> None:
        """Forget everything that was learnt in games before."""
        self._table.clear()
        self._searcher.new_game()

    def opening(self, dice: random.Random) -> KernelPosition:
        """A position after a few random moves that is about equal."""
        while True:
            position = self.kernel.Position.start()
            for _ in range(dice.randint(FEWEST_RANDOM, MOST_RANDOM)):
                position = position.play(dice.choice(position.legal_moves()))
                if position.outcome() is not None:
                    break
            else:
                if abs(self.think(position)[0]) <= UNBALANCED:
                    return position

    def think(self, position: KernelPosition) -> tuple[int, Move]:
        """Score and best move of the last iteration, which fits into the nodes if it is the first."""
        reports: list[RawReport] = []
        self._searcher.prepare()
        self._searcher.run(position, nodes=self._nodes, on_report=lambda told: reports.append(RawReport(*told)))
        last = [report for report in reports if report.bound == EXACT][-1]
        return last.score, last.line[0]


def result_of(outcome: Outcome) -> int:
    """1 where White has won, 0 for a draw, -1 where Black has."""
    return 0 if outcome.winner is None else 1 if outcome.winner is Side.WHITE else -1


def bitboards(cells: str) -> tuple[int, int, int]:
    """White pieces, black pieces and kings of either side, bit i for the square of index i."""
    white = black = kings = 0
    for square, letter in enumerate(cells):
        if letter != "e":
            here = 1 << square
            if letter in "wW":
                white |= here
            else:
                black |= here
            if letter in "WB":
                kings |= here
    return white, black, kings


def games(variant: Variant, seed: int, numbers: range, nodes: int, jobs: int) -> Iterator[list[Record]]:
    """The games of these numbers in their order, played in so many processes.

    Raises:
        BrokenProcessPool: one of them has died.
    """
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (variant, nodes, seed)) as pool:
        yield from pool.map(_play, numbers, chunksize=4)


_player: SelfPlayer
_seed: int


def _begin(variant: Variant, nodes: int, seed: int) -> None:
    global _player, _seed
    _player, _seed = SelfPlayer(variant, nodes), seed


def _play(number: int) -> list[Record]:
    return _player.game(_seed, number)
