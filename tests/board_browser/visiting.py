"""Somebody with a browser: he sees the page, hears what is read to him, taps squares by their names."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

PATIENCE = 10.0  # s
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}

MAKE = """async (body) => (await (await fetch('/api/games', {method: 'POST', body: JSON.stringify(body),
  headers: {'Content-Type': 'application/json'}})).json())"""


class Visitor:
    """One browser context with one page.

    Attributes:
        faults: of the page: what its scripts threw, and what its policy has blocked.
    """

    def __init__(self, browser: Any, port: int, *, still: bool = True, **setting: Any) -> None:
        given = {
            "viewport": DESK,
            "locale": "en-GB",
            "reduced_motion": "reduce" if still else "no-preference",
        } | setting
        self.context = browser.new_context(**given)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page = self.context.new_page()
        self.origin = f"http://127.0.0.1:{port}"
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._console)

    def _console(self, message: Any) -> None:
        if message.type == "error" and "Content Security Policy" in message.text:
            self.faults.append(message.text)

    def open(self, address: str = "/") -> Visitor:
        self.page.goto(self.origin + address)
        return self

    def make(self, variant: str = "turkish", **more: Any) -> dict[str, Any]:
        """A game as the home page makes it, then its page."""
        if not self.page.url.startswith(self.origin):
            self.open()
        here = {"kind": "here", "name": ""}
        made = self.page.evaluate(MAKE, {"variant": variant, "white": here, "black": here} | more)
        assert "game" in made, made
        self.enter(made["address"])
        return made

    def enter(self, address: str) -> None:
        self.open(address)
        self.page.wait_for_selector(".board.play")

    def square(self, name: str) -> Any:
        return self.page.locator(f'[role=gridcell][aria-label="{name}"], [role=gridcell][aria-label^="{name}, "]')

    def middle(self, name: str) -> tuple[float, float]:
        box = self.square(name).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def tap(self, *names: str) -> None:
        for name in names:
            self.page.mouse.click(*self.middle(name))

    def label(self, name: str) -> str:
        """What is read of a square, without its name."""
        return self.square(name).get_attribute("aria-label").partition(", ")[2]

    @property
    def moves(self) -> list[str]:
        return self.page.locator(".moves button").all_inner_texts()

    @property
    def spoken(self) -> list[str]:
        return self.page.locator("#spoken p").all_text_contents()

    def sees(self, text: str, where: str = ".turn-text") -> None:
        expect(self.page.locator(where).first).to_contain_text(re.compile(text), timeout=PATIENCE * 1000)

    def has_moves(self, *texts: str) -> None:
        waited_for(lambda: self.moves == list(texts), lambda: f"{self.moves} instead of {list(texts)}", self)

    def wait(self, seconds: float) -> None:
        self.page.wait_for_timeout(seconds * 1000)


def waited_for(
    true: Callable[[], bool], otherwise: Callable[[], str], visitor: Visitor, most: float = PATIENCE
) -> None:
    """Wait until something is so, or fail and say what is there instead."""
    ends = time.monotonic() + most
    while not true():
        assert time.monotonic() < ends, otherwise()
        visitor.wait(0.03)
