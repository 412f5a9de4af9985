"""Every page at every width, light and dark: nothing sticks out, nothing is hidden, nobody is shut out.

Pictures of them go into build/board, to be looked at.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from board.serving import Board
from board_browser.test_choosing import THREE
from board_browser.visiting import Visitor

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
PICTURES = Path(__file__).parents[2] / "build" / "board"
SIZES = ((320, 568), (390, 844), (844, 390), (1280, 800))
RULES = "(rules) => axe.run(document, {runOnly: rules, resultTypes: ['violations']})"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

Visit = Callable[..., Visitor]


def home(visitor: Visitor) -> None:
    visitor.make("international")
    visitor.make(white={"kind": "here", "name": "Ayşe"}, black={"kind": "engine", "level": 2})
    visitor.open().page.locator(".entry").nth(1).wait_for()
    visitor.page.locator(".new details").click()


def game(visitor: Visitor) -> None:
    visitor.make(white={"kind": "here", "name": "Ayşe"}, black={"kind": "here", "name": "Müge"}, time="300+3")
    visitor.tap("c3", "c4", "f6", "f5", "d3", "d4")
    visitor.has_moves("c3-c4", "f6-f5", "d3-d4")
    visitor.tap("g6")


def choosing(visitor: Visitor) -> None:
    visitor.make("international", fen=THREE)
    visitor.tap("4", "15")
    visitor.sees("3 captures fit")


def inviting(visitor: Visitor) -> None:
    visitor.make(black={"kind": "link", "name": ""})
    visitor.page.get_by_role("button", name="Share").click()


def ended(visitor: Visitor) -> None:
    game(visitor)
    visitor.page.get_by_text("Talk", exact=True).click()
    visitor.page.get_by_label("Say something").fill("good luck")
    visitor.page.get_by_label("Say something").press("Enter")
    visitor.page.get_by_role("button", name="Give up").click()
    visitor.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    visitor.sees("wins")


def nothing(visitor: Visitor) -> None:
    visitor.open("/g/nothing").sees("cannot be opened", "h1")


PAGES = (home, game, choosing, inviting, ended, nothing)


@pytest.fixture(scope="module")
def shown(chromium: Any, running: Board) -> Iterator[Callable[[Callable[[Visitor], None]], Visitor]]:
    """A page as it is made once, for all that is looked at."""
    made: dict[str, Visitor] = {}

    def showing(page: Callable[[Visitor], None]) -> Visitor:
        if page.__name__ not in made:
            visitor = made[page.__name__] = Visitor(chromium, running.port)
            visitor.context.add_init_script(AXE)
            page(visitor)
        return made[page.__name__]

    yield showing
    for visitor in made.values():
        visitor.context.close()
    assert [fault for visitor in made.values() for fault in visitor.faults] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__)
def test_nothing_sticks_out(shown: Callable[..., Visitor], page: Callable[[Visitor], None]) -> None:
    visitor = shown(page)
    PICTURES.mkdir(parents=True, exist_ok=True)
    for (width, height), theme in itertools.product(SIZES, ("light", "dark")):
        visitor.page.emulate_media(color_scheme=theme)
        visitor.page.set_viewport_size({"width": width, "height": height})
        if width in (390, 1280):
            visitor.page.screenshot(path=PICTURES / f"{page.__name__}-{width}-{theme}.png")
        assert visitor.page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_board_and_what_is_to_be_chosen_are_seen_together(shown: Callable[..., Visitor], size: Any) -> None:
    visitor = shown(choosing)
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    visitor.page.evaluate("() => scrollTo(0, 0)")
    for place in (".board.play", ".choices button >> nth=0", ".choices button >> nth=1"):
        box = visitor.page.locator(place).bounding_box()
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1], f"{place} goes down to {box['y'] + box['height']} of {size[1]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nobody_is_shut_out(shown: Callable[..., Visitor], page: Callable[[Visitor], None], theme: str) -> None:
    visitor = shown(page)
    visitor.page.emulate_media(color_scheme=theme)
    for width in (390, 1280):
        visitor.page.set_viewport_size({"width": width, "height": 844})
        found = visitor.page.evaluate(RULES, TAGS)["violations"]
        assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
