"""Files of tables: built, gone on with, verified, and refused where they are damaged or made for another game."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kernel import positions
from rules.strategies import every_variant

from turkengine import kernel
from turkengine.endgame.build import Built, build, memory_needed, path_of, sound
from turkengine.endgame.material import balances, material_named
from turkengine.endgame.verify import verify
from turkengine.endgame.workbench import Workbench, write_file
from turkengine.errors import EndgameError
from turkengine.games import CRODA, INTERNATIONAL, TURKISH, TURKISH_APP, folder_of
from turkengine.kernel import endgames
from turkengine.rules.variant import Landing, Variant

PLENTY = 1 << 32
TWO_AND_THREE = [balance for pieces in (2, 3) for balance in balances(pieces)]


@pytest.fixture
def nothing_shipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As if no tables came with the program."""
    monkeypatch.setattr(endgames, "SHIPPED", tmp_path / "none")


def built(variant: Variant, pieces: int, folder: Path, on_built: Callable[[Built], None] | None = None) -> list[Built]:
    """Build with two threads; what was told."""
    told: list[Built] = []

    def tell(done: Built) -> None:
        told.append(done)
        if on_built is not None:
            on_built(done)

    build(kernel.load(variant), variant, pieces, folder, jobs=2, memory=PLENTY, on_built=tell)
    return told


def faults(variant: Variant, folder: Path, *names: str, sample: int = 0) -> list[str]:
    wanted = [material_named(name) for name in names]
    done = verify(kernel.load(variant), variant, wanted, folder, jobs=2, sample=sample)
    return [fault for balance in done for fault in balance.faults]


def damage(path: Path, place: int = -400) -> None:
    """Change one bit of a file."""
    content = bytearray(path.read_bytes())
    content[place] ^= 4
    path.write_bytes(content)


# Building


@pytest.mark.usefixtures("nothing_shipped")
@every_variant
def test_what_comes_with_the_program_is_what_a_build_makes(variant: Variant, tmp_path: Path) -> None:
    told = built(variant, 3, tmp_path)
    assert [done.balance for done in told] == TWO_AND_THREE
    for done in told:
        assert done.seconds is not None
        shipped = folder_of(variant) / "tables" / done.file.path.name
        assert done.file.path.read_bytes() == shipped.read_bytes()


@pytest.mark.usefixtures("nothing_shipped")
def test_an_interrupted_build_goes_on_where_it_was(tmp_path: Path) -> None:
    def interrupt(done: Built) -> None:
        if done.balance.name == "KKvK":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        built(INTERNATIONAL, 3, tmp_path, interrupt)
    again = built(INTERNATIONAL, 3, tmp_path)
    there = [done.balance.name for done in again if done.seconds is None]
    assert there == ["KvK", "KvM", "MvM", "KKvK"]
    assert faults(INTERNATIONAL, tmp_path, "MMvM") == []


@pytest.mark.usefixtures("nothing_shipped")
def test_a_damaged_file_is_built_again_and_the_others_are_not(tmp_path: Path) -> None:
    built(INTERNATIONAL, 2, tmp_path)
    path = path_of(tmp_path, INTERNATIONAL, material_named("KvM"))
    damage(path)
    again = built(INTERNATIONAL, 2, tmp_path)
    assert [done.balance.name for done in again if done.seconds is not None] == ["KvM"]
    endgames.read(path, INTERNATIONAL)


