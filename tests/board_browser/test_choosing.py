"""Captures are tapped by their end or on the way; where several fit, each is offered with its picture."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from board_browser.visiting import Visitor

from turkengine.board.choices import choices
from turkengine.games import VARIANTS
from turkengine.match.game import MatchGame
from turkengine.rules.position import Position
from turkengine.rules.variant import Variant

Visit = Callable[..., Visitor]

THREE = "W:WK4,30,37,38,39,41,43,46,48,49:B3,6,8,9,12,19,20,23,28"
CROWD = "W:WKe8,Kf1:BKg6,Kf7,Ke2,Kg2,Kc8,Kg4,Ke6,Kg8,Kh1,Kd5,Kb3,Kd1,Kf5,Kh3,Kb7,Kd7"  # more routes than are looked for
FOUR = "B:WKc8,Ke6,e5,f4,h4,b3,c3,d2:BKh1"


def arrows(visitor: Visitor) -> int:
    return visitor.page.locator(".layer-arrows .arrow").count()


def test_three_captures_between_two_squares(visit: Visit) -> None:
    visitor = visit()
    visitor.make("international", fen=THREE)
    visitor.tap("4", "15")
    visitor.sees("3 captures fit: which?")
    offered = visitor.page.locator(".choices button")
    assert [one.get_attribute("title") for one in offered.all()] == ["4x13x24x15", "4x18x29x15", "4x22x33x15"]
    assert arrows(visitor) == 3
    assert visitor.page.locator(".layer-rings .ring").count() == 5
    assert visitor.page.locator(".choices .ring").count() == 9, "each picture rings its own three"
    offered.nth(1).hover()
    assert arrows(visitor) == 1
    assert visitor.page.locator(".layer-rings .ring").count() == 3
    offered.nth(1).click()
    visitor.has_moves("4x18x29x15")


def test_a_landing_on_the_way_decides(visit: Visit) -> None:
    visitor = visit()
    visitor.make("international", fen=THREE)
    visitor.tap("4", "22")
    visitor.has_moves("4x22x33x15")
    assert [visitor.label(name) for name in ("9", "28", "20", "15")] == ["", "", "", "white king"]


def test_four_captures_end_on_one_square(visit: Visit) -> None:
    visitor = visit()
    visitor.make("turkish", fen=FOUR)
    visitor.tap("h1", "b2")
    visitor.sees("4 captures fit: which?")
    visitor.tap("h6")  # no way leads from there: what was chosen stays
    visitor.sees("4 captures fit: which?")
    visitor.page.get_by_role("button", name="Another piece").click()
    visitor.tap("h1", "b2", "c2")
    visitor.sees("3 captures fit: which?")
    visitor.page.locator(".choices button").nth(1).press("Enter")
    visitor.has_moves("h1xh8xb8xb2xf2xf5xc5xc2")


def test_what_is_jumped_stays_until_the_capture_is_complete(visit: Visit) -> None:
    visitor = visit()
    visitor.make("turkish", fen=FOUR)
    visitor.tap("h1", "h5")
    assert visitor.label("h4") == "white man, would be captured"
    assert visitor.page.locator(".choices button").count() > 1


def test_what_is_captured_goes_when_the_piece_has_arrived(visit: Visit) -> None:
    visitor = visit(still=False)
    visitor.make("turkish", fen=FOUR)
    visitor.tap("h1", "b2")
    visitor.page.locator(".choices button").first.press("Enter")
    visitor.page.locator(".layer-moving .piece").wait_for()
    assert visitor.page.locator(".piece.going").count() == 7
    visitor.page.locator(".layer-moving .piece").wait_for(state="detached")
    assert visitor.page.locator(".piece").count() == 2
    assert visitor.label("b2") == "black king"


def test_a_circular_capture_ends_with_a_tap_on_the_piece_itself(visit: Visit) -> None:
    visitor = visit()
    visitor.make("turkish", fen="W:WKa1,h3:Ba3,c5,e3,Kc1,h7")
    visitor.tap("a1")
    assert "can be reached" in visitor.label("a1")
    visitor.tap("a1")
    visitor.has_moves("a1xa1")
    assert visitor.label("a1") == "white king"


def test_without_all_routes_the_moves_themselves_are_offered(visit: Visit) -> None:
    visitor = visit()
    visitor.make("turkish", fen=CROWD)
    visitor.tap("f1")
    visitor.sees("5 captures fit: which?")
    offered = visitor.page.locator(".choices button")
    text = offered.nth(4).get_attribute("title")
    offered.nth(4).click()
    visitor.has_moves(text)


def test_a_drag_and_a_second_tap_on_the_end(visit: Visit) -> None:
    visitor = visit()
    visitor.make()
    visitor.page.mouse.move(*visitor.middle("a3"))
    visitor.page.mouse.down()
    visitor.page.mouse.move(*visitor.middle("a5"), steps=5)
    assert visitor.label("a4") == "can be reached"
    visitor.page.mouse.move(*visitor.middle("a4"), steps=5)
    visitor.page.mouse.up()
    visitor.has_moves("a3-a4")


EACH_BY_ITS_TAPS = """async (positions) => {
  const { tap, isChoice, offered, possible } = await import('/static/tapping.js');
  const unreached = [];
  for (const { cells, side, legal, complete } of positions) {
    for (const choice of legal) for (const route of choice.routes) {
      let taps = [], found = {};
      for (const square of route) {
        found = tap(legal, taps, square, { cells, side, incomplete: !complete });
        if (found.play || !found.taps) break;
        taps = found.taps;
      }
      const left = possible(legal, taps);
      const there = found.play ? [found.play] : isChoice(left, taps, complete) ? offered(left, taps) : [];
      const end = tap(legal, taps, route[route.length - 1], { cells, side, incomplete: !complete });
      if (!there.some(({ move }) => move === choice.move) && end.play?.move !== choice.move) {
        unreached.push([choice.move, route, taps]);
      }
    }
  }
  return unreached;
}"""


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_every_legal_move_is_reached_by_its_taps(visit: Visit, variant: Variant) -> None:
    chance, positions = random.Random(14), []
    while len(positions) < 150:
        game = MatchGame(Position.start(variant))
        while game.ending is None and len(game.moves) < 120:
            found, complete = choices(game.position)
            legal = [choice.as_data(variant.board) for choice in found]
            if any(len(choice["captured"]) > 1 for choice in legal) or not chance.randrange(10):
                side = game.side.value
                positions.append({"cells": game.position.cells, "side": side, "legal": legal, "complete": complete})
            game.play(chance.choice(found).move, seconds=0.0)
    visitor = visit().open()
    assert sum(len(choice["routes"]) for position in positions for choice in position["legal"]) > 500
    assert visitor.page.evaluate(EACH_BY_ITS_TAPS, positions) == []
