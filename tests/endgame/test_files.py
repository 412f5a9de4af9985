"""Files of endgame tables that become shorter while they are in use: nothing ends, and nothing wrong is told."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from endgame.tables import every_position, shipped
from kernel import positions
from kernel.searching import search

from turkengine import kernel
from turkengine.endgame.material import material_named
from turkengine.endgame.workbench import Workbench
from turkengine.engine.core import EngineCore
from turkengine.engine.options import Options
from turkengine.errors import EndgameError
from turkengine.games import INTERNATIONAL, TURKISH
from turkengine.kernel import endgames

WON = "W:WKa1,Kc3:BKh8"


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    shutil.copytree(endgames.SHIPPED / "turkish" / "tables", tmp_path / "turkish")
    return tmp_path


@pytest.fixture
def on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file is small enough for memory."""
    monkeypatch.setattr(endgames, "IN_MEMORY", 0)


def mounted(folder: Path) -> Any:
    endings, complaints = endgames.mount(kernel.load(TURKISH), TURKISH, [folder], 5)
    assert complaints == []
    return endings


def cut(folder: Path) -> None:
    """Cut every file off in its place."""
    for path in folder.rglob("*.endgame"):
        with path.open("rb+") as stream:
            stream.truncate(100)


def test_a_small_file_that_is_cut_off_has_been_read_before(copied: Path) -> None:
    endings = mounted(copied)
    cut(copied)
    for position in every_position(TURKISH, "KvK"):
        assert endings.look_up(position) == shipped(TURKISH).look_up(position)
    assert not endings.lost


@pytest.mark.usefixtures("on_disk")
@pytest.mark.parametrize("name", ["KvM", "MKvK"])
def test_a_file_on_disk_says_what_one_in_memory_does(copied: Path, name: str) -> None:
    endings = mounted(copied)
    for position in list(every_position(TURKISH, name))[::7]:
        assert endings.look_up(position) == shipped(TURKISH).look_up(position)
    position = positions.read(TURKISH, "W:WKa1,c3:BKh8")
    assert [line.moves for line in search(position, endings=endings)] == [
        line.moves for line in search(position, endings=shipped(TURKISH))
    ]


@pytest.mark.usefixtures("on_disk")
def test_what_can_no_longer_be_read_is_not_known_and_searched(copied: Path) -> None:
    endings = mounted(copied)
    position = positions.read(TURKISH, WON)
    without = [(line.score, line.moves) for line in search(position, depth=8)]
    assert endings.look_up(position) is not None
    cut(copied)
    assert endings.look_up(position) is None
    assert [(line.score, line.moves) for line in search(position, depth=8, endings=endings)] == without
    assert endings.lost


@pytest.mark.usefixtures("on_disk")
def test_a_file_that_was_cut_off_is_named_when_options_are_next_set(copied: Path) -> None:
    options = Options(TURKISH, hash=1, endgame_path=str(copied / "own"))
    shutil.copytree(copied / "turkish", copied / "own" / "turkish")
    with pytest.MonkeyPatch.context() as patch, EngineCore() as engine:
        patch.setattr(endgames, "SHIPPED", copied / "nothing")
        assert engine.configure(options) == []
        cut(copied / "own")
        assert engine.configure(options) == []
        assert engine._endings is not None
        engine._endings.look_up(positions.read(TURKISH, WON))  # type: ignore[attr-defined]
        notes = engine.configure(options)
        assert len(notes) == 9
        assert all(".endgame: this is not a file" in note and note.endswith("it is ignored") for note in notes)
        assert engine.configure(options) == []


@pytest.mark.usefixtures("on_disk")
def test_a_build_that_reads_a_file_cut_off_meanwhile_names_it(copied: Path) -> None:
    balance = material_named("KKvK")
    path = copied / "turkish" / "KKvK.endgame"
    file = endgames.read(path, TURKISH)
    cut(copied)
    with Workbench(kernel.load(TURKISH), TURKISH, 1) as bench, pytest.raises(EndgameError, match="no longer be read"):
        bench.load(balance, file)


def test_a_process_lives_on_when_its_tables_are_cut_off(tmp_path: Path) -> None:
    shutil.copytree(endgames.folder_in(endgames.SHIPPED, INTERNATIONAL), tmp_path / "international")
    program = f"""
import sys
from pathlib import Path
from turkengine import kernel
from turkengine.kernel import endgames
from turkengine.notation import fen
from turkengine.games import INTERNATIONAL
module = kernel.load(INTERNATIONAL)
endings, _ = endgames.mount(module, INTERNATIONAL, [Path({str(tmp_path)!r})], 3)
for path in Path({str(tmp_path)!r}).rglob("*.endgame"):
    with path.open("rb+") as stream:
        stream.truncate(100)
position = fen.read(INTERNATIONAL, {"W:WK1,K2:BK50"!r})
position = module.Position.from_cells(position.cells, position.side)
print(endings.look_up(position))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    expected = shipped(INTERNATIONAL).look_up(positions.read(INTERNATIONAL, "W:WK1,K2:BK50"))
    assert (done.returncode, done.stdout.strip()) == (0, str(expected)), done.stderr
