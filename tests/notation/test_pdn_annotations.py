"""Clocks, times and evaluations in the comments of a game."""

from __future__ import annotations

import pytest

from turkengine.notation.pdn import Ply
from turkengine.notation.pdn.annotations import Clocks, EvalCommand, clocks, commands, elapsed, evaluation, plain
from turkengine.notation.pdn.annotations import written_time as written
from turkengine.rules.variant import Side


def ply(*comments: str) -> Ply:
    return Ply("32-28", remarks=comments)


@pytest.mark.parametrize(
    ("comment", "found"),
    [
        ("[%clk 1:55:21]", Clocks(mover=6921.0)),
        ("[%clk 0:00:09.5]", Clocks(mover=9.5)),
        ("good [%clk 4:05] move", Clocks(mover=245.0)),
        ("[%clk w0:10:00]", Clocks(white=600.0)),
        ("[%clock w0:10:00 B0:09:58]", Clocks(600.0, 598.0, None, Side.BLACK)),
        ("[%clock W0:10:00 b0:09:58]", Clocks(600.0, 598.0, None, Side.WHITE)),
        ("[%clock w0:10:00b0:09:58]", Clocks(600.0, 598.0)),
        ("[%clock 0:49:11]", Clocks(mover=2951.0)),
        ("[%clk soon]", None),
        ("1:55:21", None),
    ],
)
def test_clocks(comment: str, found: Clocks | None) -> None:
    assert clocks(ply(comment)) == found


def test_the_time_a_move_took() -> None:
    assert elapsed(ply("[%emt 0:00:12]")) == 12.0
    assert elapsed(ply("[%emt 12]")) == 12.0
    assert elapsed(ply("[%emt long]")) is None
    assert elapsed(ply()) is None


@pytest.mark.parametrize(
    ("comment", "found"),
    [
        ("[%eval 0.35]", EvalCommand(men=0.35)),
        ("[%eval -1.5,12]", EvalCommand(men=-1.5)),
        ("[%eval +2]", EvalCommand(men=2.0)),
        ("[%eval #4]", EvalCommand(win_in=4)),
        ("[%eval #-3]", EvalCommand(win_in=-3)),
        ("[%eval ?]", None),
        (f"[%eval #{'9' * 400}]", None),
        (f"[%eval {'9' * 400}]", None),
    ],
)
def test_evaluations_are_from_whites_view(comment: str, found: EvalCommand | None) -> None:
    assert evaluation(ply(comment)) == found


def test_several_commands_may_stand_in_several_comments() -> None:
    played = ply("a [%clk 0:01:00] b", "[%eval 0.1] [%clk 0:02:00]")
    assert commands(played) == {"clk": "0:02:00", "eval": "0.1"}
    assert plain("a [%clk 0:01:00] b [%eval 0.1]") == "a b"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00:00"), (9.96, "0:00:09.96"), (59.9996, "0:01:00"), (-0.25, "0:00:00"), (3725.5, "1:02:05.5")],
)
def test_times_are_written_as_they_are_read(seconds: float, text: str) -> None:
    assert written(seconds) == text


@pytest.mark.parametrize("piece", ["[%clk ", "[%", "[%clk", " ", "1", "1:", "]", "#", "[%eval #9"])
@pytest.mark.parametrize("end", ["", "]", "x"])
def test_a_comment_of_any_length_is_read_at_once(piece: str, end: str) -> None:
    """Each beginning of a command must not be followed to the end of the comment: a million would take hours."""
    for begin in ("[%clk ", "[%emt ", "[%eval ", ""):
        comment = begin + piece * (1_000_000 // len(piece)) + end
        assert all(name.isalpha() for name in commands(ply(comment)))
        assert len(plain(comment)) <= len(comment)
        clocks(ply(comment)), elapsed(ply(comment)), evaluation(ply(comment))