def test_what_comes_with_the_program_is_not_built_again(tmp_path: Path) -> None:
    assert all(done.seconds is None for done in built(CRODA, 3, tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_too_little_memory_is_told_before_anything_is_taken(tmp_path: Path) -> None:
    module = kernel.load(TURKISH)
    with pytest.raises(EndgameError, match=r"KKvKK takes \d+ MiB of memory, and 2 MiB are free"):
        build(module, TURKISH, 4, tmp_path, jobs=1, memory=2 << 20, on_built=lambda done: None)
    assert memory_needed(module, material_named("KKvKK")) < 30 << 20


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "turkish").write_text("in the way")
    with Workbench(kernel.load(TURKISH), TURKISH, 1) as bench:
        balance = material_named("KvM")
        file = sound(TURKISH, balance, tmp_path)
        assert file is not None
        bench.load(balance, file)
        with pytest.raises(EndgameError, match="cannot be written"):
            bench.write(balance, path_of(tmp_path, TURKISH, balance))


# Verifying


@every_variant
def test_the_tables_that_come_with_the_program_follow_from_the_moves(variant: Variant, tmp_path: Path) -> None:
    assert faults(variant, tmp_path, *(balance.name for balance in TWO_AND_THREE), sample=3) == []


@pytest.mark.usefixtures("nothing_shipped")
def test_a_wrong_value_behind_a_right_checksum_is_found(tmp_path: Path) -> None:
    built(TURKISH, 2, tmp_path)
    balance = material_named("KvM")
    path = path_of(tmp_path, TURKISH, balance)
    table, other = endgames.read(path, TURKISH).tables
    blocks = bytearray(table.blocks)
    blocks[50] ^= 1
    described = [
        {
            "counts": one.counts,
            "won": one.won,
            "drawn": one.drawn,
            "lost": one.lost,
            "longest": one.longest,
            "starts": len(one.starts),
            "blocks": len(one.blocks),
        }
        for one in (table, other)
    ]
    parts = [table.lengths, bytes(table.starts), bytes(blocks), other.lengths, bytes(other.starts), bytes(other.blocks)]
    write_file(path, TURKISH, described, parts)
    endgames.read(path, TURKISH)  # the file itself is sound
    found = faults(TURKISH, tmp_path, "KvM")
    assert any("does not follow from its moves" in fault and "W:WK" in fault for fault in found)


# Refusing


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A folder with the smallest tables of Turkish draughts."""
    shutil.copytree(endgames.SHIPPED / "turkish" / "tables", tmp_path / "turkish")
    return tmp_path


def mounted(folder: Path, variant: Variant) -> tuple[Any, list[str]]:
    return endgames.mount(kernel.load(variant), variant, [folder], 5)


@pytest.mark.parametrize("place", [5, 300, -400, -1])
def test_a_damaged_file_is_named_and_ignored(copied: Path, place: int) -> None:
    path = copied / "turkish" / "KKvK.endgame"
    damage(path, place)
    endings, complaints = mounted(copied, TURKISH)
    assert len(complaints) == 1
    assert complaints[0].startswith(f"{path}: ")
    assert complaints[0].endswith("; it is ignored")
    assert endings.look_up(positions.read(TURKISH, "W:WKa1,Kc3:BKh8")) is None
    assert endings.look_up(positions.read(TURKISH, "W:WKa1,c3:BKh8")) is not None


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"{}\n", b"[1]\n", b"no table", b'{"format": 1}\n', b"\0" * 100_000, b"[" * 60_000 + b"\n"]
)
def test_a_file_of_something_else_is_named_and_ignored(copied: Path, content: bytes) -> None:
    path = copied / "turkish" / "KKvK.endgame"
    path.write_bytes(content)
    assert [complaint.partition(": ")[0] for complaint in mounted(copied, TURKISH)[1]] == [str(path)]


@pytest.mark.parametrize("counts", [[0, 99_999_999_999, 0, 1], ["0", "2", "0", "1"], [0, 2.0, 0, 1], [0, -2, 0, 1]])
def test_a_file_with_impossible_numbers_of_pieces_is_named_and_ignored(copied: Path, counts: list[object]) -> None:
    path = copied / "turkish" / "KKvK.endgame"
    line, _, body = path.read_bytes().partition(b"\n")
    header = json.loads(line)
    header["tables"][0]["counts"] = counts
    del header["checksum"]
    header["checksum"] = endgames.checksum(header, [body])
    path.write_bytes(json.dumps(header).encode() + b"\n" + body)
    (complaint,) = mounted(copied, TURKISH)[1]
    assert complaint.startswith(f"{path}: this is not a file of endgame tables")


def test_a_file_that_is_cut_off_is_named_and_ignored(copied: Path) -> None:
    path = copied / "turkish" / "KKvK.endgame"
    size = len(path.read_bytes().partition(b"\n")[2])
    path.write_bytes(path.read_bytes()[:-1000])
    told = f"it should have {size} bytes after its first line and has {size - 1000}; build it again; it is ignored"
    assert mounted(copied, TURKISH)[1] == [f"{path}: the file is damaged, {told}"]


def test_a_file_of_the_wrong_size_is_told_without_reading_all_of_it(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copied / "turkish" / "KKvK.endgame"
    with path.open("ab") as stream:
        stream.truncate(1 << 36)  # a sparse file
    monkeypatch.setattr(endgames, "checksum", None)
    with pytest.raises(EndgameError, match=r"KKvK\.endgame: the file is damaged, it should have [0-9]+ bytes after"):
        endgames.read(path, TURKISH)


@pytest.mark.parametrize("name", ["KvK", "kkvk", "my tables"])
def test_a_file_of_another_name_is_told_what_it_is_and_how_it_should_be_called(copied: Path, name: str) -> None:
    path = (copied / "turkish" / "KKvK.endgame").rename(copied / "turkish" / f"{name}.endgame")
    endings, complaints = mounted(copied, TURKISH)
    assert complaints == [f"{path}: it holds KKvK of turkish; call it KKvK.endgame; it is ignored"]
    assert endings.look_up(positions.read(TURKISH, "W:WKa1,Kc3:BKh8")) is None


def test_a_table_of_another_game_is_told_where_it_belongs(copied: Path) -> None:
    path = copied / "croda" / "KvK.endgame"
    path.parent.mkdir()
    shutil.copy(copied / "turkish" / "KKvK.endgame", path)
    told = f"{path}: it holds KKvK of 'turkish', not of croda; it belongs to {copied / 'turkish' / 'KKvK.endgame'}"
    assert mounted(copied, CRODA)[1] == [f"{told}; it is ignored"]


@pytest.mark.parametrize(
    ("field", "value"), [("won", -1), ("won", "7"), ("lost", True), ("longest", 2.5), ("blocks", -4), ("starts", None)]
)
def test_a_file_with_impossible_numbers_is_named_and_ignored(copied: Path, field: str, value: object) -> None:
    path = copied / "turkish" / "KKvK.endgame"
    line, _, body = path.read_bytes().partition(b"\n")
    header = json.loads(line)
    header["tables"][0][field] = value
    del header["checksum"]
    header["checksum"] = endgames.checksum(header, [body])
    path.write_bytes(json.dumps(header).encode() + b"\n" + body)
    (complaint,) = mounted(copied, TURKISH)[1]
    assert complaint.startswith(f"{path}: this is not a file of endgame tables")


def test_a_file_of_another_game_is_refused(copied: Path) -> None:
    shutil.move(copied / "turkish", copied / "croda")
    endings, complaints = mounted(copied, CRODA)
    assert endings.most_pieces == 0
    assert len(complaints) == 9
    assert all(" of 'turkish', not of croda; it belongs to " in complaint for complaint in complaints)


def test_a_file_made_for_other_rules_is_refused(copied: Path) -> None:
    changed = replace(TURKISH, king_landing=Landing.DIRECTLY_BEHIND)
    with pytest.raises(EndgameError, match="it was made for other rules of turkish; build it again"):
        endgames.read(copied / "turkish" / "KvK.endgame", changed)


def test_a_file_of_another_format_is_refused(copied: Path) -> None:
    path = copied / "turkish" / "KvK.endgame"
    line, _, rest = path.read_bytes().partition(b"\n")
    header = json.loads(line)
    header["format"] = 0
    path.write_bytes(json.dumps(header).encode() + b"\n" + rest)
    with pytest.raises(EndgameError, match="its format is 0, not 1; build it again"):
        endgames.read(path, TURKISH)


def test_rules_that_decide_endings_differ_between_the_games() -> None:
    assert len({endgames.rules_of(variant) for variant in (INTERNATIONAL, TURKISH, TURKISH_APP, CRODA)}) == 4
