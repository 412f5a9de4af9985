"""Runs in the client's environment: the games of a file as its reader sees them, as JSON."""

from __future__ import annotations

import json
import sys

from draughts.PDN import PDNReader

games = PDNReader(filename=sys.argv[1]).games
print(json.dumps([{"tags": game.tags, "moves": game.moves, "result": game.game_ending} for game in games]))
