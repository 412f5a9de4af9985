# The network of the evaluation: what a side's pieces add up to, kept for each node of the line that is searched.
#
# Each side sees the board as White does: for Black it is turned by 180 degrees with the colours exchanged. A piece adds
# a row of numbers to the sums of both sides. `turkengine/training/network.py` says what is computed from them; here it
# is done in whole numbers. Sums are made only where a node is evaluated, from those of the node before.

ctypedef struct Sums:
    int16_t[2][UNITS] of  # by side
    bint known  # they are those of the node

ctypedef struct Network:
    int16_t[4][64][UNITS] rows  # by own man, own king, the other side's man and king; by bit
    int16_t[UNITS] bias
    int16_t[BUCKETS][2][UNITS] outputs  # of the side to move, of the other
    int32_t[BUCKETS] base

cdef enum:
    VALUE_SHIFT = 14  # plain values and weighted units count so much more than hundredths of a man

cdef extern from "vectors.h":
    void move_rows(int16_t[UNITS]* sums, const int16_t[UNITS]* before, const int16_t* gone0, const int16_t* come0,
                   const int16_t* gone1, const int16_t* come1) noexcept nogil
    void take_rows(int16_t[UNITS]* sums, const int16_t* row0, const int16_t* row1) noexcept nogil
    int32_t weigh(const int16_t* own, const int16_t* other, const int16_t[UNITS]* outputs) noexcept nogil

cdef Network network


cdef inline const int16_t* row_of(int viewer, int piece, int square) noexcept nogil:
    """What a piece (WHITE_MAN ...) adds to the sums of a side: 0 White, 1 Black."""
    cdef int kind = (piece >> 1) + 2 * ((piece & 1) ^ viewer)
    return network.rows[kind][TURNED[square] if viewer else square]


cdef inline void add_row(int16_t* sums, const int16_t* row) noexcept nogil:
    cdef int i
    for i in range(UNITS):
        sums[i] = <int16_t>(sums[i] + row[i])


cdef void sum_up(const Node* node, Sums* sums) noexcept nogil:
    """From nothing."""
    cdef u64 white = node.board.enemy if node.black else node.board.own
    cdef u64 black = node.board.own if node.black else node.board.enemy
    cdef u64 left = white | black
    cdef int viewer, square, piece
    memcpy(sums.of[0], network.bias, sizeof(network.bias))
    memcpy(sums.of[1], network.bias, sizeof(network.bias))
    while left:
        square = lowest_bit(left)
        piece = (BLACK_MAN if black & lowest(left) else WHITE_MAN) + (2 if node.board.kings & lowest(left) else 0)
        for viewer in range(2):
            add_row(sums.of[viewer], row_of(viewer, piece, square))
        left &= left - 1
    sums.known = True


cdef void sum_after(const Node* before, const Sums* known, const Node* node, Sums* sums) noexcept nogil:
    """From those of the node before, which is a move away."""
    cdef int side = before.black
    cdef u64 left = before.board.own & ~node.board.enemy
    cdef u64 come = node.board.enemy & ~before.board.own
    cdef u64 captured = before.board.enemy & ~node.board.own
    cdef int origin, target, gone, arrived, victim
    if left:
        origin, target = lowest_bit(left), lowest_bit(come)
        gone = side + 2 if before.board.kings & left else side
        arrived = side + 2 if node.board.kings & come else side
        move_rows(sums.of, known.of, row_of(0, gone, origin), row_of(0, arrived, target),
                  row_of(1, gone, origin), row_of(1, arrived, target))
    else:  # a capture that ends where it began
        memcpy(sums.of, known.of, sizeof(sums.of))
    while captured:
        victim = (side ^ 1) + 2 if before.board.kings & lowest(captured) else side ^ 1
        take_rows(sums.of, row_of(0, victim, lowest_bit(captured)), row_of(1, victim, lowest_bit(captured)))
        captured &= captured - 1
    sums.known = True


cdef inline int network_value(const Sums* sums, int black, int pieces) noexcept nogil:
    """For the side to move, in parts of 2 ** VALUE_SHIFT of a hundredth of a man."""
    cdef int bucket = (pieces - 1) * BUCKETS // (2 * PIECES_PER_SIDE)
    return network.base[bucket] + weigh(sums.of[black], sums.of[black ^ 1], network.outputs[bucket])
