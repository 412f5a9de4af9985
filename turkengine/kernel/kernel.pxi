# The kernel of one variant: every part in its order, each a concept of its own, compiled as one unit.
#
# There is one such module a variant, and each part sees that variant's rules as constants, so the compiler can do
# across parts what templates would do elsewhere.

include "rules.pxi"  # the variant's constants, and what the platform offers
include "bits.pxi"  # sets of squares
include "board.pxi"  # boards, moves, and where lists of moves live
include "captures.pxi"  # the captures that take the most pieces
include "movegen.pxi"  # quiet moves and all legal moves
include "node.pxi"  # boards with key, value and draw counts
include "perft.pxi"  # counting, the proof of the moves
include "network.pxi"  # what the pieces on the board add up to
include "evaluate.pxi"  # the static score and its weights
include "table.pxi"  # the transposition table
include "worker.pxi"  # what a thread of a search owns and shares
include "order.pxi"  # which moves go first
include "search.pxi"  # principal variation search and quiescence
include "root.pxi"  # the moves of the root
include "position.pxi"  # class Position
include "searcher.pxi"  # class Searcher
