# How the threads of a search share its work.
#
# All of them search the same iterations and tell each other through the table what they have found. So that they do not
# all look at the same moves, each shows which move it is searching at every node, and another that comes by the same
# node takes that move last, when in most cases the table knows its worth. The first move of a node has nothing to wait
# for: all search it together, and part at the nodes after it. The idea is ABDADA's (Jean-Christophe Weill, 1996)
# without its counts in the table, as Tom Kerrigan simplified it. Eleven positions to 21 plies take two threads 1.6
# times less than one (`scripts/bench threads --depth 21`); it was 1.1 where each skipped half of the iterations.

cdef enum:
    SHARED_DEPTH = 4  # plies; less deep nodes are done before anybody has looked around


cdef inline bint is_taken(const Worker* worker, int ply, u64 key) noexcept nogil:
    """Whether another thread is at the move from the node at `ply` that leads to `key`."""
    cdef const Control* control = worker.control
    cdef int i
    for i in range(control.worker_count):
        if control.workers[i].at[ply] == key and &control.workers[i] != worker:
            return True
    return False


cdef int pass_over_taken(Worker* worker, int ply, int index, int placed, int end) noexcept nogil:
    """Where another thread is at the quiet move at `index`, exchange it with the best one that nobody is at, if any.

    Moves before `placed` are in their order; returns the index up to which they are now.
    """
    cdef Move* moves = worker.arena.moves
    cdef Move taken
    cdef int i
    for i in range(index, end):
        placed = place(worker, i, placed, end)
        if not is_taken(worker, ply, key_after(&worker.nodes[ply], moves[i].origin, moves[i].target)):
            if i > index:
                taken = moves[index]
                moves[index] = moves[i]
                moves[i] = taken
            break
    return placed
