"""What a terminal can show, and lines as they come."""

from __future__ import annotations

import io
import os

import pytest

from turkengine.play.terminal import Reader, look_of
from turkengine.play.text_board import Look


class Output(io.TextIOWrapper):
    """A terminal, or a file, with an encoding."""

    def __init__(self, encoding: str, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("encoding", "environment", "look"),
    [
        ("utf-8", {"TERM": "xterm"}, Look(signs=True, colours=True, always=True)),
        ("utf-8", {"TERM": "xterm", "NO_COLOR": "1"}, Look(signs=True, colours=False, always=True)),
        ("utf-8", {"TERM": "xterm", "NO_COLOR": ""}, Look(signs=True, colours=True, always=True)),
        ("utf-8", {"TERM": "dumb"}, Look(signs=False, colours=False, always=True)),
        ("utf-8", {"TERM": "linux"}, Look(signs=False, colours=True, always=True)),
        ("latin-1", {}, Look(signs=False, colours=True, always=True)),
    ],
)
def test_a_terminal_is_taken_for_what_it_is(encoding: str, environment: dict[str, str], look: Look) -> None:
    assert look_of(Output(encoding, True), environment) == look


def test_a_pipe_gets_letters_and_no_board_unasked() -> None:
    assert look_of(Output("utf-8", False), {"TERM": "xterm"}) == Look(signs=False, colours=False, always=False)


def test_letters_can_be_asked_for() -> None:
    assert not look_of(Output("utf-8", True), {"TERM": "xterm"}, ascii_only=True).signs


def test_lines_are_read_to_the_end_of_the_input() -> None:
    reading, writing = os.pipe()
    reader = Reader(reading)
    assert reader.next(0) is None
    assert not reader.ended
    os.write(writing, b"32-28\r\n\nun")
    os.write(writing, b"do")
    os.close(writing)
    told = []
    while not reader.ended:
        told.append(reader.next(None))
    assert [line for line in told if line is not None] == ["32-28", "", "undo"]
    os.close(reading)
