"""What the tables say of a game under way: never more than the counts of plies allow."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from endgame.tables import every_position
from kernel.positions import compiled

from turkengine.endgame.arbiter import Arbiter, TableResult
from turkengine.endgame.material import Material, material_named
from turkengine.errors import EndgameError
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, VARIANTS
from turkengine.kernel import endgames
from turkengine.notation import fen, moves
from turkengine.rules.outcome import outcome
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant

WHITE, BLACK = Side


@pytest.fixture(autouse=True)
def no_tables_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "user"))


def verdict(
    variant: Variant, text: str, no_progress: int = 0, material_plies: int = 0, limit: int | None = None
) -> TableResult | None:
    position = replace(fen.read(variant, text), no_progress=no_progress, material_plies=material_plies)
    return Arbiter(variant, 3).verdict(position, limit)


def winner(found: TableResult | None) -> Side | None:
    assert found is not None
    return found.winner


class TestWithoutHurry:
    @pytest.mark.parametrize(
        ("variant", "text", "side", "reason"),
        [
            (TURKISH, "W:WKg7,b1:BKa1", WHITE, "White wins MKvK in 53 plies"),  # the longest there is
            (TURKISH, "W:WKc2,Kd2:BKa8", WHITE, "White wins KKvK in 15 plies"),
            (TURKISH, "B:WKa8:BKc2,Kd7", BLACK, "Black wins KKvK in"),
            (TURKISH, "W:WKb2,b1:BKa1", None, "MKvK is a draw"),
            (CRODA, "W:WKa1,c3:BKh8", WHITE, "White wins MKvK in 19 plies"),
            (INTERNATIONAL, "W:WK45,K49:BK1", WHITE, "White wins KKvK in 7 plies"),
            (INTERNATIONAL, "W:W31:B5", WHITE, "White wins MvM in 17 plies"),
            (INTERNATIONAL, "W:WK46,K47:BK3", None, "KKvK is a draw"),
        ],
    )
    def test_the_tables_decide(self, variant: Variant, text: str, side: Side | None, reason: str) -> None:
        found = verdict(variant, text)
        assert found is not None
        assert (found.winner, found.article) == (side, "")
        assert found.reason.startswith(reason)

    def test_the_side_that_is_to_move_may_be_the_one_that_loses(self) -> None:
        position, arbiter = fen.read(TURKISH, "W:WKg7,b1:BKa1"), Arbiter(TURKISH, 3)
        found = [arbiter.verdict(position.play(move)) for move in position.legal_moves()]
        assert TableResult(WHITE, "White wins MKvK in 52 plies by the endgame tables") in found

    def test_more_pieces_than_the_tables_have_are_left_to_the_players(self) -> None:
        assert verdict(TURKISH, "W:WKa1,c3,d3:BKh8") is None
        assert Arbiter(TURKISH, 2).verdict(fen.read(TURKISH, "W:WKa1,c3:BKh8")) is None


class TestCounts:
    def test_five_moves_each_against_a_lone_king_end_a_win_that_takes_longer(self) -> None:
        text = "W:WK45,K49:BK1"  # a win in 7 plies
        assert winner(verdict(INTERNATIONAL, text, material_plies=3)) is WHITE
        found = verdict(INTERNATIONAL, text, material_plies=4)
        assert found == TableResult(
            None, "KKvK is won in 7 plies by the endgame tables, but a count makes it a draw in 6 plies", "6.4"
        )

    def test_the_plies_without_progress_end_a_win_by_kings_alone(self) -> None:
        text = "W:WKc2,Kd2:BKa8"  # a win in 15 plies
        assert winner(verdict(TURKISH, text, no_progress=85)) is WHITE
        found = verdict(TURKISH, text, no_progress=90)
        assert found is not None
        assert (found.winner, found.article) == (None, "convention")
        assert found.reason.endswith("but a count makes it a draw in 10 plies")

    def test_the_organisers_own_number_of_plies_counts(self) -> None:
        text = "W:WKc2,Kd2:BKa8"
        assert winner(verdict(TURKISH, text, no_progress=90, limit=0)) is WHITE
        assert winner(verdict(TURKISH, text, limit=15)) is WHITE
        assert winner(verdict(TURKISH, text, limit=10)) is None

    def test_the_game_goes_on_where_a_capture_may_just_restart_the_count(self) -> None:
        assert verdict(TURKISH, "W:WKc2,Kd2:BKa8", no_progress=86) is None  # 14 left of 15, the last but one captures

    def test_the_game_goes_on_where_a_man_may_restart_the_count(self) -> None:
        position = replace(fen.read(TURKISH, "W:WKa1,c3:BKh8"), no_progress=90)  # a win in 23 plies
        arbiter = Arbiter(TURKISH, 3)
        assert arbiter.verdict(position) is None
        assert winner(arbiter.verdict(position.play(moves.read(position, "c3-c4")))) is WHITE

    def test_the_game_goes_on_where_a_later_count_may_be_too_short(self) -> None:
        position = fen.read(INTERNATIONAL, "W:W31:B5")  # a win in 17 plies, which comes down to king against king
        arbiter = Arbiter(INTERNATIONAL, 3)
        assert winner(arbiter.verdict(position)) is WHITE
        arbiter.longest[material_named("KvK")] = 11  # a table in which that could take more than 10 plies
        assert arbiter.verdict(position) is None

    def test_the_game_goes_on_where_a_repetition_may_end_it(self) -> None:
        position = fen.read(TURKISH, "W:WKc2,Kd2:BKa8")
        arbiter = Arbiter(TURKISH, 3)
        for text in ("d2-d3", "a8-b8", "d3-d2", "b8-a8"):
            assert winner(arbiter.verdict(position)) is WHITE
            position = position.play(moves.read(position, text))
        assert position.occurrences == 2
        after = position.play(moves.read(position, "d2-d3"))
        assert arbiter.verdict(after) is None

    @pytest.mark.parametrize(
        ("variant", "name", "no_progress", "material_plies"),
        [
            (INTERNATIONAL, "KKvK", 0, 7),
            (INTERNATIONAL, "MKvK", 0, 7),
            (INTERNATIONAL, "KvM", 47, 0),
            (INTERNATIONAL, "MvM", 47, 0),
            (TURKISH, "KKvK", 97, 0),
            (TURKISH, "MKvK", 97, 0),
            (CRODA, "KKvK", 97, 0),
            (CRODA, "MMvK", 97, 0),
        ],
    )
    def test_every_verdict_is_what_best_play_by_the_rules_gives(
        self, variant: Variant, name: str, no_progress: int, material_plies: int
    ) -> None:
        arbiter, dice, known = Arbiter(variant, 3), random.Random(3), set()
        for cells in dice.sample([position.cells for position in every_position(variant, name)], 60):
            position = Position(variant, cells, dice.choice(list(Side)), no_progress, material_plies)
            if outcome(position) is None and (found := arbiter.verdict(position)) is not None:
                assert winner_within(compiled(position), 3) == found.winner, fen.write_counted(position)
                known.add(found.winner)
        assert len(known) >= 2


def winner_within(position: Any, plies: int) -> Side | None:
    """Who wins by the rules alone within so many plies, whatever the other side does."""
    end = position.outcome()
    if end is not None or not plies:
        return end.winner if end is not None else None
    found = {winner_within(position.play(move), plies - 1) for move in position.legal_moves()}
    if position.side in found:
        return position.side
    return position.side.opponent if found == {position.side.opponent} else None


class TestWhatCannotBeUsed:
    def test_a_folder_that_is_none(self, tmp_path: Path) -> None:
        with pytest.raises(
            EndgameError, match="none is not a folder; name one that `turkengine endgame build` has writ"
        ):
            Arbiter(TURKISH, 3, tmp_path / "none")

    def test_a_folder_without_tables_of_the_game(self, tmp_path: Path) -> None:
        shutil.copytree(endgames.SHIPPED / "croda" / "tables", tmp_path / "croda")
        assert Arbiter(CRODA, 3, tmp_path).pieces == 3
        with pytest.raises(EndgameError, match="holds no endgame tables of turkish; name another folder"):
            Arbiter(TURKISH, 3, tmp_path)

    def test_a_file_that_cannot_be_used(self, tmp_path: Path) -> None:
        shutil.copytree(endgames.SHIPPED / "turkish" / "tables", tmp_path / "turkish")
        path = tmp_path / "turkish" / "KKKvK.endgame"
        path.write_bytes((tmp_path / "turkish" / "KKvK.endgame").read_bytes())
        assert Arbiter(TURKISH, 3, tmp_path).pieces == 3  # larger ones are not even read
        with pytest.raises(EndgameError, match=r"KKKvK\.endgame: it holds KKvK of turkish; call it KKvK"):
            Arbiter(TURKISH, 4, tmp_path)

    def test_more_pieces_than_there_are_tables_of(self) -> None:
        with pytest.raises(EndgameError, match=r"no endgame tables of 4 pieces of croda in .*be content with 3 pieces"):
            Arbiter(CRODA, 4)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_every_ending_that_comes_with_the_program_is_known(variant: Variant) -> None:
    arbiter = Arbiter(variant, 3)
    assert len(arbiter.longest) == 9
    assert all(isinstance(balance, Material) and balance == balance.balance for balance in arbiter.longest)


@pytest.mark.parametrize("name", ["KvK", "KKvK", "MKvK"])
def test_five_moves_each_are_enough_for_every_win_against_a_lone_king(name: str) -> None:
    assert Arbiter(INTERNATIONAL, 3).longest[material_named(name)] <= 10
