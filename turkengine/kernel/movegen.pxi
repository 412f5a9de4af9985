# Quiet moves, and all legal moves: a quiet move is legal only where there is no capture.

cdef inline u64 king_targets(int square, u64 occupied) noexcept nogil:
    cdef u64 targets = (reach(square, 0, occupied) | reach(square, 1, occupied)
                        | reach(square, 2, occupied) | reach(square, 3, occupied))
    if KING_DIRECTIONS > 4:
        targets |= (reach(square, 4, occupied) | reach(square, 5, occupied)
                    | reach(square, 6, occupied) | reach(square, 7, occupied))
    return targets


cdef inline void push_man_steps(Colour colour, Arena* arena, u64 men, u64 empty, int index) noexcept nogil:
    cdef u64 targets = man_step(colour, men, index) & empty
    while targets:
        push(arena, lowest_bit(man_step_back(colour, lowest(targets), index)), lowest_bit(targets), 0, NO_HEADING)
        targets &= targets - 1


cdef void generate_quiet_moves(Colour colour, Arena* arena, Board board) noexcept nogil:
    """Append the quiet moves."""
    cdef u64 occupied = board.own | board.enemy
    cdef u64 empty = BOARD_MASK & ~occupied
    cdef u64 men = board.own & ~board.kings
    cdef u64 kings = board.own & board.kings
    cdef u64 targets
    cdef int origin
    push_man_steps(colour, arena, men, empty, 0)
    push_man_steps(colour, arena, men, empty, 1)
    push_man_steps(colour, arena, men, empty, 2)
    if MAN_STEPS > 3:
        push_man_steps(colour, arena, men, empty, 3)
        push_man_steps(colour, arena, men, empty, 4)
    while kings:
        origin = lowest_bit(kings)
        targets = king_targets(origin, occupied)
        while targets:
            push(arena, origin, lowest_bit(targets), 0, NO_HEADING)
            targets &= targets - 1
        kings &= kings - 1


cdef int count_king_moves(u64 kings, u64 occupied) noexcept nogil:
    cdef int count = 0
    while kings:
        count += count_bits(king_targets(lowest_bit(kings), occupied))
        kings &= kings - 1
    return count


cdef inline int count_quiet_moves(Colour colour, Board board) noexcept nogil:
    """How many quiet moves there are."""
    cdef u64 occupied = board.own | board.enemy
    cdef u64 empty = BOARD_MASK & ~occupied
    cdef u64 men = board.own & ~board.kings
    cdef int count = count_bits_of_three(man_step(colour, men, 0) & empty, man_step(colour, men, 1) & empty,
                                         man_step(colour, men, 2) & empty)
    if MAN_STEPS > 3:
        count += count_bits(man_step(colour, men, 3) & empty) + count_bits(man_step(colour, men, 4) & empty)
    if board.own & board.kings:
        count += count_king_moves(board.own & board.kings, occupied)
    return count


cdef inline int count_moves(Colour colour, Arena* arena, Board board) noexcept nogil:
    """How many legal moves there are."""
    cdef int found
    if can_capture(colour, board):
        found = count_captures(colour, arena, board)
        if found:
            return found
    return count_quiet_moves(colour, board)


cdef int generate(Colour colour, Arena* arena, Board board) noexcept nogil:
    """Append all legal moves; returns how many there are."""
    cdef int begin = arena.used
    if generate_captures(colour, arena, board) == 0:
        generate_quiet_moves(colour, arena, board)
    return arena.used - begin
