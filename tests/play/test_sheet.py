"""A game kept in a file: behind other games, in its own place, and nothing of others lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from turkengine.play.sheet import Sheets

OTHERS = '[Event "other"]\n\n1. 32-28 *\n\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.pdn"


def test_a_file_comes_into_being_with_the_game(file: Path) -> None:
    Sheets().keep(str(file), "game\n\n")
    assert file.read_text() == "game\n\n"


def test_a_game_that_goes_on_keeps_its_place(file: Path) -> None:
    file.write_text(OTHERS)
    sheets = Sheets()
    for text in ("game of some length\n\n", "game\n\n", "game\n\n", "game, longer than before\n\n"):
        sheets.keep(str(file), text)
        assert file.read_text() == OTHERS + text


@pytest.mark.parametrize(("before", "between"), [("x", "\n\n"), ("x\n", "\n"), ("x\n\n", "")])
def test_an_empty_line_stands_between_two_games(file: Path, before: str, between: str) -> None:
    file.write_text(before)
    sheets = Sheets()
    sheets.keep(str(file), "game\n\n")
    sheets.keep(str(file), "game!\n\n")
    assert file.read_text() == before + between + "game!\n\n"


def test_what_somebody_else_has_written_meanwhile_stays(file: Path) -> None:
    sheets = Sheets()
    sheets.keep(str(file), "one\n\n")
    with file.open("a") as stream:
        stream.write(OTHERS)
    sheets.keep(str(file), "one two\n\n")
    assert file.read_text() == "one\n\n" + OTHERS + "one two\n\n"


def test_a_file_that_has_gone_is_made_again(file: Path) -> None:
    sheets = Sheets()
    sheets.keep(str(file), "one\n\n")
    file.unlink()
    sheets.keep(str(file), "one two\n\n")
    assert file.read_text() == "one two\n\n"


def test_one_file_by_two_names_is_one(file: Path) -> None:
    sheets = Sheets()
    sheets.keep(str(file), "one\n\n")
    sheets.keep(str(file.parent / "." / ".." / file.parent.name / file.name), "two\n\n")
    assert file.read_text() == "two\n\n"


def test_a_file_may_lie_in_the_home_folder(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(file.parent))
    Sheets().keep(f"~/{file.name}", "game\n\n")
    assert file.read_text() == "game\n\n"
    Path("~nobody of this name").mkdir()
    Sheets().keep("~nobody of this name/x.pdn", "game\n\n")  # there is no such home
    assert Path("~nobody of this name", "x.pdn").exists()


def test_a_file_is_tried_without_leaving_anything(file: Path) -> None:
    sheets = Sheets()
    sheets.check(file)
    assert not file.exists()
    file.write_text(OTHERS)
    sheets.check(file)
    assert file.read_text() == OTHERS
    with pytest.raises(OSError, match="No such file"):
        sheets.check(file.parent / "none" / "x.pdn")
