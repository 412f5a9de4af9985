"""Pages in a browser without a window: the script runs under the page's own policy, and boards follow moves."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from pages.test_rendering import analysis_page, puzzles_page

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no browser is on PATH")


def shown(page: str, place: str, folder: Path) -> str:
    """The elements of a page as they are once its script has run."""
    assert BROWSER is not None
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")
    quiet = ("--disable-background-networking", "--disable-component-update", "--disable-sync")
    command = [
        BROWSER,
        *options,
        *quiet,
        f"--user-data-dir={folder / 'profile'}",
        "--dump-dom",
        f"{path.as_uri()}#{place}",
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=True).stdout


def test_an_address_leads_to_a_position_of_a_game(tmp_path: Path) -> None:
    page = shown(analysis_page("A"), "g1.2", tmp_path)
    (board,) = re.findall(r'<div class="board"><svg.*?</svg></div>', page, re.DOTALL)
    assert 'aria-label="White men 26 27 28 32 37; Black men 12 16 17 19 20 34 44"' in board
    assert board.count("tk-last") == 2
    assert re.findall(r'data-ply="(\d)" class="m[ \w]* now" aria-current="step"', page) == ["2"]
    assert "1... 35x44" in re.findall(r'aria-live="polite"><b>([^<]*)', page)[0]


def test_a_solution_is_closed_until_it_is_asked_for(tmp_path: Path) -> None:
    assert "<details><summary>Solution" in shown(puzzles_page("A"), "", tmp_path)


def test_an_address_leads_into_a_solution(tmp_path: Path) -> None:
    page = shown(puzzles_page("A"), "p1.3", tmp_path)
    assert '<details open=""><summary>Solution' in page
    assert 'aria-label="White men 25 26 27 37 44; Black men 12 16 34 35"' in page
