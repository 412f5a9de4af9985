# How the threads of a search share its work.
#
# All of them search the same iterations and share what they have found through the table. So that they do not
# all look at the same moves, each shows which quiet move it is searching at its nodes, and another that comes by the
# same node searches that move last, when in most cases the table knows its worth. The first move of a node has nothing
# to wait for: all search it together, and part at the nodes after it. The idea is ABDADA's (Jean-Christophe Weill,
# 1996) without its counts in the table, as Tom Kerrigan simplified it. In the mean of eleven positions two threads come
# 1.7 to 2 times as fast as one to 21 plies (`scripts/bench threads --depth 21`); 1.3 times where each skipped half of
# the iterations instead.

cdef enum:
    SHARED_DEPTH = 4  # plies left; asking the others would cost more than it saves at nodes less deep


cdef inline bint is_searched_elsewhere(const Worker* worker, int ply, u64 key) noexcept nogil:
    """Whether another thread is at the move from the node at `ply` that leads to `key`; this one is between moves."""
    cdef const Control* control = worker.control
    cdef int i
    for i in range(control.worker_count):
        if control.workers[i].searched[ply] == key:
            return True
    return False


cdef int postpone_searched(Worker* worker, int ply, int index, int sorted_end, int end) noexcept nogil:
    """`sort_to`, and where another thread is at that quiet move, exchange it with the best that nobody is at, if any.

    It comes later then, as if it were worth that much less: late moves are searched less deeply. Moves before
    `sorted_end` have been sorted; returns how far they are now.
    """
    cdef Move* moves = worker.arena.moves
    cdef Move postponed
    cdef int i
    for i in range(index, end):
        sorted_end = sort_to(worker, i, sorted_end, end)
        if not is_searched_elsewhere(worker, ply, key_after(&worker.nodes[ply], moves[i].origin, moves[i].target)):
            if i > index:
                postponed = moves[index]
                moves[index] = moves[i]
                moves[i] = postponed
            break
    return sorted_end
