# The static evaluation, in hundredths of a man for the side to move.
#
# Pieces have a plain value on each square, and a network judges how they stand to each other. Both are weights learnt
# from games, data that is set once for each game. On the same games the network comes nearer to the results than
# tables for patterns of men did (cross entropy 0.572 for 0.589, where a search of 2,500 nodes has 0.567).

from turkengine.errors import WeightsError

BOUNDS = (WIN, LONGEST_WIN, EVALUATION_LIMIT, MOST_PIECES)  # for the test that this was built for `bounds.py` of today


cdef inline int value_of(const Node* node, const Sums* sums) noexcept nogil:
    """The static evaluation, with the sums of the node at hand."""
    cdef int plain = -node.value if node.black else node.value
    cdef int pieces = count_bits(node.board.own | node.board.enemy)
    cdef int score = (plain + network_value(sums, node.black, pieces)) >> VALUE_SHIFT
    if score > EVALUATION_LIMIT:
        return EVALUATION_LIMIT
    if score < -EVALUATION_LIMIT:
        return -EVALUATION_LIMIT
    return score


cdef int evaluate(const Node* node) noexcept nogil:
    """The same from nothing; the search has `evaluate_at`."""
    cdef Sums sums
    sum_up(node, &sums)
    return value_of(node, &sums)


def set_weights(read):
    """Take the weights of the evaluation: what `turkengine.kernel.weights.read_weights` returns.

    Raises:
        WeightsError: they have more or fewer hidden units than this kernel was built for.
    """
    if read.units != UNITS:
        raise WeightsError(f"the weights of {VARIANT_NAME} have {read.units} hidden units, but its kernel was built for "
                           f"{UNITS}; build it again with pip install ., or put its own weights back")
    cdef int scale = 1 << VALUE_SHIFT
    cdef int piece, square, unit, bucket, side, turned
    cdef int32_t man, king
    for square in range(SQUARES):
        man, king = round(scale * read.men[square]), round(scale * read.kings[square])
        turned = BIT_OF_SQUARE[SQUARES - 1 - square]  # turning the board reverses the numbering
        PIECE_SQUARE[WHITE_MAN][BIT_OF_SQUARE[square]].value = man
        PIECE_SQUARE[BLACK_MAN][turned].value = -man
        PIECE_SQUARE[WHITE_KING][BIT_OF_SQUARE[square]].value = king
        PIECE_SQUARE[BLACK_KING][turned].value = -king
        TURNED[BIT_OF_SQUARE[square]] = <uint8_t>turned
        for piece in range(4):
            for unit in range(UNITS):
                network.rows[piece][BIT_OF_SQUARE[square]][unit] = read.rows[(piece * SQUARES + square) * UNITS + unit]
    for unit in range(UNITS):
        network.bias[unit] = read.bias[unit]
    for bucket in range(BUCKETS):
        network.base[bucket] = round(scale * read.base[bucket])
        for side in range(2):
            for unit in range(UNITS):
                network.outputs[bucket][side][unit] = read.outputs[(2 * bucket + side) * UNITS + unit]
