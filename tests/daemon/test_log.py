"""A file for what goes to and fro: it never takes the place of another log, a pipe, or the conversation itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from turkengine.daemon.log import Log
from turkengine.errors import OptionError


def test_a_log_may_lie_in_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    log = Log()
    log.open("~/x.log")
    log.write("<", "a", 1.0)
    assert (log.name, (tmp_path / "x.log").read_text()) == ("~/x.log", "1.000000 < a\n")
    log.open("")


def test_a_log_does_not_go_where_the_conversation_goes(tmp_path: Path) -> None:
    """`turkengine uci > /tmp/out` with /dev/stdout as log would mix both."""
    output = tmp_path / "out"
    code = "from turkengine.daemon.log import Log; Log().open('out')"
    with output.open("wb") as stream:
        refused = subprocess.run(
            [sys.executable, "-c", code], stdout=stream, stderr=subprocess.PIPE, cwd=tmp_path, encoding="utf-8"
        )
    assert "option log-file: 'out' cannot be written, the conversation itself goes through it" in refused.stderr


@pytest.mark.parametrize("name", [".", "nowhere/at/all.log", "a\0b", "a" * 5000])
def test_a_log_that_cannot_be_opened_leaves_the_one_before(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log = Log()
    log.open("{pid}.log")
    log.write("<", "a", 1.0)
    with pytest.raises(OptionError, match=r"option log-file: .* cannot be written"):
        log.open(name)
    log.write(">", "b", 2.0)
    assert log.name == "{pid}.log"
    assert (tmp_path / f"{os.getpid()}.log").read_text() == "1.000000 < a\n2.000000 > b\n"
    log.open("")
    log.write("<", "c", 3.0)
    assert "c" not in (tmp_path / f"{os.getpid()}.log").read_text()
