"""What people and programs put around a FEN, taken off: a position may be given as it was printed anywhere.

Fen: W:W31-50:B1-20:H0:F1                  what `d` prints; a command, as in `position fen W:...`, too
[FEN "W:W31-50:B1-20."]                    a tag; quotes alone, a dot or a semicolon at the end
/FEN "W:W31-50:B1-20"/                     a position among the moves of a PDN
W:W28:B22 # shot 1 for 3                   a line with a remark, as of puzzles and books
w: w k31, 32: b 1-20                       small letters, blanks anywhere
W:W31-50:B1-20 0 1                         counts of plies without progress and of moves, as chess programs write
"""

from __future__ import annotations

import re

from turkengine.notation.signs import PLAIN

LONGEST = 2000  # characters; a position of the largest board, each square by its name, takes 400

_NAME = re.compile(r"(?:pos(?:ition)?\b)?\s*(?:fen\b|pos(?:ition)?\s*=)\s*[:=]?\s*", re.IGNORECASE)
_COUNTS = re.compile(r"(?<=[\w.])\s++(\d{1,6})(?:\s++(\d{1,6}))?$")
_AROUND = "\"'`[]()/.;, \t"


def bare(text: str) -> str:
    """The FEN in a text, or what else it holds."""
    if len(text) > LONGEST:
        return text
    text = text.translate(PLAIN).partition("#")[0].strip(_AROUND + "\r\n")
    if name := _NAME.match(text):
        text = text[name.end() :].strip(_AROUND)
    counts = _COUNTS.search(text) if ":" in text else None
    if counts is not None:
        plies, number = counts.groups() if counts[2] else (None, counts[1])
        text = text[: counts.start()].rstrip(_AROUND) + (f":H{plies}" if plies else "") + f":F{number}"
    return "".join(text.split())
