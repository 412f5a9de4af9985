# Captures.
#
# They grow one piece at a time, all of them together, as in `rules/movegen.py`. Where the number decides, the last
# generation that is not empty takes the most pieces; else every capture is kept that cannot go on. Partial captures that can only go on alike are merged as they appear, so neither time nor room
# grows with the number of routes. Most captures take one piece by a man; sets of squares show that without following
# anything, and those are written down at once.

# The squares from which a man, if one stood there, could jump in each direction.
ctypedef struct Jumps:
    u64 towards[4]

cdef enum:
    # A generation up to this long is searched for equals one by one; a longer one through the hash table.
    SHORT_GENERATION = 24


cdef inline u64 prey_of_men(Board board) noexcept nogil:
    """What men may capture."""
    return board.enemy if MEN_TAKE_KINGS else board.enemy & ~board.kings


cdef inline u64 jumps_towards(Colour colour, Board board, int direction) noexcept nogil:
    cdef u64 empty = BOARD_MASK & ~(board.own | board.enemy)
    cdef u64 jumping
    if man_captures(colour, direction):
        jumping = behind(prey_of_men(board) & behind(empty, direction), direction)
        return jumping & ~promotion(colour) if CROWNING_ENDS_MOVE else jumping
    return 0


cdef inline Jumps man_jumps(Colour colour, Board board) noexcept nogil:
    cdef Jumps jumps
    jumps.towards[0] = jumps_towards(colour, board, 0)
    jumps.towards[1] = jumps_towards(colour, board, 1)
    jumps.towards[2] = jumps_towards(colour, board, 2)
    jumps.towards[3] = jumps_towards(colour, board, 3)
    return jumps


cdef inline u64 any_jump(Jumps jumps) noexcept nogil:
    return jumps.towards[0] | jumps.towards[1] | jumps.towards[2] | jumps.towards[3]


cdef inline bint can_capture(Colour colour, Board board) noexcept nogil:
    """Whether there may be a capture: certain for men, while a king, which has to look around, counts as a yes."""
    return (board.own & (board.kings | any_jump(man_jumps(colour, board)))) != 0


cdef inline u64 continuing(Colour colour, Jumps jumps, u64 men, int direction) noexcept nogil:
    """The men that jump in `direction` and can jump again from where they land, other than back.

    Those that go on as kings are among them, whether or not there is anything for a king to take.
    """
    cdef u64 further = promotion(colour) if CROWNED_IN_PASSING else 0
    if OPPOSITE[direction] != 0:
        further |= jumps.towards[0]
    if OPPOSITE[direction] != 1:
        further |= jumps.towards[1]
    if OPPOSITE[direction] != 2:
        further |= jumps.towards[2]
    if OPPOSITE[direction] != 3:
        further |= jumps.towards[3]
    # The second jump cannot end where the man came from, nor need the square of its first victim: the jumps of the
    # board as it stands are exact.
    return men & jumps.towards[direction] & behind(behind(further, direction), direction)


cdef inline void push_jumps(Arena* arena, u64 origins, int direction) noexcept nogil:
    """One jump in `direction` of each man on `origins`."""
    cdef u64 victim
    cdef int origin
    while origins:
        origin = lowest_bit(origins)
        victim = step(bit(origin), direction)
        push(arena, origin, lowest_bit(step(victim, direction)), victim, direction)
        origins &= origins - 1


cdef inline void push_king_jumps(Arena* arena, int origin, int square, u64 captured, u64 targets, u64 occupied,
                                 int direction) noexcept nogil:
    """Every jump of a king on `square` in `direction`."""
    cdef u64 victim = first_on_ray(square, direction, occupied) & targets
    cdef u64 landing
    if victim == 0:
        return
    landing = step(victim, direction) & BOARD_MASK & ~occupied
    if not NUMBER_DECIDES and KING_LANDS_ANYWHERE:
        push_landings_ahead(arena, origin, captured | victim, targets ^ victim, occupied, landing, direction)
        return
    while landing:
        push(arena, origin, lowest_bit(landing), captured | victim, direction)
        if not KING_LANDS_ANYWHERE:
            return
        landing = step(landing, direction) & BOARD_MASK & ~occupied


