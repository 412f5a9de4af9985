# What one thread of a search owns, what all its threads share, and when they stop.

cdef enum:
    MAX_PLY = 200
    POLL_EVERY = 1024  # nodes between two looks at the clock
    CACHE_LINES = 128  # bytes; two lines, since they are fetched in pairs

cdef double FIRST_ITERATION = 0.01  # s that it may take whatever the deadline, so that no move is a guess

# One search's orders, shared by its threads.
ctypedef struct Control:
    volatile int stop
    volatile double deadline  # monotonic seconds
    double first_deadline  # the first iteration's, if that is later
    u64 node_limit  # 0: none
    TableMemory* table
    EndingTables* endings  # NULL: none
    Worker* workers
    int worker_count
    int no_progress_limit  # plies, 0: none
    int contempt  # hundredths of a man that a draw is worth less to the side to move at the root
    int root_black
    u64 salt  # what every key is changed by, where scores depend on more than the position

ctypedef struct Line:
    int length
    Move moves[MAX_PLY]


cdef inline void copy_line(Line* to, const Line* line) noexcept nogil:
    to.length = line.length
    memcpy(to.moves, line.moves, line.length * sizeof(Move))



ctypedef struct Worker:
    Control* control
    Arena arena
    Node nodes[MAX_PLY + 2]
    Sums sums[MAX_PLY + 2]  # of the evaluation, by ply
    Line lines[MAX_PLY + 2]  # the best line from each ply on
    u64* path  # keys of the game before the root, then of the nodes from the root on
    int before_root  # how many keys of the game
    Move[2]* killers  # by ply
    int16_t* history  # by side, origin, target
    int16_t* replies  # by side, target of the move before, target
    uint8_t arrived[MAX_PLY + 2]  # the target of the move that led to each ply
    volatile u64 made  # moves made
    u64 ends  # nodes at which a line ended
    u64 end_plies  # their plies, added up
    u64 hits  # nodes found in endgame tables
    int until_poll
    int deepest  # ply
    int root_depth
    int deciding_from  # score; in windows beyond it wins are told apart by their length, so nothing there is a guess
    uint8_t[CACHE_LINES] apart  # other threads read what follows, and no more than that
    volatile u64[MAX_PLY + 2] searched  # by ply: the key after the move being searched there, 0 for none
    uint8_t[CACHE_LINES] apart_too  # the next worker's fields are another thread's


cdef inline int16_t* history_of(Worker* worker, int black, int origin, int target) noexcept nogil:
    return &worker.history[(black * 64 + origin) * 64 + target]


cdef inline int16_t* reply_of(Worker* worker, int black, int before, int target) noexcept nogil:
    return &worker.replies[(black * 64 + before) * 64 + target]


cdef bint worker_open(Worker* worker, Control* control) noexcept nogil:
    """Reserve what the thread needs; False where there is no memory. `worker_close` releases it in either case."""
    memset(worker, 0, sizeof(Worker))
    worker.control = control
    worker.killers = <Move[2]*>calloc(MAX_PLY + 2, 2 * sizeof(Move))
    worker.history = <int16_t*>calloc(2 * 64 * 64, sizeof(int16_t))
    worker.replies = <int16_t*>calloc(2 * 64 * 64, sizeof(int16_t))
    return (arena_open(&worker.arena) and worker.killers != NULL and worker.history != NULL
            and worker.replies != NULL)


cdef void worker_close(Worker* worker) noexcept nogil:
    arena_close(&worker.arena)
    free(worker.path)
    free(worker.killers)
    free(worker.history)
    free(worker.replies)


cdef void forget(Worker* worker) noexcept nogil:
    """Drop what was learnt about moves."""
    memset(worker.killers, 0, (MAX_PLY + 2) * 2 * sizeof(Move))
    memset(worker.history, 0, 2 * 64 * 64 * sizeof(int16_t))
    memset(worker.replies, 0, 2 * 64 * 64 * sizeof(int16_t))


cdef u64 total_made(const Control* control) noexcept nogil:
    cdef u64 total = 0
    cdef int i
    for i in range(control.worker_count):
        total += control.workers[i].made
    return total


cdef u64 total_hits(const Control* control) noexcept nogil:
    cdef u64 total = 0
    cdef int i
    for i in range(control.worker_count):
        total += control.workers[i].hits
    return total


cdef bint is_late(const Worker* worker) noexcept nogil:
    """Whether the deadline has passed, for the first iteration its own."""
    cdef double now = monotonic_seconds()
    return now >= worker.control.deadline and (worker.root_depth > 1 or now >= worker.control.first_deadline)


cdef void poll(Worker* worker) noexcept nogil:
    """Look at the limits, and decide when to look again: the node limit is met exactly by a single thread."""
    cdef Control* control = worker.control
    cdef u64 made, share
    worker.until_poll = POLL_EVERY
    if is_late(worker):
        control.stop = 1
    if control.node_limit:
        made = total_made(control)
        if made >= control.node_limit:
            control.stop = 1
        else:
            share = (control.node_limit - made) // control.worker_count
            if share < POLL_EVERY:
                worker.until_poll = <int>share if share else 1


cdef inline bint stopped(Worker* worker) noexcept nogil:
    return worker.control.stop != 0


cdef inline void try_move(Worker* worker, int ply, const Move* move) noexcept nogil:
    """`make_move` without counting it."""
    play(&worker.nodes[ply], move, &worker.nodes[ply + 1])
    worker.sums[ply + 1].known = False
    worker.arrived[ply + 1] = move.target
    worker.path[worker.before_root + ply + 1] = worker.nodes[ply + 1].key


cdef inline void make_move(Worker* worker, int ply, const Move* move) noexcept nogil:
    """Play a move from the node at `ply` to the one at `ply + 1`."""
    try_move(worker, ply, move)
    worker.made += 1
    worker.until_poll -= 1
    if worker.until_poll <= 0:
        poll(worker)


cdef inline int evaluate_at(Worker* worker, int ply) noexcept nogil:
    """The static evaluation of the node at `ply`."""
    cdef int known = ply
    while not worker.sums[known].known:  # the root's always are
        known -= 1
    while known < ply:
        sum_after(&worker.nodes[known], &worker.sums[known], &worker.nodes[known + 1], &worker.sums[known + 1])
        known += 1
    return value_of(&worker.nodes[ply], &worker.sums[ply])


cdef inline bint repeated(Worker* worker, int ply) noexcept nogil:
    """Whether the position draws by repetition.

    Inside the tree the first return counts: what was possible once is possible again. Positions of the game itself
    count as the rules say.
    """
    cdef int here = worker.before_root + ply
    cdef int back = worker.nodes[ply].no_progress
    cdef u64 key = worker.nodes[ply].key
    cdef int i, seen = 1
    if back > here:
        back = here
    for i in range(here - 4, here - back - 1, -2):
        if worker.path[i] == key:
            seen += 1
            if i >= worker.before_root or seen >= REPETITIONS:
                return True
    return False


cdef inline int draw_score(Worker* worker, int ply) noexcept nogil:
    """A draw as the side to move sees it."""
    if worker.nodes[ply].black == worker.control.root_black:
        return -worker.control.contempt
    return worker.control.contempt


cdef inline int line_end(Worker* worker, int ply, int score) noexcept nogil:
    """Note that a line ended here, for the mean depth."""
    worker.ends += 1
    worker.end_plies += ply
    return score
