"""Public game files with what is known of each game, where the variable names the folder that holds them.

The folder holds `expected.tsv`, one line a game, and the files it names under `pdn/`.
"""

from __future__ import annotations

import csv
import io
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from turkengine.engine.kernel_types import load_kernel
from turkengine.notation.fen import Setup
from turkengine.notation.hub import write_hub
from turkengine.notation.pdn import PdnEntry, PdnGame, normalised, read, replay, write
from turkengine.notation.pdn.kinds import game_number
from turkengine.rules.variant import Variant

CORPUS = os.environ.get("TURKENGINE_PDN_CORPUS", "")

pytestmark = pytest.mark.skipif(not CORPUS, reason="TURKENGINE_PDN_CORPUS must name the folder of the corpus")


def known() -> dict[str, list[dict[str, str]]]:
    """What is known of the games of each file, in their order."""
    if not CORPUS:
        return {}
    files: dict[str, list[dict[str, str]]] = defaultdict(list)
    with (Path(CORPUS) / "expected.tsv").open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
            files[row["file"]].append(row)
    return files


KNOWN = known()
every_file = pytest.mark.parametrize("file", KNOWN)


def entries(file: str) -> list[PdnEntry]:
    return list(read(Path(CORPUS) / "pdn" / file))


def compiled(variant: Variant, setup: Setup | None) -> Any:
    maker = load_kernel(variant).Position
    return maker.start() if setup is None else maker.from_cells(setup.cells, setup.side)


@every_file
def test_every_game_is_found_with_its_moves_and_its_end(file: str) -> None:
    found = [(str(len(entry.game.moves)), entry.game.terminator) for entry in entries(file)]
    assert found == [(row["plies"], row["terminator"] or "*") for row in KNOWN[file]]


@every_file
def test_every_game_replays_as_known(file: str) -> None:
    for entry, row in zip(entries(file), KNOWN[file], strict=True):
        played = replay(entry.game, maker=compiled)
        number = row["variant"].removesuffix("i")
        if number != "20":
            assert played.variant is None, entry.number
            continue
        assert played.variant is not None
        assert (str(game_number(played.variant)), played.inferred) == (number, row["variant"].endswith("i"))
        assert (played.fault is None) == (row["legal"] == "yes"), played.fault
        assert [found for found in played.illegal if found.in_variation] == []
        if played.fault is not None:
            assert str(played.fault.ply) == row["first_illegal_ply"]
        if row["final_position"]:
            assert write_hub(played.positions[-1]) == row["final_position"]


@every_file
def test_the_readable_rules_replay_every_game_alike(file: str) -> None:
    for entry in entries(file):
        slow, fast = replay(entry.game), replay(entry.game, maker=compiled)
        assert (slow.variant, slow.moves, slow.illegal) == (fast.variant, fast.moves, fast.illegal)


@every_file
def test_nothing_is_lost_when_a_game_is_written(file: str) -> None:
    found = [entry.game for entry in entries(file)]
    assert reread(found) == found


@every_file
def test_the_standard_form_is_the_same_game(file: str) -> None:
    for entry in entries(file):
        game, played = normalised(entry.game, maker=compiled)
        assert reread([game]) == [game]
        again = replay(game, maker=compiled)
        assert (again.variant, again.moves) == (played.variant, played.moves)
        assert len(game.moves) == len(entry.game.moves)


@every_file
def test_a_file_that_strict_readers_refuse_has_its_fault_named_and_no_other_has(file: str) -> None:
    faulty = any(entry.faults for entry in entries(file))
    cut_off = file.endswith("nk2003-amsterdam.pdn")  # its last game has a result in the tag and no moves
    assert faulty is (file.startswith("fail/") or cut_off)


def reread(games: list[PdnGame]) -> list[PdnGame]:
    return [entry.game for entry in read(io.StringIO("".join(map(write, games))))]
