"""Boards as drawings: what is on them, and where."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from math import hypot

import pytest

from turkengine.drawing.svg import BAD, GOOD, Arrow, SquareMark, board_svg, definitions
from turkengine.games import INTERNATIONAL, TURKISH, VARIANTS
from turkengine.notation import fen
from turkengine.rules.position import Position

SVG = "{http://www.w3.org/2000/svg}"


def found(drawing: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [element for element in drawing.iter() if element.get("class") == kind]


def place(element: ElementTree.Element) -> tuple[str | None, str | None]:
    return element.get("cx"), element.get("cy")


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_every_start_is_a_well_formed_drawing_with_all_pieces(variant) -> None:
    position = Position.start(variant)
    drawing = ElementTree.fromstring(board_svg(variant.board, position.cells))
    assert drawing.tag == f"{SVG}svg"
    assert len(found(drawing, "tk-w")) == len(found(drawing, "tk-b")) == variant.pieces_per_side


def test_pieces_stand_where_the_board_has_their_squares() -> None:
    cells = fen.parse(INTERNATIONAL, "W:W46:B5").cells
    drawing = ElementTree.fromstring(board_svg(INTERNATIONAL.board, cells))
    assert place(found(drawing, "tk-w")[0]) == ("20", "380")  # the near left corner
    assert place(found(drawing, "tk-b")[0]) == ("380", "20")
    turned = ElementTree.fromstring(board_svg(INTERNATIONAL.board, cells, flipped=True))
    assert place(found(turned, "tk-w")[0]) == ("380", "20")


def test_kings_wear_crowns_and_men_do_not() -> None:
    cells = fen.parse(TURKISH, "W:WKa1,b2:BKh8,g7").cells
    drawing = ElementTree.fromstring(board_svg(TURKISH.board, cells))
    assert len(found(drawing, "tk-cw")) == len(found(drawing, "tk-cb")) == 1
    assert len(found(drawing, "tk-w")) == 2


def test_numbers_stand_on_dark_squares_and_letters_along_the_edge() -> None:
    dark = ElementTree.fromstring(board_svg(INTERNATIONAL.board, "e" * 50))
    assert [element.text for element in found(dark, "tk-name")] == [str(number) for number in range(1, 51)]
    edged = ElementTree.fromstring(board_svg(TURKISH.board, "e" * 64))
    assert [element.text for element in found(edged, "tk-edge")] == [*"abcdefgh", *"87654321"]
    turned = ElementTree.fromstring(board_svg(TURKISH.board, "e" * 64, flipped=True))
    assert [element.text for element in found(turned, "tk-edge")] == [*"hgfedcba", *"12345678"]
    bare = ElementTree.fromstring(board_svg(TURKISH.board, "e" * 64, names=False))
    assert bare.get("viewBox") == "0 0 320 320"


def test_moves_arrows_and_marks_are_drawn() -> None:
    drawing = ElementTree.fromstring(
        board_svg(
            INTERNATIONAL.board,
            "e" * 50,
            last=(31, 27),
            arrows=(Arrow(31, 27, GOOD), Arrow(4, 4, BAD)),
            marks=(SquareMark(27, "?!", BAD),),
            size=200,
            title="a <board>",
        )
    )
    assert len(found(drawing, "tk-last")) == 2
    assert [element.tag for element in found(drawing, "tk-arrow")] == [f"{SVG}g", f"{SVG}circle"]
    assert [element.text for element in found(drawing, "tk-mark")] == ["?!"]
    assert (drawing.get("width"), drawing.get("height")) == ("200", "200")
    assert drawing.get("aria-label") == "a <board>"


def test_an_arrow_turns_where_the_capture_turns() -> None:
    drawing = ElementTree.fromstring(
        board_svg(TURKISH.board, "e" * 64, arrows=[Arrow(1, 21, via=(41, 45))], names=False)
    )
    shaft = drawing.find(f".//{SVG}polyline")
    head = drawing.find(f".//{SVG}polygon")
    assert shaft is not None
    assert head is not None
    assert shaft.get("points") == "60,300 60,100 220,100 220,206"  # b1, b6, f6, and a head before the middle of f3
    assert head.get("points") == "220,220 212,206 228,206"


def test_marks_stay_within_their_squares() -> None:
    board = INTERNATIONAL.board
    drawing = ElementTree.fromstring(board_svg(board, "e" * 50, marks=(SquareMark(4, "!", GOOD), SquareMark(45))))
    disc = drawing.find(f".//{SVG}circle")
    assert disc is not None
    x, y, radius = (float(disc.get(name, "")) for name in ("cx", "cy", "r"))
    assert (x + radius, y - radius) == (400, 0)  # square 5 is the far right corner
    frames = [element for element in drawing.iter(f"{SVG}rect") if element.get("fill") == "none"]
    assert [(frame.get("x"), frame.get("y")) for frame in frames] == [("2", "362")]


def test_numbers_are_not_hidden_by_the_pieces() -> None:
    drawing = ElementTree.fromstring(board_svg(INTERNATIONAL.board, Position.start(INTERNATIONAL).cells))
    name = next(element for element in found(drawing, "tk-name") if element.text == "46")
    x, y = float(name.get("x", "")), float(name.get("y", ""))
    width = 7.5 * 1.25  # of two digits in a wide font
    assert hypot(20 - x - width, 380 - y) > 16  # the far corner of the number from the middle of the man


def test_the_boards_of_a_page_can_share_what_they_are_made_of() -> None:
    cells = Position.start(INTERNATIONAL).cells
    shared = board_svg(INTERNATIONAL.board, cells, alone=False)
    assert "<style>" not in shared
    assert len(shared) < len(board_svg(INTERNATIONAL.board, cells)) / 2
    used = set(re.findall(r'href="#([^"]+)"', shared))
    used |= set(re.findall(r'href="#([^"]+)"', board_svg(TURKISH.board, "wbWB" + "e" * 60, alone=False)))
    defined = ElementTree.fromstring(definitions([INTERNATIONAL.board, TURKISH.board]))
    assert used == {element.get("id") for element in defined.iter("g")}
