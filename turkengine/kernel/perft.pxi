# Counting the paths of legal moves: the proof and the measure of move generation.
#
# Counted in bulk, the legal moves one ply before the leaves are added up. With every leaf made, each last move is
# played too, and a checksum over the leaves keeps the compiler from leaving that work out.

cdef extern from *:
    """
    typedef struct { char unused; } InBulk;
    typedef struct { char unused; } EveryLeaf;
    #define IN_BULK ((InBulk){0})
    #define EVERY_LEAF ((EveryLeaf){0})
    """
    ctypedef struct InBulk:
        pass
    ctypedef struct EveryLeaf:
        pass
    InBulk IN_BULK
    EveryLeaf EVERY_LEAF

ctypedef fused Counting:
    InBulk
    EveryLeaf

ctypedef struct Walk:
    Arena arena
    u64 checksum


cdef u64 perft(Colour colour, Counting counting, Walk* walk, Board board, int plies) noexcept nogil:
    """Paths below `board`. `plies` is at least 1 and counts the moves to be made, in bulk not the last one."""
    cdef u64 count = 0
    cdef u64 empty = BOARD_MASK & ~(board.own | board.enemy)
    cdef u64 men = board.own & ~board.kings
    cdef int begin = walk.arena.used
    cdef int found, i
    if can_capture(colour, board):
        found = generate_captures(colour, &walk.arena, board)
        for i in range(begin, begin + found):
            count += descend(colour, counting, walk,
                             after(colour, board, bit(walk.arena.moves[i].origin), bit(walk.arena.moves[i].target),
                                   walk.arena.moves[i].captured), plies)
        walk.arena.used = begin
        if found:
            return count
    count += perft_steps(colour, counting, walk, board, men, empty, 0, plies)
    count += perft_steps(colour, counting, walk, board, men, empty, 1, plies)
    count += perft_steps(colour, counting, walk, board, men, empty, 2, plies)
    if MAN_STEPS > 3:
        count += perft_steps(colour, counting, walk, board, men, empty, 3, plies)
        count += perft_steps(colour, counting, walk, board, men, empty, 4, plies)
    if board.own & board.kings:
        count += perft_kings(colour, counting, walk, board, plies)
    return count


cdef inline u64 descend(Colour colour, Counting counting, Walk* walk, Board next, int plies) noexcept nogil:
    """Paths below the board after a move of `colour`."""
    if plies == 1:
        if Counting is EveryLeaf:
            walk.checksum += next.own ^ next.enemy ^ next.kings
            return 1
        elif Colour is White:
            return count_moves(BLACK, &walk.arena, next)
        else:
            return count_moves(WHITE, &walk.arena, next)
    if Colour is White:
        return perft(BLACK, counting, walk, next, plies - 1)
    else:
        return perft(WHITE, counting, walk, next, plies - 1)


cdef inline u64 perft_steps(Colour colour, Counting counting, Walk* walk, Board board, u64 men, u64 empty, int index,
                            int plies) noexcept nogil:
    cdef u64 targets = man_step(colour, men, index) & empty
    cdef u64 target, count = 0
    while targets:
        target = lowest(targets)
        count += descend(colour, counting, walk,
                         after_man_step(colour, board, man_step_back(colour, target, index), target), plies)
        targets ^= target
    return count


cdef u64 perft_kings(Colour colour, Counting counting, Walk* walk, Board board, int plies) noexcept nogil:
    cdef u64 kings = board.own & board.kings
    cdef u64 targets, target, count = 0
    cdef int origin
    while kings:
        origin = lowest_bit(kings)
        targets = king_targets(origin, board.own | board.enemy)
        while targets:
            target = lowest(targets)
            count += descend(colour, counting, walk, after(colour, board, bit(origin), target, 0), plies)
            targets ^= target
        kings &= kings - 1
    return count


cdef u64 count_leaves(const Node* node, Walk* walk, int depth, bint every_leaf) noexcept nogil:
    """Perft of `depth` plies, at least 1."""
    if every_leaf:
        if node.black:
            return perft(BLACK, EVERY_LEAF, walk, node.board, depth)
        return perft(WHITE, EVERY_LEAF, walk, node.board, depth)
    if depth == 1:
        return count_moves(BLACK, &walk.arena, node.board) if node.black else count_moves(WHITE, &walk.arena, node.board)
    if node.black:
        return perft(BLACK, IN_BULK, walk, node.board, depth - 1)
    return perft(WHITE, IN_BULK, walk, node.board, depth - 1)
