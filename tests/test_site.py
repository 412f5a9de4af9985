"""The documentation is made without a warning, and holds every page and every public name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import turkengine

pytest.importorskip("sphinx")
pytest.importorskip("myst_parser")
pytest.importorskip("furo")

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("protocol/*.md")])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    options = ["--fail-on-warning", "--keep-going", "--quiet", "--conf-dir", "docs", "--doctree-dir", f"{folder}/trees"]
    command = [sys.executable, "-m", "sphinx", *options, ".", f"{folder}/pages"]
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=110)
    assert (result.returncode, result.stderr) == (0, "")
    return folder / "pages"


def test_every_page_is_in_it(site: Path) -> None:
    made = {path.relative_to(site).with_suffix(".md").as_posix() for path in site.rglob("*.html")}
    assert {page.relative_to(ROOT).as_posix() for page in PAGES} <= made
    assert 'url=docs/index.html"' in (site / "index.html").read_text(encoding="utf-8")


def test_every_public_name_is_explained(site: Path) -> None:
    reference = (site / "docs" / "reference.html").read_text(encoding="utf-8")
    told = set(re.findall(r'id="turkengine\.(?:errors\.)?(\w+)"', reference))
    assert set(turkengine.__all__) - {"__version__"} - told == set()


def test_links_from_page_to_page_lead_somewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        links = re.findall(r'href="(?!\w+:)([^"#?]+)', page.read_text(encoding="utf-8"))
        assert [link for link in links if not (page.parent / link).exists()] == []
