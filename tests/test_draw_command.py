"""The command `turkengine draw` as it is used."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from turkengine.commands import turkengine

SHOT = "W:W26,27,28,32,37,44:B12,16,17,19,20,34,35"


def draw(*words: str) -> Result:
    return CliRunner().invoke(turkengine, ["draw", *words])


def test_a_drawing_goes_to_standard_output() -> None:
    result = draw(SHOT, "--arrow", "28-22", "--mark", "22=!", "--mark", "17", "--size", "300")
    assert result.exit_code == 0
    drawing = ElementTree.fromstring(result.output)
    assert (drawing.get("width"), drawing.get("height")) == ("300", "300")
    assert drawing.get("aria-label") == f"international {SHOT}"


def test_moves_are_played_first(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert draw("start", "--moves", "32-28 19-23", "-o", str(file), "--flipped").exit_code == 0
    assert file.read_text().count("tk-last") == 3  # once among the styles
    assert draw("start", "--variant", "turkish", "--moves", "a3-a4", "--no-coordinates").exit_code == 0


def test_a_png_is_written_where_the_name_says_so(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    file = tmp_path / "board.png"
    assert draw("start", "-o", str(file)).exit_code == 0
    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("start", "-o", "board.gif"), "ends neither in .svg nor in .png"),
        (("start", "-o", "nowhere/board.svg"), "No such file or directory"),
        (("rubbish",), "a FEN begins with the side to move"),
        (("start", "--moves", "32-23"), "'32-23' is not a legal move"),
        (("start", "--mark", "51"), "international has no square '51'; the squares are 1 to 50"),
        (("start", "--mark", "28=yes"), "write one or two letters"),
        (("start", "--mark", "28=\x01"), "a mark cannot hold the character U+0001"),
        (("start", "--mark", "28=\udcff"), "a mark cannot hold the character U+DCFF"),
        (("start", "--arrow", "32-\x1b28"), "has no square '\\x1b28'"),
        (("start", "--arrow", "28"), "names one square only"),
    ],
)
def test_what_cannot_be_drawn_is_named(words: tuple[str, ...], reason: str) -> None:
    result = draw(*words)
    assert result.exit_code == 2
    assert reason in " ".join(result.output.split())
