"""Numbers that the compiled kernel and the Python above it share; the build makes C constants of them.

They lie down here because the options of an engine, which need one, can be read where no kernel has been built.

Scores are in hundredths of a man. A won game scores `WIN` less a hundredth for every ply to its end.
"""

from __future__ import annotations

WIN = 10_000
LONGEST_WIN = 500  # plies; scores within this distance of WIN are distances
EVALUATION_LIMIT = 8_000  # static evaluations stay within it
MOST_PIECES = 5  # in an ending of the endgame tables
