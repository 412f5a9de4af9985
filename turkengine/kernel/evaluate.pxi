# The static evaluation, in hundredths of a man for the side to move.
#
# The one interface is `evaluate(node)`; the weights behind it are data, set once for each game. Every number has a
# value for the opening and one for the ending, and the pieces left decide the mix. Men count by what stands around
# them: small windows of the board, each state of which has a value in a table. Kings count by their squares. All of it
# but the last sum is kept up to date by `play`.

cdef enum:
    WIN = 10000  # less a hundredth of a man for every ply
    LONGEST_WIN = 500  # plies; scores nearer to WIN than this count distances
    EVALUATION_LIMIT = 8000
    PATTERNS = 13  # that each side sees; where a game has fewer, the rest are worth nothing

# Opening and ending value in one word, so that both are summed at once.
ctypedef int64_t Pair
ctypedef int32_t SmallPair  # the same in 16 bits each, for the tables

SCORE_LIMITS = (WIN, LONGEST_WIN, EVALUATION_LIMIT)  # for the test that engine/score.py tells the same

ctypedef struct Weights:
    SmallPair* tables[SLOTS]  # the values of each pattern's states
    SmallPair* room  # all tables, one behind another
    Pair to_move
    int holding_pieces  # a king holds against so many pieces or fewer: such advantages count less
    int holding_divisor

cdef Weights weights


cdef inline Pair pair(int opening, int ending) noexcept nogil:
    return (<Pair>opening << 32) + ending


cdef inline int opening_of(Pair value) noexcept nogil:
    return <int32_t>((value + <int64_t>0x80000000) >> 32)


cdef inline int ending_of(Pair value) noexcept nogil:
    return <int32_t>value


cdef inline Pair widened(SmallPair value) noexcept nogil:
    return pair((value + 0x8000) >> 16, <int16_t>value)


cdef inline int mixed(Pair value, int pieces) noexcept nogil:
    """The value with so many pieces on the board."""
    return (opening_of(value) * pieces + ending_of(value) * (2 * PIECES_PER_SIDE - pieces)) // (2 * PIECES_PER_SIDE)


cdef inline SmallPair patterns_of(const Node* node, int first) noexcept nogil:
    """The values of the patterns that one side sees, its slots beginning at `first`."""
    cdef SmallPair value = 0
    cdef int slot
    for slot in range(first, first + PATTERNS):
        value += weights.tables[slot][node.states[slot]]
    return value


cdef inline int evaluate(const Node* node) noexcept nogil:
    cdef u64 white = node.board.enemy if node.black else node.board.own
    cdef u64 black = node.board.own if node.black else node.board.enemy
    cdef Pair value = node.value + widened(patterns_of(node, 0) - patterns_of(node, BLACK_SLOTS))
    cdef int score
    value += -weights.to_move if node.black else weights.to_move
    score = mixed(value, count_bits(white | black))
    if node.board.kings:
        score = with_holding_king(score, white, black, node.board.kings)
    if score > EVALUATION_LIMIT:
        score = EVALUATION_LIMIT
    elif score < -EVALUATION_LIMIT:
        score = -EVALUATION_LIMIT
    return -score if node.black else score


cdef inline int with_holding_king(int score, u64 white, u64 black, u64 kings) noexcept nogil:
    cdef u64 weak = black if score > 0 else white
    cdef u64 strong = white if score > 0 else black
    if weak & kings and count_bits(strong) <= weights.holding_pieces:
        return score // weights.holding_divisor
    return score


cdef Pair pair_of(values) except? -1:
    opening, ending = values
    return pair(opening, ending)


def set_weights(read):
    """Take the weights of the evaluation: what `turkengine.kernel.weights.read_weights` returns.

    Raises:
        ValueError: they do not fit the kernel; the message says how.
    """
    cdef bytes values = read.tables
    cdef const int16_t* value = <const int16_t*><const char*>values
    cdef int states = len(values) // (2 * sizeof(int16_t))
    cdef int square, state
    cdef Pair man, king
    for square in range(SQUARES):
        man, king = pair_of(read.man), pair_of(read.kings[square])
        PIECE_SQUARE[WHITE_MAN][BIT_OF_SQUARE[square]].value = man
        PIECE_SQUARE[BLACK_MAN][BIT_OF_SQUARE[square]].value = -man
        PIECE_SQUARE[WHITE_KING][BIT_OF_SQUARE[square]].value = king
        # Turning the board by 180 degrees maps White's squares onto Black's, and reverses the numbering.
        PIECE_SQUARE[BLACK_KING][BIT_OF_SQUARE[SQUARES - 1 - square]].value = -king
    weights.to_move = pair_of(read.to_move)
    weights.holding_pieces, weights.holding_divisor = read.holding_pieces, read.holding_divisor
    free(weights.room)
    weights.room = <SmallPair*>malloc((states + 1) * sizeof(SmallPair))
    if weights.room == NULL:
        raise MemoryError("no memory for the weights of the evaluation")
    for state in range(states):
        weights.room[state] = (value[2 * state] << 16) + value[2 * state + 1]
    weights.room[states] = 0  # the table of a slot without a pattern, which is always in state 0
    place_patterns(read.patterns, states)


cdef int place_patterns(patterns, int states) except -1:
    """Give each pattern a slot: (table, whether Black sees it, squares) each."""
    cdef int slot, digit, power
    memset(MAN_STATES, 0, sizeof(MAN_STATES))
    for slot in range(SLOTS):
        weights.tables[slot] = &weights.room[states]
    for first, seen_by_black in ((0, False), (BLACK_SLOTS, True)):
        chosen = [(table, squares) for table, black, squares in patterns if black == seen_by_black]
        if len(chosen) > PATTERNS:
            raise ValueError(f"each side sees {PATTERNS} patterns at most, not {len(chosen)}")
        for slot, (table, squares) in enumerate(chosen, start=first):
            if len(squares) > PATTERN_SQUARES or (table + 1) * PATTERN_STATES > states:
                raise ValueError(f"a pattern has {PATTERN_SQUARES} squares and a table of {PATTERN_STATES} states")
            weights.tables[slot] = &weights.room[table * PATTERN_STATES]
            power = 1
            for square in squares:
                MAN_STATES[seen_by_black][BIT_OF_SQUARE[<int>square]][slot] = <uint16_t>power
                MAN_STATES[not seen_by_black][BIT_OF_SQUARE[<int>square]][slot] = <uint16_t>(2 * power)
                power *= 3
    return 0
