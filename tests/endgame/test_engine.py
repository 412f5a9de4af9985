"""The engine finds its tables by itself, takes other ones when it is told to, and says what is wrong with any."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from endgame.tables import shipped
from kernel import positions
from kernel.searching import answer

from turkengine.engine.core import EngineCore
from turkengine.engine.limits import Limits
from turkengine.engine.options import Options
from turkengine.games import CRODA, INTERNATIONAL, TURKISH
from turkengine.kernel import endgames

WON = "W:WKa1,c3:BKh8"  # in 23 plies


@pytest.fixture(autouse=True)
def no_tables_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "user"))


@pytest.fixture
def engine() -> Iterator[EngineCore]:
    with EngineCore(Options(variant=TURKISH, hash=1)) as engine:
        yield engine


def test_an_engine_that_nobody_has_configured_uses_the_tables_that_come_with_it(engine: EngineCore) -> None:
    listener, _ = answer(engine, positions.read(TURKISH, WON), Limits(depth=4))
    last = listener.reports[-1]
    assert last.score.plies_to_end == 23
    assert last.table_hits > 0
    assert listener.answer is not None
    assert listener.answer.ponder == last.line[1]


def test_positions_of_another_game_are_looked_up_in_the_tables_of_that_game(engine: EngineCore) -> None:
    position = positions.read(CRODA, WON)
    listener, _ = answer(engine, position, Limits(depth=4))
    assert listener.reports[-1].score.plies_to_end == shipped(CRODA).look_up(position)[1] == 19
    listener, _ = answer(engine, positions.read(TURKISH, WON), Limits(depth=4))
    assert listener.reports[-1].score.plies_to_end == 23


def test_no_pieces_means_no_tables(engine: EngineCore) -> None:
    engine.configure(Options(variant=TURKISH, hash=1, endgame_pieces=0))
    listener, _ = answer(engine, positions.read(TURKISH, WON), Limits(depth=4))
    assert listener.reports[-1].depth == 4
    assert listener.reports[-1].table_hits == 0
    engine.configure(Options(variant=TURKISH, hash=1, endgame_pieces=3))
    listener, _ = answer(engine, positions.read(TURKISH, WON), Limits(depth=4))
    assert listener.reports[-1].table_hits > 0


def test_what_is_wrong_with_a_file_is_told_once(engine: EngineCore, tmp_path: Path) -> None:
    shutil.copytree(endgames.SHIPPED / "turkish" / "tables", tmp_path / "own" / "turkish")
    path = tmp_path / "own" / "turkish" / "KKKvK.endgame"
    path.write_bytes(b"")
    options = Options(variant=TURKISH, hash=1, endgame_path=str(tmp_path / "own"))
    assert engine.configure(options) == [f"{path}: the file is empty; it is ignored"]
    assert engine.configure(options) == []


def test_a_folder_may_lie_in_the_home_folder(engine: EngineCore) -> None:
    (Path.home() / "own" / "turkish").mkdir(parents=True)
    (Path.home() / "own" / "turkish" / "KKKvK.endgame").write_bytes(b"")
    [note] = engine.configure(Options(variant=TURKISH, hash=1, endgame_path="~/own"))
    assert note == f"{Path.home() / 'own' / 'turkish' / 'KKKvK.endgame'}: the file is empty; it is ignored"


def test_a_folder_of_tables_in_place_of_the_one_above_is_told(engine: EngineCore) -> None:
    folder = endgames.SHIPPED / "turkish" / "tables"
    [note] = engine.configure(Options(variant=TURKISH, hash=1, endgame_path=str(folder)))
    told = f"{folder} has tables but no folder turkish; name the one that turkish lies in"
    assert note == f"option endgame-path: {told}"


def test_the_folder_of_the_user_is_looked_into(engine: EngineCore) -> None:
    folder = endgames.own_folder() / "turkish"
    folder.mkdir(parents=True)
    (folder / "KKKvK.endgame").write_bytes(b"nothing")
    [note] = engine.configure(Options(variant=TURKISH, hash=1))
    assert note.startswith(f"{folder / 'KKKvK.endgame'}: this is not a file of endgame tables")


def test_a_position_that_has_ended_by_the_tables_rules_has_an_answer_too(engine: EngineCore) -> None:
    listener, _ = answer(engine, positions.read(INTERNATIONAL, "W:WK46:BK5:H10"), Limits(depth=4))
    assert listener.answer is not None
