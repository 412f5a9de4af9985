"""The runner of the campaigns: each has what it needs, and its verdict is the last line and the exit status."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from turkengine.games import VARIANTS

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "scripts"


@pytest.fixture
def campaign(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The runner, as the campaigns import it."""
    for folder in (SCRIPTS, SCRIPTS / "campaigns", ROOT / "tests"):
        monkeypatch.syspath_prepend(str(folder))
    spec = importlib.util.spec_from_file_location("campaign", SCRIPTS / "campaign.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "campaign", module)
    spec.loader.exec_module(module)
    return module


def test_every_campaign_says_what_it_is_and_how_large(campaign: ModuleType) -> None:
    names = campaign.names()
    assert {"aarch64", "damage", "games", "kills", "leaks", "memory", "races", "sessions", "workers"} <= set(names)
    for name in names:
        module = importlib.import_module(name)
        assert len((module.__doc__ or "").partition("\n")[0]) > 20, name
        assert module.SIZE >= 1, name
        assert callable(module.run), name


@pytest.mark.parametrize(
    ("content", "verdict", "status"),
    [
        ('    return f"{size} seen"', "passed, 7 seen", 0),
        ('    raise AssertionError("one\\n  is wrong")', "failed, one is wrong", 1),
        ("    return 1 // 0", "failed, ZeroDivisionError: integer division or modulo by zero", 1),
        ('    raise Missing("there is no compass")', "not run, there is no compass", 2),
    ],
)
def test_the_verdict_is_the_last_line_and_the_status(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    campaign: ModuleType,
    content: str,
    verdict: str,
    status: int,
) -> None:
    name = f"pretended_{status}_{len(content)}"
    head = '"""Nothing but a verdict"""\nfrom campaign import Missing\nSIZE = 7\ndef run(size, folder):\n'
    (tmp_path / f"{name}.py").write_text(head + content + "\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert campaign.carried_out(name, None, tmp_path / "work") == status
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"{name}: {verdict} (")


def test_a_small_campaign_runs_as_people_start_it(tmp_path: Path) -> None:
    for size in (2, 3):  # the second goes on where the first has stopped
        command = [str(SCRIPTS / "campaign"), "games", "--size", str(size), "--folder", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        verdict = f"games: passed, {size} games of each of {len(VARIANTS)} variants, "
        assert done.stdout.splitlines()[-1].startswith(verdict)
