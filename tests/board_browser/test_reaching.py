"""Fingers, keys, and people who do not see the page: all of them play."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from board.serving import Board, Browser
from board_browser.visiting import PHONE, Visitor, waited_for

Visit = Callable[..., Visitor]

ENDING = "W:WKa1,Kc1:BKh8"
SHORT = 2649  # the seed of a game of 20 moves


class Finger:
    """A touch as the screen reports it."""

    def __init__(self, visitor: Visitor) -> None:
        self.session = visitor.context.new_cdp_session(visitor.page)

    def __call__(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def test_a_finger_taps_and_drags(visit: Visit) -> None:
    visitor = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    visitor.make("international")
    visitor.page.touchscreen.tap(*visitor.middle("32"))
    assert visitor.label("28") == "can be reached"
    x, y = visitor.middle("28")
    visitor.page.touchscreen.tap(x + 22, y + 3)  # on the light square beside it
    visitor.has_moves("32-28")
    finger = Finger(visitor)
    finger("touchStart", visitor.middle("19"))
    for part in (0.3, 0.6, 1):
        (ax, ay), (bx, by) = visitor.middle("19"), visitor.middle("23")
        finger("touchMove", (ax + (bx - ax) * part, ay + (by - ay) * part))
    finger("touchEnd")
    visitor.has_moves("32-28", "19-23")
    assert visitor.page.evaluate("() => scrollY") == 0, "the page stays while a finger is on the board"


class Keys:
    """Somebody who has nothing but a keyboard."""

    def __init__(self, visitor: Visitor, variant: dict[str, Any]) -> None:
        self.visitor = visitor
        self.places = [(square["file"], square["rank"]) for square in variant["squares"]]
        self.names = [square["name"] for square in variant["squares"]]

    def press(self, *keys: str) -> None:
        for key in keys:
            self.visitor.page.keyboard.press(key)

    def here(self) -> int:
        return int(self.visitor.page.evaluate("() => document.activeElement.dataset.square"))

    def go(self, square: int) -> None:
        (file, rank), (to_file, to_rank) = self.places[self.here()], self.places[square]
        self.press(*["ArrowUp" if to_rank > rank else "ArrowDown"] * abs(to_rank - rank))
        file = self.places[self.here()][0]
        self.press(*["ArrowRight" if to_file > file else "ArrowLeft"] * abs(to_file - file))
        assert self.here() == square

    def play(self, choice: dict[str, Any], legal: list[dict[str, Any]]) -> None:
        """The taps of a route as far as they are needed, and the one that is meant of those that are offered."""
        taps: list[int] = []
        for square in choice["routes"][0]:
            self.go(square)
            self.press("Enter")
            taps.append(square)
            if len(taps) > 1 and sum(any(leads(taps, route) for route in one["routes"]) for one in legal) == 1:
                return
        self.visitor.page.locator(f'.choices [data-act="{choice["move"]}"]').press("Enter")


def leads(taps: list[int], route: list[int]) -> bool:
    """Whether the taps lie on a route in their order."""
    rest = iter(route)
    return taps[0] == route[0] and all(tap in rest for tap in taps)


def test_a_whole_game_by_keyboard(visit: Visit, running: Board) -> None:
    visitor = visit().open()
    visitor.page.wait_for_selector(".begin")
    visitor.page.keyboard.press("Tab")
    for _ in range(40):
        if visitor.page.evaluate("() => document.activeElement.name") == "opponent":
            break
        visitor.page.keyboard.press("Tab")
    visitor.page.keyboard.press("ArrowRight")  # somebody beside me
    visitor.page.keyboard.press("Enter")
    visitor.sees("White to move")
    address = visitor.page.url.removeprefix(visitor.origin)
    following = Browser(running.port).connect(address)
    game = following.next("game")
    for _ in range(40):
        if visitor.page.evaluate("() => document.activeElement.getAttribute('role')") == "gridcell":
            break
        visitor.page.keyboard.press("Tab")
    keys, now, chance = Keys(visitor, game["variant"]), game["now"], random.Random(SHORT)
    while now["ending"] is None:
        legal = sorted(now["legal"], key=lambda choice: choice["move"])
        keys.play(chance.choice(legal), legal)
        now = following.next("played")["now"]
        visitor.page.locator(f".moves [data-ply='{now['ply']}']").wait_for()
    following.close()
    assert now["ply"] == 20
    visitor.sees("0-1. Black wins. No piece is left")
    assert visitor.spoken[-1].endswith("Black wins. No piece is left.")


def test_each_move_is_read_though_it_is_the_same_again(visit: Visit) -> None:
    visitor = visit()
    visitor.make("turkish", fen="W:WKa1:BKh8,Kg7")
    for _ in range(2):
        visitor.tap("a1", "a2", "h8", "h7", "a2", "a1", "h7", "h8")  # faster than the server answers
    waited_for(lambda: len(visitor.moves) == 8, lambda: str(visitor.moves), visitor)
    assert visitor.spoken[-2] == visitor.spoken[-6] == "White: a2 to a1. Black to move"
    visitor.page.get_by_role("button", name="One move back").click()
    visitor.page.get_by_role("button", name="One move on").click()
    visitor.page.get_by_role("button", name="One move back").click()
    assert visitor.spoken[-1] == visitor.spoken[-3] == "White: a2 to a1."


def test_a_move_can_be_typed(visit: Visit) -> None:
    visitor = visit()
    visitor.make()
    typed = visitor.page.get_by_label("Type a move")
    typed.fill("c3c4")
    typed.press("Enter")
    visitor.has_moves("c3-c4")
    typed.fill("nonsense")
    typed.press("Enter")
    visitor.page.locator(".toast.bad").wait_for()
    assert typed.input_value() == "nonsense"


def test_the_squares_say_what_stands_on_them(visit: Visit) -> None:
    visitor = visit()
    visitor.make("international", fen="W:WK46,32:B19")
    assert visitor.page.locator("[role=grid] [role=row]").count() == 10
    assert visitor.page.locator("[role=gridcell]").count() == 50
    assert visitor.label("46") == "white king"
    assert visitor.label("32") == "white man"
    assert visitor.page.locator('[role=gridcell][tabindex="0"]').count() == 1
    visitor.page.get_by_role("button", name="Turn the board").click()
    assert visitor.page.locator("[role=gridcell]").first.get_attribute("aria-label") == "50"


def test_what_was_chosen_for_the_eyes_and_hands_lasts(visit: Visit) -> None:
    visitor = visit().open()
    visitor.page.get_by_text("Settings").click()
    visitor.page.get_by_label("Colours").select_option("dark")
    visitor.page.get_by_label("Buttons").select_option("left")
    visitor.page.get_by_label("Language").select_option("tr")
    visitor.sees("Dama oyna", "h1")
    visitor.make()
    root = visitor.page.locator("html")
    assert [root.get_attribute(name) for name in ("data-theme", "data-hand", "lang")] == ["dark", "left", "tr"]
    visitor.sees("Beyaz")
    board = visitor.page.locator(".board.play").bounding_box()
    status = visitor.page.locator(".status").bounding_box()
    assert status["x"] < board["x"]


def test_an_ending_is_read(visit: Visit) -> None:
    visitor = visit()
    visitor.make(fen=ENDING)
    visitor.page.get_by_role("button", name="Give up").click()
    visitor.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    waited_for(lambda: "Black wins. White has given up." in visitor.spoken[-1], lambda: str(visitor.spoken), visitor)
