"""Openings from files and by chance: always the same ones for a seed, and what is wrong in a file is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from turkengine.errors import OptionError
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, VARIANTS
from turkengine.kernel.endgames import SHIPPED
from turkengine.match.conduct import Conduct, TableRule
from turkengine.match.openings import Balanced, EngineJudge, Listed, from_file, from_start, within
from turkengine.match.referee import Beginning
from turkengine.notation import fen, moves
from turkengine.rules.position import Position

GAMES = """\
[Event "One"]
[GameType "20"]
[Result "2-0"]

1. 32-28 19-23 2. 28x19 14x23 3. 37-32 2-0

[Event "?"]
[Opening "Two"]
[GameType "20"]

1. 33-28 18-23 2. 31-27 *

[Event "The same beginning as One"]
[GameType "20"]

1. 32-28 19-23 2. 28x19 14x23 3. 38-32 *
"""


def written(opening: Beginning) -> list[str]:
    position, texts = opening.position, []
    for move in opening.moves:
        texts.append(moves.short(position, move))
        position = position.play(move)
    return texts


def end_of(opening: Beginning) -> Position:
    position = opening.position
    for move in opening.moves:
        position = position.play(move)
    return position


def saved(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def everything(openings: Listed) -> list[Beginning]:
    return [openings.opening(number) for number in range(len(openings))]


class TestFilesOfGames:
    def test_give_their_first_moves_once_each(self, tmp_path: Path) -> None:
        openings = from_file(saved(tmp_path, "games.pdn", GAMES), INTERNATIONAL, 4, seed=1)
        found = {opening.name: written(opening) for opening in everything(openings)}
        assert found == {
            "The same beginning as One": ["32-28", "19-23", "28x19", "14x23"],
            "Two": ["33-28", "18-23", "31-27"],
        }

    def test_are_known_by_their_content_too(self, tmp_path: Path) -> None:
        assert len(from_file(saved(tmp_path, "games.txt", GAMES), INTERNATIONAL, 5, seed=1)) == 3

    def test_with_an_illegal_move_are_refused_with_its_place(self, tmp_path: Path) -> None:
        path = saved(tmp_path, "games.pdn", GAMES.replace("28x19", "28x17"))
        with pytest.raises(OptionError, match=r"games\.pdn:1: ply 3: '28x17' is not a legal move; .*\(5\.4\.2\)"):
            from_file(path, INTERNATIONAL, 4, seed=1)
        assert len(from_file(path, INTERNATIONAL, 2, seed=1)) == 2

    def test_of_another_game_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(OptionError, match=r"games\.pdn:1: this is a game of international, not of turkish"):
            from_file(saved(tmp_path, "games.pdn", GAMES), TURKISH, 4, seed=1)

    def test_whose_game_is_over_in_the_opening_are_left_out(self, tmp_path: Path) -> None:
        path = saved(tmp_path, "over.pdn", '[GameType "20"]\n[FEN "W:W28:B22"]\n\n1. 28x17 *\n')
        with pytest.raises(OptionError, match="there is no opening"):
            from_file(path, INTERNATIONAL, 4, seed=1)

    def test_with_a_position_set_up_on_the_way_are_refused(self, tmp_path: Path) -> None:
        path = saved(tmp_path, "set.pdn", '[GameType "20"]\n\n1. 32-28 /FEN "W:W31-50:B1-20"/ 1. 32-28 *\n')
        with pytest.raises(OptionError, match="a position is set up in the opening"):
            from_file(path, INTERNATIONAL, 4, seed=1)


class TestFilesOfPositions:
    def test_give_a_position_for_each_line_with_its_name(self, tmp_path: Path) -> None:
        text = "# a comment\nW:W31-50:B1-20  # the start\n\nB:WK1:B20,K30:H3\nB:WK1:B20,K30:H3\n"
        openings = from_file(saved(tmp_path, "list.fen", text), INTERNATIONAL, 4, seed=1)
        found = {(fen.write_counted(opening.position), opening.name) for opening in everything(openings)}
        assert found == {("W:W31-50:B1-20", "the start"), ("B:WK1:B20,K30:H3", "")}

    @pytest.mark.parametrize(
        ("line", "message"),
        [("W:W51:B1", "there is no square '51'"), ("W:W31:B", "the game is over in this position")],
    )
    def test_that_cannot_be_played_are_refused_with_their_line(self, tmp_path: Path, line: str, message: str) -> None:
        path = saved(tmp_path, "list.fen", f"\n{line}\n")
        with pytest.raises(OptionError, match=rf"list\.fen:2: {message}"):
            from_file(path, INTERNATIONAL, 4, seed=1)

    def test_that_are_empty_or_missing_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(OptionError, match="there is no opening"):
            from_file(saved(tmp_path, "empty.fen", "# nothing\n"), INTERNATIONAL, 4, seed=1)
        with pytest.raises(OptionError, match="cannot be read: No such file"):
            from_file(tmp_path / "missing.fen", INTERNATIONAL, 4, seed=1)


SHORT = """[GameType "20"]

