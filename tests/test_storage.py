"""Files of any form: never mixed up, never half written, gone on with under the same settings only."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from turkengine.errors import OptionError
from turkengine.storage import Form, Storage, StoreError

FORM = Form(
    application=0x74657374,
    version=3,
    tables="create table note (text text not null);",
    role="a file of notes",
    content="a notebook",
    same="the same pens",
    synchronous=1,
    without_path=":memory:",
)


class Notes(Storage):
    form = FORM

    def write(self, *notes: str | None) -> None:
        with self._transaction():
            for note in notes:
                self._database.execute("insert into note values (?)", (note,))

    def all(self) -> list[str]:
        return [text for (text,) in self._database.execute("select text from note")]


class LaterNotes(Notes):
    form = replace(FORM, version=4)


class Letters(Notes):
    form = replace(FORM, application=0x6C657474)


def test_what_is_kept_is_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    with Notes(tmp_path / "n.db") as notes:
        notes.write("one", "two")
    with Notes(tmp_path / "n.db") as notes:
        assert notes.all() == ["one", "two"]
    with sqlite3.connect(tmp_path / "n.db") as database:
        assert database.execute("pragma application_id").fetchone() == (0x74657374,)
        assert database.execute("pragma user_version").fetchone() == (3,)
        assert database.execute("pragma journal_mode").fetchone() == ("wal",)


def test_without_a_path_nothing_stays() -> None:
    with Notes() as notes:
        notes.write("one")
    with Notes() as notes:
        assert notes.all() == []


def test_a_change_that_fails_leaves_nothing_and_the_next_one_works(tmp_path: Path) -> None:
    with Notes(tmp_path / "n.db") as notes:
        with pytest.raises(sqlite3.IntegrityError):
            notes.write("one", None)
        notes.write("two")
        assert notes.all() == ["two"]


def test_settings_are_kept_and_the_first_that_differs_is_named(tmp_path: Path) -> None:
    with Notes(tmp_path / "n.db") as notes:
        notes.settle({"ink": "blue", "nib": "1"})
    with Notes(tmp_path / "n.db") as notes:
        notes.settle({"ink": "blue", "nib": "1"})
        with pytest.raises(OptionError) as caught:
            notes.settle({"ink": "red", "nib": "2"})
        cure = "give the same pens to continue, or name another file"
        assert str(caught.value) == f"{tmp_path / 'n.db'} holds a notebook with ink 'blue', not 'red'; {cure}"
        with pytest.raises(OptionError, match="with nib '1', not 'not given'"):
            notes.settle({"ink": "blue"})


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (LaterNotes, r"has format 4, and this version reads 3; name another file"),
        (Letters, r"is a database of something else; name another file"),
    ],
)
def test_a_file_of_another_form_is_refused_and_stays_as_it_is(tmp_path: Path, other: type[Notes], message: str) -> None:
    path = tmp_path / "n.db"
    with other(path) as notes:
        notes.write("one")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=message):
        Notes(path)
    assert path.read_bytes() == before


def test_what_is_no_database_or_cannot_be_made_is_told(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("these are my notes, and there is quite a lot of them\n" * 100)
    with pytest.raises(StoreError, match="text cannot be used as a file of notes: file is not a database"):
        Notes(text)
    with pytest.raises(StoreError, match=r"n\.db cannot be used as a file of notes: unable to open"):
        Notes(tmp_path / "missing" / "n.db")
