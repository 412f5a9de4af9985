"""The recipes of docs/cookbook do what they say: each is run as it stands there, in a folder with a file of games."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import documents
import pytest

ROOT = Path(__file__).resolve().parents[1]
COOKBOOK = ROOT / "docs" / "cookbook"
RECIPES = sorted(page for page in COOKBOOK.glob("*.md") if page.stem != "index")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the commands are shown for a POSIX shell")


@pytest.mark.parametrize("page", RECIPES, ids=lambda page: page.stem)
def test_a_recipe_works(page: Path, tmp_path: Path) -> None:
    folder, programs = tmp_path / "folder", tmp_path / "programs"
    folder.mkdir()
    programs.mkdir()
    shutil.copy(ROOT / "tests" / "data" / "pdn" / "cookbook.pdn", folder / "games.pdn")
    environment = documents.surroundings(programs)
    steps = documents.steps_of(page)
    assert any(step.arguments[1] == "-c" and step.output for step in steps)
    for step in steps:
        documents.run(step, folder, environment)


def test_the_cookbook_lists_its_ten_recipes() -> None:
    text = (COOKBOOK / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^[\w-]+$", text.partition("```{toctree}")[2], re.MULTILINE)
    assert sorted(listed) == [page.stem for page in RECIPES]
    assert len(listed) == 10
