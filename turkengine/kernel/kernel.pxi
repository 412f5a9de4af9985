# The kernel of one variant: every part in its order, each a concept of its own, compiled as one unit.
#
# There is one such module a variant, and each part sees that variant's rules as constants, so the C compiler can do
# across parts what templates would do elsewhere. Cython translates it once: nothing here may depend on the variant but
# through those constants.
#
# The tree of a single thread depends on its inputs only: the position with its game, the limits, the options, the
# endgame tables, the table and what the searcher has learnt. A deadline or `stop` ends it, and after a second more of
# the same tree is told (`Searcher.tell`); nothing else looks at a clock. Nothing is read that was not set: memory is
# zeroed or written first, which `scripts/campaign valgrind` looks after, and a move that has no `order` is the only one
# of its node. No order depends on an address. Every count starts again with a run but the table's age, which wraps at 64
# and is 0 once the table is cleared; nobody searches while it is being cleared (`engine/hashtable.py` waits). What all
# searches of a process share, weights and settings, is set when the module is loaded.

include "rules.pxi"  # the variant's constants, and what the platform offers
include "bits.pxi"  # sets of squares
include "board.pxi"  # boards, moves, and where lists of moves live
include "captures.pxi"  # the captures that the rules leave
include "movegen.pxi"  # quiet moves and all legal moves
include "node.pxi"  # boards with key, value and draw counts
include "perft.pxi"  # counting, the proof of the moves
include "network.pxi"  # what the pieces on the board add up to
include "evaluate.pxi"  # the static score and its weights
include "settings.pxi"  # numbers found by games
include "table.pxi"  # the transposition table
include "position.pxi"  # class Position
include "ending.pxi"  # placements of a few pieces: their numbers, and what is known of each
include "retrograde.pxi"  # class Workshop: endings solved and verified
include "packing.pxi"  # class Packing: their values in few bytes
include "endings.pxi"  # class Endings: endgame tables, asked
include "worker.pxi"  # what a thread of a search owns and shares
include "order.pxi"  # which moves go first
include "sharing.pxi"  # which moves the threads leave to each other
include "search.pxi"  # principal variation search and quiescence
include "root.pxi"  # the moves of the root
include "probe.pxi"  # endgame tables in the search
include "searcher.pxi"  # class Searcher
