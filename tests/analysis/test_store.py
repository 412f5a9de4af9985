"""What is done is kept, and is known again."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from analysis.scripted import ScriptedEngine, positions_of

from turkengine.analysis.annotate import judged
from turkengine.analysis.judged import JudgedGame
from turkengine.analysis.store import AnalysisStore, digest_of
from turkengine.api.limit import Limit
from turkengine.api.position import Position
from turkengine.errors import OptionError
from turkengine.storage import StoreError

DIGEST = digest_of("international", "W:W31-50:B1-20", ["32-28"])


def record() -> JudgedGame:
    positions = positions_of(Position(), "32-28")
    return judged(ScriptedEngine({}), positions, positions[-1].moves, Limit(nodes=1))


def test_a_game_is_found_again(tmp_path: Path) -> None:
    with AnalysisStore(tmp_path / "a.db") as store:
        assert DIGEST not in store
        store.add(DIGEST, record())
        store.add(DIGEST, record())
    with AnalysisStore(tmp_path / "a.db") as store:
        assert DIGEST in store
        assert len(store) == 1
        found = store.record(DIGEST)
        assert found is not None
        assert found.as_data() == record().as_data()
        assert store.record(b"another") is None


def test_games_differ_by_variant_start_and_moves() -> None:
    others = [
        digest_of("croda", "W:W31-50:B1-20", ["32-28"]),
        digest_of("international", "B:W31-50:B1-20", ["32-28"]),
        digest_of("international", "W:W31-50:B1-20", ["32-28", "19-23"]),
    ]
    assert len({DIGEST, *others}) == 4


def test_other_settings_are_refused_with_both_values(tmp_path: Path) -> None:
    with AnalysisStore(tmp_path / "a.db") as store:
        store.settle({"limit": "nodes=100", "multipv": "1"})
        store.settle({"limit": "nodes=100", "multipv": "1"})
        with pytest.raises(OptionError, match="with limit 'nodes=100', not 'nodes=200'"):
            store.settle({"limit": "nodes=200", "multipv": "1"})


def test_a_file_of_another_work_is_refused_before_its_settings(tmp_path: Path) -> None:
    for name, work, other in (("a.db", {}, {"work": "puzzles"}), ("p.db", {"work": "puzzles"}, {})):
        with AnalysisStore(tmp_path / name) as store:
            store.settle({"engine": "ours", **work})
            held, wanted = (some.get("work", "analysis") for some in (work, other))
            with pytest.raises(OptionError, match=f"{name} holds {held}, not {wanted}; name another file"):
                store.settle({"proof": "9", **other})


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("this is no database, however long it is" * 100)
    with pytest.raises(StoreError, match="cannot be used"):
        AnalysisStore(text)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as database:
        database.execute("create table something (a)")
    with pytest.raises(StoreError, match="something else"):
        AnalysisStore(other)
    newer = tmp_path / "newer.db"
    AnalysisStore(newer).close()
    with sqlite3.connect(newer) as database:
        database.execute("pragma user_version = 99")
    with pytest.raises(StoreError, match="format 99"):
        AnalysisStore(newer)
