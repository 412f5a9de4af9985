"""Positions as pictures, by the names of squares and moves."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree

import pytest

from turkengine.api.position import Position
from turkengine.drawing.svg import BAD, GOOD, NEUTRAL
from turkengine.errors import MoveError, OptionError, PositionError

SVG = "{http://www.w3.org/2000/svg}"
KING = "W:WKb1:Bb4,d6,f4,h8"  # Turkish: the king takes three men around two corners


def shafts(drawing: str) -> list[tuple[str | None, str | None]]:
    lines = ElementTree.fromstring(drawing).iter(f"{SVG}polyline")
    return [(line.get("points"), line.get("stroke")) for line in lines]


def squares_of_the_last_move(drawing: str) -> list[tuple[str | None, str | None]]:
    squares = ElementTree.fromstring(drawing).iter(f"{SVG}rect")
    return [(square.get("x"), square.get("y")) for square in squares if square.get("class") == "tk-last"]


def test_the_last_move_is_shown_unless_it_is_not_wanted() -> None:
    position = Position().play("32-28")
    assert squares_of_the_last_move(position.to_svg()) == [("120", "240"), ("160", "200")]
    assert squares_of_the_last_move(position.to_svg(last_move=False)) == []
    assert squares_of_the_last_move(Position().to_svg()) == []


def test_an_arrow_follows_a_capture_over_its_corners() -> None:
    position = Position(KING, "turkish")
    (move,) = (move for move in position.legal_moves() if position.text(move) == "b1xf3")
    told = shafts(position.to_svg(arrows=["b1xf3"], coordinates=False))
    assert told == [("60,300 60,100 220,100 220,206", NEUTRAL)]
    assert shafts(position.to_svg(arrows=[move], coordinates=False)) == told


def test_an_arrow_may_lead_anywhere_and_have_a_colour() -> None:
    told = shafts(Position().to_svg(arrows={"46-5": "teal", "31-26": GOOD}))
    assert told == [("20,380 370.1,29.9", "teal"), ("60,260 29.9,229.9", GOOD)]


def test_marks_have_the_colour_of_what_they_say() -> None:
    drawing = ElementTree.fromstring(Position().to_svg(marks={"28": "!", "27": "?!", "26": "B", "1": ""}))
    discs = [disc.get("fill") for disc in drawing.iter(f"{SVG}circle") if disc.get("r") == "9"]
    assert discs == [GOOD, BAD, NEUTRAL]


def test_a_flipped_board_is_seen_from_black() -> None:
    position = Position("W:Wa1:Bh8", "croda")
    men = list(ElementTree.fromstring(position.to_svg(flipped=True)).iter(f"{SVG}circle"))
    assert [(man.get("cx"), man.get("cy")) for man in men if man.get("class") == "tk-w"] == [("318", "20")]


def test_what_is_on_no_board_is_named() -> None:
    with pytest.raises(PositionError, match="turkish has no square 'z9'; the squares are a1 to h8"):
        Position(variant="turkish").to_svg(marks={"z9": "!"})
    with pytest.raises(MoveError, match="'b3' names one square only"):
        Position(variant="turkish").to_svg(arrows=["b3"])
    with pytest.raises(PositionError, match="international has no square '99'"):
        Position().to_svg(arrows=["99-1"])
    with pytest.raises(ValueError, match="size takes a whole number from 1 to 10000, not 0"):
        Position().to_svg(size=0)


def test_a_png_has_the_size_asked_for() -> None:
    pytest.importorskip("resvg_py")
    content = Position().to_png(size=123, arrows=["32-28"])
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(content[start : start + 4]) for start in (16, 20)] == [123, 123]
    wide = Position(variant="turkish").to_png()
    assert [int.from_bytes(wide[start : start + 4]) for start in (16, 20)] == [480, 480]


def test_without_the_library_a_png_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(OptionError, match=r"the library resvg_py; .* its extra draw, as in: pip install '\.\[draw\]'$"):
        Position().to_png()


@pytest.mark.parametrize("strange", ["\0", "\x01", "\x1b", "\udcff", "\ufffe", "\uffff"])
def test_a_text_that_no_svg_can_hold_is_refused(strange: str) -> None:
    number = f"U\\+{ord(strange):04X}"
    with pytest.raises(ValueError, match=f"^a mark cannot hold the character {number}; .* cannot stand in an SVG$"):
        Position().to_svg(marks={"28": strange})
    with pytest.raises(ValueError, match=f"^a colour cannot hold the character {number}"):
        Position().to_svg(arrows={"32-28": strange})


def test_every_other_text_is_written_so_that_it_is_read_back() -> None:
    for text in ("<&", "\"'", "\u00e9\U0001f600", "]]", "\x85\u2028"):
        drawing = ElementTree.fromstring(Position().to_svg(marks={"28": text}, arrows={"32-28": text}))
        assert text in [word.text for word in drawing.iter(f"{SVG}text")]
        assert [line.get("stroke") for line in drawing.iter(f"{SVG}polyline")] == [text]
