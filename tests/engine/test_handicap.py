"""Playing below full strength: the levels, what they play, and that they cost nothing where they are not wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from engine.fakes import Kernels
from engine.listening import Listener, board, search

from turkengine.engine.core import EngineCore
from turkengine.engine.dice import Dice
from turkengine.engine.handicap import ANCHOR, HIGHEST, Candidates, Handicap, handicap_of, level_of, unmeasured
from turkengine.engine.kernel_types import KernelPosition
from turkengine.engine.limits import GameClock, Limits
from turkengine.engine.options import FULL_STRENGTH, STRONGEST_ELO, WEAKEST_ELO, Options
from turkengine.engine.ratings import ratings
from turkengine.engine.report import Bound, Report
from turkengine.engine.score import Score
from turkengine.games import INTERNATIONAL, TURKISH, VARIANTS, Variant
from turkengine.rules.move import Move
from turkengine.rules.variant import Side

MEASURED = [variant for variant in VARIANTS if ratings(variant) is not None]
every_measured_game = pytest.mark.parametrize("variant", MEASURED, ids=lambda variant: variant.name)


def told(rank: int, score: int, depth: int = 1, nodes: int = 10) -> Report:
    line = (Move(rank, rank + 1, frozenset(), (rank, rank + 1)),)
    return Report(depth, depth, 1.0, rank, Score(score), Bound.EXACT, nodes, 0.1, 0, 0, line)


def answers(options: Options, limits: Limits, position: KernelPosition | None = None, games: int = 1) -> list[Move]:
    """What an engine with these options plays, a new game each time."""
    found = []
    with EngineCore(replace(options, hash=1)) as engine:
        for _ in range(games):
            engine.new_game()
            listener = Listener()
            search(engine, listener, limits, position or engine.position())
            assert listener.answer is not None
            assert listener.answer.move is not None
            assert listener.reports[-1].line[0] == listener.answer.move, "the line of the move played comes last"
            assert {report.rank for report in listener.reports} == {1}
            found.append(listener.answer.move)
    return found


class TestLevels:
    def test_see_more_and_choose_more_narrowly_the_higher_they_are(self) -> None:
        levels = [Handicap.of_level(level) for level in range(FULL_STRENGTH)]
        for lower, higher in pairwise(levels):
            assert lower.nodes < higher.nodes
            assert lower.wildness > higher.wildness
            assert lower.candidates >= higher.candidates

    @every_measured_game
    def test_have_ratings_that_grow_up_to_the_anchor(self, variant: Variant) -> None:
        known = ratings(variant)
        assert len(known) == HIGHEST + 1
        assert list(known) == sorted(set(known))
        assert known[-1] == ANCHOR

    @every_measured_game
    def test_between_two_ratings_lie_between_two_levels(self, variant: Variant) -> None:
        known = ratings(variant)
        assert [level_of(elo, variant) for elo in known] == list(range(HIGHEST + 1))
        levels = [level_of(elo, variant) for elo in range(WEAKEST_ELO, STRONGEST_ELO + 1, 10)]
        assert levels == sorted(levels)
        assert level_of(known[0] - 1, variant) == 0

    @every_measured_game
    def test_of_every_game_fit_into_the_range_of_the_option(self, variant: Variant) -> None:
        assert ratings(variant)[0] >= WEAKEST_ELO
        assert ratings(variant)[-1] == STRONGEST_ELO == ANCHOR

    def test_have_been_measured_in_these_games_at_least(self) -> None:
        assert {"international", "turkish", "turkish-app", "croda"} <= {variant.name for variant in MEASURED}

    def test_that_have_not_been_measured_lie_at_equal_distances_and_that_is_said(self) -> None:
        nowhere = replace(TURKISH, name="nowhere")
        middle = (WEAKEST_ELO + STRONGEST_ELO) / 2
        assert [level_of(elo, nowhere) for elo in (WEAKEST_ELO, middle, STRONGEST_ELO)] == [0, HIGHEST / 2, HIGHEST]
        for options, name in (
            (Options(nowhere, skill_level=3), "skill-level"),
            (Options(nowhere, limit_strength=True), "elo"),
        ):
            assert unmeasured(options).startswith(f"option {name}: the levels of nowhere have not been measured")
        assert unmeasured(Options(nowhere)) == unmeasured(Options(TURKISH, skill_level=3)) == ""

    def test_make_the_range_of_the_option(self) -> None:
        assert min(ratings(variant)[0] for variant in MEASURED) == WEAKEST_ELO


class TestWhatHoldsTheEngineBack:
    def test_is_nothing_at_full_strength(self) -> None:
        assert handicap_of(Options(), Limits(), TURKISH) is None

    def test_is_the_level(self) -> None:
        assert handicap_of(Options(skill_level=3), Limits(), TURKISH) == Handicap.of_level(3)

    def test_is_the_rating_where_that_is_wanted(self) -> None:
        options = Options(skill_level=3, limit_strength=True, elo=ratings(TURKISH)[7])
        assert handicap_of(options, Limits(), TURKISH) == Handicap.of_level(7)
        assert handicap_of(replace(options, limit_strength=False), Limits(), TURKISH) == Handicap.of_level(3)

    @pytest.mark.parametrize(
        "limits", [Limits(infinite=True), Limits(analysis=True, depth=3)], ids=["infinite", "analyse"]
    )
    def test_is_nothing_where_people_analyse(self, limits: Limits) -> None:
        assert handicap_of(Options(skill_level=3), limits, TURKISH) is None

    def test_holds_while_it_ponders(self) -> None:
        assert handicap_of(Options(skill_level=3), Limits(infinite=True, ponder=True), TURKISH) is not None


def test_with_several_lines_the_move_played_is_the_first_of_them_and_told_last() -> None:
    options = Options(hash=1, multi_pv=3, skill_level=0)
    scores = set()
    with EngineCore(options) as engine:
        for seed in range(1, 9):
            engine.configure(replace(options, seed=seed))
            listener = Listener()
            search(engine, listener, Limits(nodes=300), engine.position())
            assert listener.answer is not None
            last = listener.reports[-3:]
            assert sorted(report.rank for report in last) == [1, 2, 3], "each place once"
            assert len({report.line[0] for report in last}) == 3
            first = next(report for report in last if report.rank == 1)
            assert first.line[0] == listener.answer.move
            scores.add(first.score.hundredths)
    assert len(scores) > 2, "it is not the best move each time"


class TestTheChoice:
    def test_is_the_best_move_at_the_highest_level(self) -> None:
        highest = Handicap.of_level(HIGHEST)
        assert {highest.chosen([told(1, 5), told(2, 5)], Dice(1), key).rank for key in range(50)} == {1}

    def test_is_seldom_a_bad_move_and_never_one_beyond_the_margin(self) -> None:
        lowest = Handicap.of_level(0)
        candidates = [told(1, 0), told(2, -30), told(3, -150), told(4, -400)]
        ranks = [lowest.chosen(candidates, Dice(1), key).rank for key in range(2000)]
        assert ranks.count(1) > ranks.count(2) > 2 * ranks.count(3) > 0
        assert 4 not in ranks

    def test_never_misses_a_win_that_is_seen(self) -> None:
        lowest = Handicap.of_level(0)
        assert {lowest.chosen([told(1, 9999), told(2, 300)], Dice(1), key).rank for key in range(200)} == {1}

    def test_is_made_in_the_last_iteration_that_told_all_moves(self) -> None:
        candidates = Candidates()
        for report in (told(1, 0), told(2, -1), told(1, 4, depth=2), told(2, 3, depth=2), told(1, 9, depth=3)):
            candidates.add(report)
        assert [report.depth for report in candidates.reports] == [2, 2]
        candidates.add(told(2, 1, depth=3))
        assert [report.depth for report in candidates.reports] == [3, 3]

    def test_is_not_made_between_bounds(self) -> None:
        candidates = Candidates()
        candidates.add(replace(told(1, 0), bound=Bound.LOWER))
        assert candidates.reports == []


class TestPlay:
    def test_differs_from_game_to_game(self) -> None:
        assert len(set(answers(Options(skill_level=0), Limits(move_time=1.0), games=12))) > 1

    def test_is_repeated_by_a_seed(self) -> None:
        options = Options(variant=TURKISH, skill_level=0, seed=5)
        assert len(set(answers(options, Limits(move_time=1.0), games=5))) == 1
        seeds = {answers(replace(options, seed=seed), Limits(move_time=1.0))[0] for seed in range(1, 13)}
        assert len(seeds) > 1

    def test_takes_a_king_that_can_be_won_at_any_level(self) -> None:
        """The king on d4 can take a man or a king, and nothing is taken back: nobody misses that."""
        with EngineCore(Options(variant=TURKISH, hash=1)) as engine:
            cells = board(TURKISH, W="d4", w="c2 e2", b="d6 a7", B="f4")
            position = engine.position(cells, Side.WHITE)
        for seed in range(1, 15):
            (move,) = answers(Options(variant=TURKISH, skill_level=0, seed=seed), Limits(nodes=10**6), position)
            assert move.captured == {TURKISH.board.names.index("f4")}

    @pytest.mark.parametrize(
        "limits",
        [
            Limits(depth=1),
            Limits(nodes=1),
            Limits(clock=GameClock(0.0)),
            Limits(clock=GameClock(60.0, 1.0)),
            Limits(move_time=0.0),
            Limits(depth=0),
        ],
        ids=str,
    )
    def test_has_an_answer_within_every_limit(self, limits: Limits) -> None:
        assert len(answers(Options(skill_level=4), limits)) == 1

    def test_is_over_after_few_nodes_whatever_the_clock(self, listener: Listener) -> None:
        with EngineCore(Options(hash=1, skill_level=2)) as engine:
            search(engine, listener, Limits(clock=GameClock(3600.0)))
        assert listener.reports[-1].nodes < 20_000

    def test_shows_as_many_lines_as_are_wanted(self, listener: Listener) -> None:
        with EngineCore(Options(hash=1, skill_level=2, multi_pv=3)) as engine:
            search(engine, listener, Limits(move_time=5.0))
        assert {report.rank for report in listener.reports} == {1, 2, 3}

    def test_at_full_strength_asks_the_kernel_for_nothing_else(self, kernels: Kernels, listener: Listener) -> None:
        with EngineCore(Options(skill_level=FULL_STRENGTH, elo=800), load=kernels) as engine:
            search(engine, listener, Limits(depth=4))
        assert [report.depth for report in listener.reports] == [1, 2, 3, 4]


@pytest.fixture
def wild() -> Iterator[EngineCore]:
    with EngineCore(Options(hash=1, skill_level=0)) as engine:
        yield engine


def test_an_infinite_search_is_that_of_the_full_engine(wild: EngineCore, listener: Listener) -> None:
    wild.start(wild.position(), Limits(infinite=True), listener.on_report, listener.on_answer)
    while not listener.reports or listener.reports[-1].depth < 8:
        assert listener.reported.wait(10)
        listener.reported.clear()
    wild.stop()
    assert wild.wait(10)
    assert INTERNATIONAL is wild.options.variant


def test_the_ratings_in_the_documents_are_those_in_force() -> None:
    page = (Path(__file__).parents[2] / "docs" / "levels.md").read_text("utf-8")
    rows = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in page.splitlines() if line[:3] == "| 7"]
    assert rows == [["7", *(str(ratings(variant)[7]) for variant in MEASURED)]], "run python scripts/levels.py"
