# The root of a search: its moves, kept in the order of their scores from one iteration to the next.

cdef enum:
    MAX_DEPTH = 120
    UNSEARCHED = -WIN - 1

ctypedef struct RootMove:
    Move move
    int number  # in the order of generation, from 0
    int score
    int before  # the score that the last iteration gave it, UNSEARCHED where it was no best line
    bint exact  # in this iteration, within the window
    Line* line  # apart, so that sorting moves little

ctypedef struct Root:
    RootMove* moves
    Line* room  # for the line of each move
    int count
    int depth  # the deepest iteration allowed
    int lines  # how many best lines are wanted
    int mate  # stop at a win in so many moves of the winner, 0: never
    int current  # the move being searched, in one word for other threads: its number, and its place << 16


cdef bint root_open(Root* root, const Move* moves, int count) noexcept nogil:
    """Take a copy of the moves; False where there is no memory for them. `root_close` releases it in either case."""
    cdef int i
    root.moves = <RootMove*>malloc(count * sizeof(RootMove))
    root.room = <Line*>malloc(count * sizeof(Line))
    if root.moves == NULL or root.room == NULL:
        return False
    root.count = count
    root.current = 0
    for i in range(count):
        root.moves[i].move = moves[i]
        root.moves[i].number = i
        root.moves[i].score = UNSEARCHED
        root.moves[i].before = UNSEARCHED
        root.moves[i].exact = False
        root.moves[i].line = &root.room[i]
        root.moves[i].line.length = 0
    return True


cdef void root_close(Root* root) noexcept nogil:
    free(root.moves)
    free(root.room)
    root.moves = NULL
    root.room = NULL


cdef bint is_decided(const Root* root, int depth) noexcept nogil:
    """Whether deeper iterations can find nothing new: each line wanted ends the game within `depth` plies.

    The iteration before must have said the same. In the first one that finds a win some moves may have been given up for
    a moderate score before it was found; from then on the win comes first, and nothing is pruned beside it.
    """
    cdef int i, distance
    for i in range(root.lines):
        distance = WIN - abs(root.moves[i].score)
        if distance > depth or root.moves[i].score != root.moves[i].before:
            return False
    return True


cdef bint is_mate_found(const Root* root) noexcept nogil:
    return root.mate > 0 and root.moves[0].score >= WIN - 2 * root.mate + 1


cdef void sort_root(Root* root, int first, int end) noexcept nogil:
    """Bring the moves from `first` to `end` into order of their scores; equals keep their order."""
    cdef RootMove moved
    cdef int i, j
    for i in range(first + 1, end):
        j = i
        while j > first and root.moves[j].score > root.moves[j - 1].score:
            moved = root.moves[j]
            root.moves[j] = root.moves[j - 1]
            root.moves[j - 1] = moved
            j -= 1


cdef int search_root(Worker* worker, Root* root, int first, int alpha, int beta, int depth) noexcept nogil:
    """The best score among the root moves from index `first` on; each move's own score and line are set."""
    cdef RootMove* candidate
    cdef int i, score, best = -WIN
    worker.lines[0].length = 0
    for i in range(first, root.count):
        root.moves[i].score = UNSEARCHED
        root.moves[i].exact = False
    for i in range(first, root.count):
        candidate = &root.moves[i]
        root.current = i << 16 | candidate.number
        make_move(worker, 0, &candidate.move)
        if i == first:
            score = -search(worker, 1, -beta, -alpha, depth - 1)
        else:
            score = -search(worker, 1, -alpha - 1, -alpha, depth - 1)
            if score > alpha and score < beta and not stopped(worker):
                score = -search(worker, 1, -beta, -alpha, depth - 1)
        if stopped(worker):
            return best
        if score > best:
            best = score
        if i == first or score > alpha:
            candidate.score = score
            candidate.exact = alpha < score < beta
            extend_line(worker, 0, &candidate.move)
            copy_line(candidate.line, &worker.lines[0])
            if score >= beta:
                break
            if score > alpha:
                alpha = score
    return best
