# Sets of squares as 64-bit words, and one step of all of them at once.

cdef inline u64 bit(int index) noexcept nogil:
    return <u64>1 << index


cdef inline u64 lowest(u64 squares) noexcept nogil:
    """The lowest square of the set, as a set."""
    return squares & (~squares + 1)


cdef inline u64 shifted(u64 squares, int by) noexcept nogil:
    return squares << by if by > 0 else squares >> -by


cdef inline u64 step(u64 squares, int direction) noexcept nogil:
    """Each square replaced by its neighbour. On boards with unused bits the result may hold some of those."""
    return shifted(squares & GUARD[direction], SHIFT[direction])


cdef inline u64 behind(u64 squares, int direction) noexcept nogil:
    """The squares whose neighbour in `direction` is in the set."""
    return shifted(squares, -SHIFT[direction]) & GUARD[direction]


cdef inline u64 first_on_ray(int square, int direction, u64 occupied) noexcept nogil:
    """The nearest occupied square in `direction` that a king sees, as a set; empty where there is none."""
    if not KINGS_FLY:
        return step(bit(square), direction) & occupied
    cdef u64 hits = RAY[direction][square] & occupied
    if hits == 0:
        return 0
    return bit(lowest_bit(hits)) if SHIFT[direction] > 0 else bit(highest_bit(hits))


cdef inline u64 reach(int square, int direction, u64 occupied) noexcept nogil:
    """The empty squares that a king on `square` reaches in `direction`."""
    if not KINGS_FLY:
        return step(bit(square), direction) & BOARD_MASK & ~occupied
    cdef u64 ray = RAY[direction][square]
    cdef u64 hits = ray & occupied
    if hits == 0:
        return ray
    if SHIFT[direction] > 0:
        return ray & (lowest(hits) - 1)
    return ray & ~((<u64>2 << highest_bit(hits)) - 1)


# --- what depends on the side to move ---------------------------------------------------------------------------

cdef inline u64 man_step(Colour colour, u64 men, int index) noexcept nogil:
    """The squares that men reach with their step number `index`; empty where the game has no such step."""
    if Colour is White:
        return shifted(men & WHITE_STEP_GUARD[index], WHITE_STEP_SHIFT[index])
    else:
        return shifted(men & BLACK_STEP_GUARD[index], BLACK_STEP_SHIFT[index])


cdef inline u64 man_step_back(Colour colour, u64 targets, int index) noexcept nogil:
    """The squares from which men reach `targets` with their step number `index`."""
    if Colour is White:
        return shifted(targets, -WHITE_STEP_SHIFT[index])
    else:
        return shifted(targets, -BLACK_STEP_SHIFT[index])


cdef inline bint man_captures(Colour colour, int direction) noexcept nogil:
    """Whether men capture in this direction."""
    if Colour is White:
        return WHITE_MAN_CAPTURES[direction]
    else:
        return BLACK_MAN_CAPTURES[direction]


cdef inline u64 promotion(Colour colour) noexcept nogil:
    """The squares on which men are crowned."""
    if Colour is White:
        return PROMOTION[0]
    else:
        return PROMOTION[1]


cdef inline bint crowns(int side, u64 target, u64 captured) noexcept nogil:
    """Whether a man that makes this move is a king after it.

    Where a man is crowned on its way, it has taken a piece on the rank before the last one: only so it gets to the last,
    and on from there.
    """
    if CROWNED_IN_PASSING:
        return ((target & PROMOTION[side]) | (captured & BEFORE_PROMOTION[side])) != 0
    return (target & PROMOTION[side]) != 0


cdef inline bint passes_as_king(Colour colour, u64 captured) noexcept nogil:
    """Whether a man that has taken these on its way goes on as a king."""
    if Colour is White:
        return CROWNED_IN_PASSING and (captured & BEFORE_PROMOTION[0]) != 0
    else:
        return CROWNED_IN_PASSING and (captured & BEFORE_PROMOTION[1]) != 0
