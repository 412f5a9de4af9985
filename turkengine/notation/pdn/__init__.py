"""Portable Draughts Notation (PDN): files of games, in and out, as values that say just what the file says.

`read` gives the games of a file one after another with everything that is wrong in them, `write` turns a game into
text, `replay` plays it over by the rules, `normalised` brings it into the form that PDN 3.0 asks for.
"""

from __future__ import annotations

from turkengine.notation.pdn.game import RESULTS, Line, PdnGame, Ply, SetUp
from turkengine.notation.pdn.kinds import GameKind, kind_of
from turkengine.notation.pdn.normal import normalised
from turkengine.notation.pdn.parser import DEEPEST
from turkengine.notation.pdn.reader import PdnEntry, PdnFault, read, read_games
from turkengine.notation.pdn.replaying import Illegal, Replay, by_the_rules, replay
from turkengine.notation.pdn.writer import write

__all__ = [
    "DEEPEST",
    "RESULTS",
    "GameKind",
    "Illegal",
    "Line",
    "PdnEntry",
    "PdnFault",
    "PdnGame",
    "Ply",
    "Replay",
    "SetUp",
    "by_the_rules",
    "kind_of",
    "normalised",
    "read",
    "read_games",
    "replay",
    "write",
]
