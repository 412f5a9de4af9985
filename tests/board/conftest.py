"""One board for each file of tests, with a file of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from board.serving import Board, Browser, board


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    with board(tmp_path_factory.mktemp("board"), lenient=True) as running:
        yield running


@pytest.fixture
def browser(running: Board) -> Iterator[Browser]:
    visitor = running.browser()
    yield visitor
    for socket in visitor.sockets:
        socket.close()


@pytest.fixture
def other(running: Board) -> Iterator[Browser]:
    visitor = running.browser()
    yield visitor
    for socket in visitor.sockets:
        socket.close()
