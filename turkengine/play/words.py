"""What a session says, where it takes more than a sentence: scores, clocks, lines of play, the end, the help."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from turkengine.client.contract import Thought
from turkengine.engine.score import Score
from turkengine.match.clocks import TimeControl
from turkengine.notation import moves
from turkengine.notation.times import left_text
from turkengine.record.record import Ending, Played
from turkengine.rules.move import Move
from turkengine.rules.position import Position
from turkengine.rules.variant import Side, Variant

WIDTH = 78

BEHIND = -50  # hundredths: an engine that sees itself so far behind takes a draw at any time
EVEN = 10  # hundredths: one that is no further ahead takes it from `LATE` on
LATE = 40  # plies

HELP: Mapping[str, str] = {
    "MOVE": "play it: 32-28, 28x19, a3a4; write the squares on the way only where several captures fit",
    "board": "draw the board",
    "flip": "turn the board round",
    "moves": "list the legal moves",
    "hint": "say what the engine of this program would play, at full strength whatever the level of the opponent",
    "undo": "take the last move back; against an engine your last move, else your opponent is asked",
    "draw": "offer a draw",
    "resign": "give up; while a question is open, the player asked gives up",
    "clock": "show the time left",
    "fen": "write the position in one line",
    "save FILE": "add the game to a file (PDN); use it again later to update it",
    "help": "this list",
    "quit": "leave; so does the end of the input",
}


def side_name(side: Side) -> str:
    """White or Black."""
    return side.name.capitalize()


def score_text(score: Score) -> str:
    """From the view of whoever searched: men, or how many moves it takes to win or lose."""
    distance = score.moves_to_end
    if distance is None:
        return f"{score.men:+.2f}"
    count = "1 move" if abs(distance) == 1 else f"{abs(distance)} moves"
    return f"{'wins' if score.hundredths > 0 else 'loses'} in {count}"


def thought_text(thought: Thought, seconds: bool = True) -> str:
    """What an engine has said with its move, in brackets; nothing where it has said nothing."""
    parts = [f"score {score_text(thought.score)}"] if thought.score is not None else []
    if thought.depth is not None:
        parts.append(f"depth {thought.depth}")
    if seconds:
        parts.append(f"{thought.seconds:.2f} s")
    return f" ({', '.join(parts)})" if parts else ""


def moves_text(plies: int) -> str:
    """How many moves of one side."""
    return "1 move" if plies == 1 else f"{plies} moves"


def control_text(control: TimeControl) -> str:
    """What a player may use: a clock in minutes, the rest as elsewhere."""
    if control.time is None:
        return str(control)
    session = f"{control.moves} moves in " if control.moves else ""
    added = f" + {control.increment:g} s a move" if control.increment else ""
    others = replace(control, time=None, increment=0.0, moves=None) if control.limits_moves else None
    return f"{session}{left_text(control.time)}{added}" + (f", {others}" if others is not None else "")


def line_text(position: Position, line: Iterable[Move]) -> str:
    """Moves one after another, each legal in turn."""
    written = []
    for move in line:
        written.append(moves.written(position, move))
        position = position.play(move)
    return " ".join(written)


def wrapped(texts: Iterable[str]) -> list[str]:
    """Texts beside each other in lines that fit a terminal."""
    return textwrap.wrap("  ".join(texts), WIDTH, break_on_hyphens=False)


def help_text(legend: str) -> list[str]:
    """All commands, and what the pieces look like."""
    indent = 2 + max(map(len, HELP)) + 2
    return [
        line
        for name, text in HELP.items()
        for line in textwrap.wrap(f"  {name:<{indent - 2}}{text}", WIDTH, subsequent_indent=" " * indent)
    ] + [f"  {legend}"]


def ending_text(variant: Variant, ending: Ending) -> str:
    """The result as the game writes it, who has won, and why with the article."""
    result = tuple(reversed(variant.results))[ending.halves]
    said = "drawn" if ending.winner is None else f"{side_name(ending.winner)} has won"
    article = f" ({ending.article})" if ending.article and ending.article not in ending.reason else ""
    return f"{result}, {said}: {ending.reason}{article}"


def agrees(played: Sequence[Played], side: Side) -> tuple[bool, str]:
    """Whether an engine takes a draw, and why: its own last score decides."""
    scores = [move.score for move in played if move.side is side]
    if not scores or scores[-1] is None:
        return False, "it has given no score to decide by"
    score = Score(scores[-1])
    if score.hundredths <= BEHIND:
        return True, f"it thinks it is behind ({score_text(score)})"
    if score.hundredths > EVEN:
        return False, f"it thinks it is ahead ({score_text(score)})"
    if len(played) < LATE:
        return False, f"it plays on until move {LATE // 2}"
    return True, f"it sees nothing to win ({score_text(score)})"
