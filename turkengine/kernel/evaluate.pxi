# The static evaluation, in hundredths of a man for the side to move.
#
# The one interface is `evaluate(node)`; the weights behind it are data, set once for each game. Every number has a
# value for the opening and one for the ending, and the pieces left decide the mix. Values of pieces on squares are
# summed up by `play`; what is computed here is structure: men that another man supports, and steps that men can make.

cdef enum:
    WIN = 10000  # less a hundredth of a man for every ply
    LONGEST_WIN = 500  # plies; scores nearer to WIN than this count distances
    EVALUATION_LIMIT = 8000
    SQUARE_WEIGHTS = 4 * SQUARES
    TERM_WEIGHTS = 8

# Opening and ending value in one word, so that both are summed at once.
ctypedef int64_t Pair

SCORE_LIMITS = (WIN, LONGEST_WIN, EVALUATION_LIMIT)  # for the test that engine/score.py tells the same

ctypedef struct Weights:
    Pair supported  # a man with another man on a square from which that could step onto his
    Pair mobile  # an empty square that a man can step to
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


cdef inline int mixed(Pair value, int pieces) noexcept nogil:
    """The value with so many pieces on the board."""
    return (opening_of(value) * pieces + ending_of(value) * (2 * PIECES_PER_SIDE - pieces)) // (2 * PIECES_PER_SIDE)


cdef inline u64 man_steps(Colour colour, u64 men) noexcept nogil:
    return man_step(colour, men, 0) | man_step(colour, men, 1) | man_step(colour, men, 2)


cdef inline int evaluate(const Node* node) noexcept nogil:
    cdef u64 white = node.board.enemy if node.black else node.board.own
    cdef u64 black = node.board.own if node.black else node.board.enemy
    cdef u64 men = white & ~node.board.kings
    cdef u64 steps = man_steps(WHITE, men)
    cdef u64 black_men = black & ~node.board.kings
    cdef u64 black_steps = man_steps(BLACK, black_men)
    cdef u64 empty = BOARD_MASK & ~(white | black)
    cdef Pair value = node.value
    cdef int pieces = count_bits(white | black)
    cdef int score
    value += weights.supported * (count_bits(steps & men) - count_bits(black_steps & black_men))
    value += weights.mobile * (count_bits(steps & empty) - count_bits(black_steps & empty))
    value += -weights.to_move if node.black else weights.to_move
    score = mixed(value, pieces)
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


def set_weights(values):
    """Take the weights of the evaluation, all in hundredths of a man.

    Args:
        values: for each square in index order a White man's value in the opening, then in the ending, then a White
            king's in both likewise; then opening and ending value of a supported man, of a square that a man can step
            to, and of having the move; then up to how many pieces a king holds against, and by how much that divides
            the score.

    Raises:
        ValueError: another number of values.
    """
    cdef int square, kind
    listed = [int(value) for value in values]
    if len(listed) != SQUARE_WEIGHTS + TERM_WEIGHTS:
        raise ValueError(f"{VARIANT_NAME} takes {SQUARE_WEIGHTS + TERM_WEIGHTS} weights, not {len(listed)}")
    for kind in range(2):
        for square in range(SQUARES):
            value = pair(listed[2 * kind * SQUARES + square], listed[(2 * kind + 1) * SQUARES + square])
            # Turning the board by 180 degrees maps White's squares onto Black's, and reverses the numbering.
            PIECE_SQUARE[2 * kind][BIT_OF_SQUARE[square]].value = value
            PIECE_SQUARE[2 * kind + 1][BIT_OF_SQUARE[SQUARES - 1 - square]].value = -value
    terms = listed[SQUARE_WEIGHTS:]
    weights.supported = pair(terms[0], terms[1])
    weights.mobile = pair(terms[2], terms[3])
    weights.to_move = pair(terms[4], terms[5])
    weights.holding_pieces = terms[6]
    weights.holding_divisor = max(1, terms[7])
