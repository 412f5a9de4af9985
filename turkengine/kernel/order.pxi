# The order in which the moves of a node are tried, and what is learnt for it.

cdef enum:
    KNOWN = 1 << 21
    KILLER = 1 << 20
    SKIPPED = -(1 << 20)  # the order of a move that was not tried
    KING_VICTIM = 1 << 10
    HISTORY_LIMIT = 8192  # values stay below this
    HISTORY_BONUS_LIMIT = 1024


cdef inline bint same_move(const Move* one, const Move* other) noexcept nogil:
    return one.origin == other.origin and one.target == other.target and one.captured == other.captured


cdef inline bint bring_known(Worker* worker, int begin, int end, uint16_t known) noexcept nogil:
    """Put the move that the table knows first; False where it is not among these."""
    cdef Move* moves = worker.arena.moves
    cdef Move found
    cdef int i
    for i in range(begin, end):
        if (moves[i].origin | moves[i].target << 6) == (known & 0xfff) and packed(&moves[i]) == known:
            found = moves[i]
            moves[i] = moves[begin]
            moves[begin] = found
            moves[begin].order = KNOWN
            return True
    return False


cdef void order_captures(Worker* worker, int ply, int begin, int end) noexcept nogil:
    """Captures that take more pieces come first, where not all take equally many, then those that take more kings, then
    those that crown."""
    cdef Node* node = &worker.nodes[ply]
    cdef Move* move
    cdef int i
    for i in range(begin, end):
        move = &worker.arena.moves[i]
        move.order = history_of(worker, node.black, move.origin, move.target)[0] >> 4
        if node.board.kings:
            move.order += KING_VICTIM * count_bits(move.captured & node.board.kings)
        if not NUMBER_DECIDES:
            move.order += KING_VICTIM * count_bits(move.captured)
        if crowns(node.black, bit(move.target), move.captured) and not bit(move.origin) & node.board.kings:
            move.order += KING_VICTIM // 2


cdef void order_quiet_moves(Worker* worker, int ply, int begin, int end) noexcept nogil:
    """The two moves that last cut at this ply, then by how often a move did well."""
    cdef Node* node = &worker.nodes[ply]
    cdef int16_t* history = history_of(worker, node.black, 0, 0)
    cdef int16_t* replies = reply_of(worker, node.black, worker.arrived[ply], 0)
    cdef Move* move
    cdef int i
    for i in range(begin, end):
        move = &worker.arena.moves[i]
        move.order = history[64 * move.origin + move.target] + replies[move.target]
        if same_move(move, &worker.killers[ply][0]):
            move.order = KILLER + 1
        elif same_move(move, &worker.killers[ply][1]):
            move.order = KILLER


cdef inline void bring_best(Worker* worker, int index, int end) noexcept nogil:
    """Exchange the move at `index` with the one of the highest order from there to `end`."""
    cdef Move* moves = worker.arena.moves
    cdef Move best
    cdef int i, chosen = index
    for i in range(index + 1, end):
        if moves[i].order > moves[chosen].order:
            chosen = i
    if chosen != index:
        best = moves[chosen]
        moves[chosen] = moves[index]
        moves[index] = best


cdef inline int sort_to(Worker* worker, int index, int sorted_end, int end) noexcept nogil:
    """Have the best of the moves from `index` to `end` at `index`, unless it is before `sorted_end`: that far it is done.

    Returns how far it is done now.
    """
    if index < sorted_end:
        return sorted_end
    bring_best(worker, index, end)
    return index + 1


cdef inline void nudge(int16_t* value, int bonus) noexcept nogil:
    """Move a value by `bonus`, the less the nearer it is to the limit."""
    value[0] += <int16_t>(bonus - value[0] * (bonus if bonus > 0 else -bonus) // HISTORY_LIMIT)


cdef void learn_cut(Worker* worker, int ply, int begin, int index, int depth) noexcept nogil:
    """The quiet move at `index` cut: it was good, and those tried before it were not."""
    cdef Node* node = &worker.nodes[ply]
    cdef int before = worker.arrived[ply]
    cdef Move* move = &worker.arena.moves[index]
    cdef int bonus = settings[BONUS] * depth * depth
    cdef int i
    if bonus > HISTORY_BONUS_LIMIT:
        bonus = HISTORY_BONUS_LIMIT
    if not same_move(move, &worker.killers[ply][0]):
        worker.killers[ply][1] = worker.killers[ply][0]
        worker.killers[ply][0] = move[0]
    for i in range(begin, index + 1):
        move = &worker.arena.moves[i]
        if move.order == SKIPPED and i != index:
            continue
        nudge(history_of(worker, node.black, move.origin, move.target), bonus if i == index else -bonus)
        nudge(reply_of(worker, node.black, before, move.target), bonus if i == index else -bonus)
