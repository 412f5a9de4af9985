"""What is waited for, said in time and not too often."""

from __future__ import annotations

import math

from turkengine.waiting import Waits


def test_a_wait_is_said_after_two_seconds_and_whenever_it_has_doubled() -> None:
    waiting = Waits()
    assert waiting.line("a call", 100.0, 100.0) is None
    assert waiting.due == 102.0
    said = {second: waiting.line("a call", 100.0, 100.0 + second) for second in range(20_000)}
    assert {second: line for second, line in said.items() if line} == {
        2: "waiting for a call, 2 s so far",
        4: "waiting for a call, 4 s so far",
        8: "waiting for a call, 8 s so far",
        16: "waiting for a call, 16 s so far",
        32: "waiting for a call, 32 s so far",
        64: "waiting for a call, 64 s so far",
        128: "waiting for a call, 2 min so far",
        256: "waiting for a call, 4 min so far",
        512: "waiting for a call, 9 min so far",
        1024: "waiting for a call, 17 min so far",
        2048: "waiting for a call, 34 min so far",
        4096: "waiting for a call, 68 min so far",
        8192: "waiting for a call, 2 h so far",
        16384: "waiting for a call, 5 h so far",
    }


def test_another_wait_begins_anew_and_none_is_silent() -> None:
    waiting = Waits()
    waiting.line("a call", 0.0, 0.0)
    assert waiting.line("Ann to move", 5.0, 5.0) is None
    assert waiting.due == 7.0
    assert waiting.line(None, 5.0, 6.0) is None
    assert waiting.due == math.inf
    assert waiting.line("Ann to move", 9.0, 9.0) is None
    assert waiting.line("Ann to move", 9.0, 11.0) == "waiting for Ann to move, 2 s so far"
    assert waiting.line("Ann to move", 11.5, 13.4) is None, "another turn"
    assert waiting.line("Ann to move", 11.5, 13.5) == "waiting for Ann to move, 2 s so far"