1. 32-28 19-23 *

[GameType "20"]

1. 32-28 18-23 2. 38-32 12-18 *

[FEN "W:W11:B42"]

1. 11-7 42-48 2. 7-1 48-43 *

[FEN "W:W28:B23"]

1. 28x19 *
"""


def test_games_that_end_within_an_opening_are_named(tmp_path: Path) -> None:
    openings = from_file(saved(tmp_path, "short.pdn", SHORT), INTERNATIONAL, 4, seed=1)
    assert openings.remarks == (
        "a game in line 13 of short.pdn is over within 4 plies and is left out",
        "a game in line 1 of short.pdn is shorter than 4 plies and is used as far as it goes",
    )
    assert sorted(len(opening.moves) for opening in everything(openings)) == [2, 4, 4]
    assert from_file(saved(tmp_path, "short.pdn", SHORT), INTERNATIONAL, 1, seed=1).remarks[0].startswith("a game in")


def test_an_opening_in_which_the_match_would_end_a_game_is_cut_back() -> None:
    rule = TableRule.found(INTERNATIONAL, 3, SHIPPED)
    position = fen.read(INTERNATIONAL, "W:W28,50:B23,K1")
    line = (moves.read(position, "28x19"),)
    opening = Beginning(position, line)
    assert within(opening, Conduct()) == opening
    assert within(opening, Conduct(tables=rule)) == Beginning(position, ())


class TestAList:
    lines = "".join(f"W:W{square},50:B1\n" for square in range(20, 40))

    def test_has_an_order_that_the_seed_decides(self, tmp_path: Path) -> None:
        path = saved(tmp_path, "list.fen", self.lines)
        one, same, other = (from_file(path, INTERNATIONAL, 4, seed) for seed in (1, 1, 2))
        assert everything(one) == everything(same)
        assert everything(one) != everything(other)
        assert one.description == same.description != other.description

    def test_begins_anew_where_it_ends(self, tmp_path: Path) -> None:
        openings = from_file(saved(tmp_path, "list.fen", self.lines), INTERNATIONAL, 4, seed=1)
        assert openings.opening(23) == openings.opening(3)

    def test_of_other_openings_is_described_differently(self, tmp_path: Path) -> None:
        one = from_file(saved(tmp_path, "list.fen", self.lines), INTERNATIONAL, 4, seed=1)
        other = from_file(saved(tmp_path, "list.fen", self.lines + "W:W41:B1\n"), INTERNATIONAL, 4, seed=1)
        assert one.description != other.description

    def test_can_be_the_usual_start_alone(self) -> None:
        assert from_start(CRODA).opening(7) == Beginning(Position.start(CRODA))


class TestLinesByChance:
    def test_are_those_that_the_judge_finds_balanced(self) -> None:
        judged: list[Position] = []

        def judge(position: Position) -> int:
            judged.append(position)
            return (90, -31, 30)[(len(judged) - 1) % 3]

        opening = Balanced(INTERNATIONAL, 4, 30, seed=7, judge=judge).opening(0)
        assert len(opening.moves) == 4
        assert len(judged) == 3
        assert end_of(opening) == judged[-1]

    @pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
    def test_are_found_for_every_game_by_the_engine(self, variant) -> None:
        judge = EngineJudge()
        openings, again = (Balanced(variant, 6, 50, seed=3, judge=judge) for _ in range(2))
        found = [openings.opening(number) for number in range(3)]
        assert found == [again.opening(number) for number in (0, 1, 2)]
        assert found[2] == again.opening(2)
        for opening in found:
            assert len(opening.moves) == 6
            assert abs(judge(end_of(opening))) <= 50
            assert not any(move.is_capture for move in end_of(opening).legal_moves())
        judge.close()

    def test_that_are_never_balanced_are_given_up(self) -> None:
        with pytest.raises(OptionError, match="allow a larger score"):
            Balanced(TURKISH, 2, 0, seed=1, judge=lambda position: 1).opening(0)
