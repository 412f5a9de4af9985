"""What programs write into comments: clocks, times and evaluations, as `[%clk 0:09:58]`, read on demand.

[%clk 0:09:58]                     what the mover's clock shows, also after a letter: [%clk w0:09:58]
[%clock w0:10:00 B0:09:58]         both clocks; the capital letter is that of the clock that runs
[%emt 0:00:12]                     the time the move took
[%eval 0.35]  [%eval #4]           the score from White's view in men, or the moves to White's win
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from turkengine.notation.pdn.game import Ply
from turkengine.rules.variant import Side

_COMMAND = re.compile(r"\[%(\w++)\s++([^\]]*+)\]")
_TIME = re.compile(r"([wWbB])?((?:\d+:){0,2}\d+(?:\.\d+)?)")
_EVALUATION = re.compile(r"(#)?([-+]?\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Clocks:
    """What the clocks show after a move, in seconds; None where that is not given.

    Attributes:
        white, black: where a letter says whose clock it is.
        mover: where no letter does: the clock of the side that has moved.
        running: the side whose clock runs, where a capital letter says so.
    """

    white: float | None = None
    black: float | None = None
    mover: float | None = None
    running: Side | None = None


@dataclass(frozen=True)
class EvalCommand:
    """A score from White's view: in `men`, or the moves in which White wins (below 0: Black), the other being None."""

    men: float | None = None
    win_in: int | None = None


def commands(ply: Ply) -> dict[str, str]:
    """Every command in the comments after a move and its value; the last one of a name counts."""
    return {name.lower(): value.strip() for text in ply.comments for name, value in _found(text)}


def plain(comment: str) -> str:
    """A comment without its commands."""
    end = _last_end(comment)
    return " ".join((_COMMAND.sub(" ", comment[:end]) + comment[end:]).split())


def whole_words(comment: str) -> list[str]:
    """The words of a comment, with each command as a part of one word, however many blanks it holds."""
    end = _last_end(comment)
    if not end:
        return comment.split()
    joined = _COMMAND.sub(lambda command: "\0".join(command[0].split()), comment[:end])
    return [word.replace("\0", " ") for word in (joined + comment[end:]).split()]


def clocks(ply: Ply) -> Clocks | None:
    """What the clocks show, None where no comment gives it in a form that can be read."""
    given = commands(ply)
    shown = {}
    running = None
    for letter, time in _TIME.findall(given.get("clock", given.get("clk", ""))):
        shown[letter.lower()] = _seconds(time)
        if letter.isupper():
            running = Side(letter)
    return Clocks(shown.get("w"), shown.get("b"), shown.get(""), running) if shown else None


def elapsed(ply: Ply) -> float | None:
    """The seconds the move took, None where no comment gives it in a form that can be read."""
    found = _TIME.fullmatch(commands(ply).get("emt", ""))
    return _seconds(found[2]) if found is not None else None


def evaluation(ply: Ply) -> EvalCommand | None:
    """The score after the move, None where no comment gives it in a form that can be read."""
    found = _EVALUATION.match(commands(ply).get("eval", ""))
    if found is None or not math.isfinite(score := float(found[2])):
        return None
    return EvalCommand(win_in=int(score)) if found[1] else EvalCommand(men=score)


def command(name: str, value: str) -> str:
    """A command as it stands in a comment."""
    return f"[%{name} {value}]"


def written_evaluation(evaluation: EvalCommand) -> str:
    """A score as the command `eval` writes it."""
    if evaluation.win_in is not None:
        return f"#{evaluation.win_in}"
    return f"{(evaluation.men or 0.0) + 0.0:.2f}"


def written_time(seconds: float) -> str:
    """A time as these commands write it: h:mm:ss with as many thousandths as there are; none is below 0."""
    whole, rest = divmod(max(round(1000 * seconds), 0), 1000)
    shown = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{shown}.{rest:03}".rstrip("0") if rest else shown


def _found(comment: str) -> list[tuple[str, str]]:
    """Each command and its value."""
    return _COMMAND.findall(comment, 0, _last_end(comment))


def _last_end(comment: str) -> int:
    """Behind the last bracket that closes, which each command finds its own end before."""
    return comment.rfind("]") + 1


def _seconds(text: str) -> float:
    seconds = 0.0
    for part in text.split(":"):
        seconds = 60 * seconds + float(part)
    return seconds
