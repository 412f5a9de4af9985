"""A browser without a window for all of these tests, and a board for each file of them.

Where there is no browser the tests are skipped and say so; with CI=true that is a failure.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from board.serving import Board, board
from board_browser.visiting import Visitor

NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")  # while playwright runs no other test could have an event loop of its own
def chromium() -> Iterator[object]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        missing = f"no browser is on PATH ({', '.join(NAMES)}); on Debian: apt-get install chromium"
        assert os.environ.get("CI") != "true" or os.environ.get("TURKENGINE_NO_BROWSER"), missing
        pytest.skip(missing)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-quic"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    with board(tmp_path_factory.mktemp("board"), lenient=True) as running:
        yield running


@pytest.fixture
def visit(chromium: object, running: Board) -> Iterator[Callable[..., Visitor]]:
    """Makes a visitor: a browser of its own, with its own cookies. No page of his may have a fault."""
    visitors: list[Visitor] = []

    def visiting(port: int = 0, **setting: object) -> Visitor:
        visitors.append(Visitor(chromium, port or running.port, **setting))
        return visitors[-1]

    yield visiting
    for visitor in visitors:
        visitor.context.close()
    assert [fault for visitor in visitors for fault in visitor.faults] == []