cdef inline bint king_goes_on(int square, u64 targets, u64 occupied, int heading) noexcept nogil:
    """Whether a king on `square`, come in the direction `heading`, can jump again."""
    cdef u64 victim
    cdef int direction
    for direction in range(4):
        if REVERSAL_BANNED and OPPOSITE[direction] == heading:
            continue
        victim = first_on_ray(square, direction, occupied) & targets
        if step(victim, direction) & BOARD_MASK & ~occupied:
            return True
    return False


cdef void push_landings_ahead(Arena* arena, int origin, u64 captured, u64 targets, u64 occupied, u64 first,
                              int direction) noexcept nogil:
    """The jump of a king with each landing from `first` on that it can go on from; with every landing if there is none."""
    cdef int begin = arena.used
    cdef u64 blocked = occupied & ~bit(origin)
    cdef u64 landing = first
    if REMOVED_AT_ONCE:
        blocked &= ~captured
    while landing:
        if king_goes_on(lowest_bit(landing), targets, blocked, direction):
            push(arena, origin, lowest_bit(landing), captured, direction)
        landing = step(landing, direction) & BOARD_MASK & ~occupied
    if arena.used > begin:
        return
    while first:
        push(arena, origin, lowest_bit(first), captured, direction)
        first = step(first, direction) & BOARD_MASK & ~occupied


cdef inline void push_further_king_jumps(Arena* arena, Move* jumping, u64 targets, u64 occupied,
                                         int direction) noexcept nogil:
    if REVERSAL_BANNED and jumping.heading == OPPOSITE[direction]:
        return
    push_king_jumps(arena, jumping.origin, jumping.target, jumping.captured, targets, occupied, direction)


cdef inline void push_further_man_jump(Colour colour, Arena* arena, Move* jumping, u64 targets, u64 occupied,
                                       int direction) noexcept nogil:
    # Turning back needs no ban: behind a man lies the piece it took, gone or not to be jumped twice.
    cdef u64 victim, landing
    if CROWNING_ENDS_MOVE and bit(jumping.target) & promotion(colour):
        return
    if man_captures(colour, direction):
        victim = step(bit(jumping.target), direction) & targets
        landing = step(victim, direction) & BOARD_MASK & ~occupied
        if landing:
            push(arena, jumping.origin, lowest_bit(landing), jumping.captured | victim, direction)


cdef inline void push_further_jumps(Colour colour, Arena* arena, Board board, Move jumping) noexcept nogil:
    """Every way for a partial capture to take one more piece."""
    cdef u64 occupied = (board.own & ~bit(jumping.origin)) | board.enemy
    cdef u64 targets = board.enemy & ~jumping.captured
    if REMOVED_AT_ONCE:
        occupied &= ~jumping.captured
    if board.kings & bit(jumping.origin) or passes_as_king(colour, jumping.captured):
        push_further_king_jumps(arena, &jumping, targets, occupied, 0)
        push_further_king_jumps(arena, &jumping, targets, occupied, 1)
        push_further_king_jumps(arena, &jumping, targets, occupied, 2)
        push_further_king_jumps(arena, &jumping, targets, occupied, 3)
    else:
        if not MEN_TAKE_KINGS:
            targets &= ~board.kings
        push_further_man_jump(colour, arena, &jumping, targets, occupied, 0)
        push_further_man_jump(colour, arena, &jumping, targets, occupied, 1)
        push_further_man_jump(colour, arena, &jumping, targets, occupied, 2)
        push_further_man_jump(colour, arena, &jumping, targets, occupied, 3)


cdef void push_first_king_jumps(Arena* arena, Board board) noexcept nogil:
    cdef u64 kings = board.own & board.kings
    cdef u64 occupied = board.own | board.enemy
    cdef int origin, direction
    while kings:
        origin = lowest_bit(kings)
        for direction in range(4):
            push_king_jumps(arena, origin, origin, 0, board.enemy, occupied, direction)
        kings &= kings - 1


cdef int generate_captures(Colour colour, Arena* arena, Board board) noexcept nogil:
    """Append the captures that the rules leave; returns how many there are."""
    cdef int begin = arena.used
    cdef u64 men = board.own & ~board.kings
    cdef Jumps jumps = man_jumps(colour, board)
    cdef u64 twice_0 = continuing(colour, jumps, men, 0)
    cdef u64 twice_1 = continuing(colour, jumps, men, 1)
    cdef u64 twice_2 = continuing(colour, jumps, men, 2)
    cdef u64 twice_3 = continuing(colour, jumps, men, 3)
    cdef bint growing = (twice_0 | twice_1 | twice_2 | twice_3) != 0
    if board.own & board.kings:
        push_first_king_jumps(arena, board)
    if growing and NUMBER_DECIDES and not CROWNED_IN_PASSING:
        push_jumps(arena, twice_0, 0)
        push_jumps(arena, twice_1, 1)
        push_jumps(arena, twice_2, 2)
        push_jumps(arena, twice_3, 3)
        grow_captures(colour, arena, board, begin)
    else:
        push_jumps(arena, men & jumps.towards[0], 0)
        push_jumps(arena, men & jumps.towards[1], 1)
        push_jumps(arena, men & jumps.towards[2], 2)
        push_jumps(arena, men & jumps.towards[3], 3)
        if arena.used > begin and (growing or board.own & board.kings):
            grow_captures(colour, arena, board, begin)
    if KINGS_GO_FIRST or MOST_KINGS_DECIDE or EARLIEST_KINGS_DECIDE:
        keep_preferred(arena, board, begin)
    return arena.used - begin


cdef inline bint heading_matters() noexcept nogil:
    """Whether captures that differ in nothing but the direction of their last jump may go on, or end, differently."""
    return (REMOVED_AT_ONCE and REVERSAL_BANNED) or LAST_KING_STOPS


cdef void grow_captures(Colour colour, Arena* arena, Board board, int begin) noexcept nogil:
    """Turn the partial captures from index `begin` on into those that they grow to: the longest, or all complete ones."""
    if EARLIEST_KINGS_DECIDE:
        note_kings(arena, board, begin, 0, 0)
    if NUMBER_DECIDES:
        grow_longest(colour, arena, board, begin)
    else:
        grow_complete(colour, arena, board, begin)


cdef void grow_longest(Colour colour, Arena* arena, Board board, int begin) noexcept nogil:
    cdef int first = begin, end, i, grown
    while True:  # moves[first:end] is the generation that grows
        end = arena.used
        for i in range(first, end):
            grown = arena.used
            push_further_jumps(colour, arena, board, arena.moves[i])
            if EARLIEST_KINGS_DECIDE:
                note_kings(arena, board, grown, arena.moves[i].captured, arena.moves[i].order)
        if arena.used == end:
            break
        first = end
        merge(arena, first, heading_matters())
    if LAST_KING_STOPS:
        drop_far_landings(arena, board, first)
    if first > begin:
        if heading_matters():
            merge(arena, first, False)
        memmove(&arena.moves[begin], &arena.moves[first], (arena.used - first) * sizeof(Move))
        arena.used -= first - begin


cdef void grow_complete(Colour colour, Arena* arena, Board board, int begin) noexcept nogil:
    cdef int kept = begin, first = begin, end, i, grown
    while first < arena.used:  # moves[begin:kept] are complete, moves[first:end] is the generation that grows
        end = arena.used
        for i in range(first, end):
            grown = arena.used
            push_further_jumps(colour, arena, board, arena.moves[i])
            if arena.used == grown:
                arena.moves[kept] = arena.moves[i]
                kept += 1
        memmove(&arena.moves[kept], &arena.moves[end], (arena.used - end) * sizeof(Move))
        arena.used -= end - kept
        first = kept
        if first < arena.used:
            merge(arena, first, heading_matters())
    if heading_matters():
        merge(arena, begin, False)


cdef void note_kings(Arena* arena, Board board, int first, u64 captured, int32_t before) noexcept nogil:
    """Write down, for the captures from index `first` on, whether the piece taken last was a king.

    Before it they had taken `captured`, of which `before` says the same, a bit a piece.
    """
    cdef int i
    for i in range(first, arena.used):
        arena.moves[i].order = before << 1 | ((arena.moves[i].captured & ~captured & board.kings) != 0)


cdef inline u64 precedence(const Move* move, Board board) noexcept nogil:
    """What decides between captures that are complete and, where it decides, equally long: more goes first."""
    cdef u64 worth = 0
    if KINGS_GO_FIRST:
        worth = (board.kings & bit(move.origin)) != 0
    if MOST_KINGS_DECIDE:
        worth = worth << 8 | <u64>count_bits(move.captured & board.kings)
    if EARLIEST_KINGS_DECIDE:
        worth = worth << 32 | <u64>move.order
    return worth


cdef void keep_preferred(Arena* arena, Board board, int begin) noexcept nogil:
    """Keep those of the complete captures from index `begin` on that go before all others."""
    cdef u64 most = 0
    cdef int kept = begin, i
    if not board.kings:
        return
    if EARLIEST_KINGS_DECIDE and arena.used > begin and count_bits(arena.moves[begin].captured) == 1:
        note_kings(arena, board, begin, 0, 0)  # single captures by men have not grown
    for i in range(begin, arena.used):
        most = max(most, precedence(&arena.moves[i], board))
    for i in range(begin, arena.used):
        if precedence(&arena.moves[i], board) == most:
            arena.moves[kept] = arena.moves[i]
            kept += 1
    arena.used = kept


cdef void drop_far_landings(Arena* arena, Board board, int first) noexcept nogil:
    """Leave out the captures from index `first` on that end with a king behind another king, but not right behind it."""
    cdef u64 occupied = board.own | board.enemy
    cdef u64 victim
    cdef int kept = first, i, back
    cdef Move* move
    for i in range(first, arena.used):
        move = &arena.moves[i]
        if board.kings & bit(move.origin):
            back = OPPOSITE[move.heading]
            victim = first_on_ray(move.target, back, occupied & ~bit(move.origin))
            if victim & board.kings and step(bit(move.target), back) != victim:
                continue
        arena.moves[kept] = move[0]
        kept += 1
    arena.used = kept


cdef inline bint alike(Move* one, Move* other, bint by_heading) noexcept nogil:
    return (one.captured == other.captured and one.target == other.target and one.origin == other.origin
            and (not by_heading or one.heading == other.heading)
            and (not EARLIEST_KINGS_DECIDE or one.order == other.order))


cdef void merge(Arena* arena, int first, bint by_heading) noexcept nogil:
    """Keep one of each set of equal captures from index `first` on.

    `by_heading` tells apart where they come from, which matters as long as a move may not turn back and could find new
    pieces on the way back, the ones before it being gone; and where the piece taken last decides where it may stop.
    """
    cdef int kept = first + 1, i, j
    if arena.used - first > SHORT_GENERATION:
        merge_many(arena, first, by_heading)
        return
    for i in range(first + 1, arena.used):
        for j in range(first, kept):
            if alike(&arena.moves[i], &arena.moves[j], by_heading):
                break
        else:
            arena.moves[kept] = arena.moves[i]
            kept += 1
    arena.used = kept


cdef void merge_many(Arena* arena, int first, bint by_heading) noexcept nogil:
    """`merge` through a hash table, for generations of any length."""
    cdef int slots = 64, kept = first, i, slot
    cdef Move* move
    cdef u64 mixed
    while slots < 2 * (arena.used - first):
        slots *= 2
    if slots > arena.seen_size:
        free(arena.seen)
        arena.seen = <int32_t*>malloc(slots * sizeof(int32_t))
        if arena.seen == NULL:
            abort()
        arena.seen_size = slots
    memset(arena.seen, 0xff, slots * sizeof(int32_t))
    for i in range(first, arena.used):
        move = &arena.moves[i]
        mixed = move.captured ^ (<u64>move.origin << 8 ^ <u64>move.target) * <u64>0x9E3779B97F4A7C15
        mixed = (mixed ^ mixed >> 32) * <u64>0xD6E8FEB86659FD93
        slot = <int>((mixed ^ mixed >> 32) & <u64>(slots - 1))
        while arena.seen[slot] >= 0 and not alike(move, &arena.moves[arena.seen[slot]], by_heading):
            slot = (slot + 1) & (slots - 1)
        if arena.seen[slot] < 0:
            arena.seen[slot] = kept
            arena.moves[kept] = move[0]
            kept += 1
    arena.used = kept


cdef int count_captures(Colour colour, Arena* arena, Board board) noexcept nogil:
    """How many captures are legal."""
    cdef int begin = arena.used
    cdef int found
    cdef u64 men = board.own & ~board.kings
    cdef Jumps jumps = man_jumps(colour, board)
    if not board.own & board.kings and not (MOST_KINGS_DECIDE and board.kings) and not (
            continuing(colour, jumps, men, 0) | continuing(colour, jumps, men, 1)
            | continuing(colour, jumps, men, 2) | continuing(colour, jumps, men, 3)):
        return (count_bits_of_three(men & jumps.towards[0], men & jumps.towards[1], men & jumps.towards[2])
                + count_bits(men & jumps.towards[3]))
    found = generate_captures(colour, arena, board)
    arena.used = begin
    return found
