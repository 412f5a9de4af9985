# The search for Python: one object that runs it in as many threads as asked, and reports what it finds.

import math
import time
from _thread import allocate_lock, start_new_thread


@cython.final
cdef class Searcher:
    """Searches positions of this variant, one at a time, and keeps what it learns for the next.

    `prepare` comes before each `run`; from then on `stop` and `deadline` hold for the coming run, also when they are set
    before it has begun. All methods but `run` return at once and may be called from any thread.
    """

    cdef Table table
    cdef Control control
    cdef Endings endings  # of the last run, kept as long as its workers may look there
    cdef Root* roots  # one for each worker, the leading one first
    cdef bint searching  # the roots are there
    cdef list listed  # the root moves by their numbers
    cdef list helpers  # a lock for each thread beside the leading one; it is free when the thread is done
    cdef double began
    cdef object on_report
    cdef object failure  # what `on_report` raised

    def __cinit__(self, Table table not None):
        self.table = table
        self.control.table = &table.memory
        self.control.deadline = math.inf

    def __dealloc__(self):
        self.dismiss()

    cdef void dismiss(self):
        """Give the workers back."""
        cdef int i
        for i in range(self.control.worker_count):
            worker_close(&self.control.workers[i])
            root_close(&self.roots[i])
        free(self.control.workers)
        free(self.roots)
        self.control.workers = NULL
        self.roots = NULL
        self.control.worker_count = 0

    cdef int employ(self, int threads) except -1:
        """Have exactly so many workers; what they have learnt is kept where the number stays."""
        cdef int i
        if threads == self.control.worker_count:
            return 0
        self.dismiss()
        self.control.workers = <Worker*>calloc(threads, sizeof(Worker))
        self.roots = <Root*>calloc(threads, sizeof(Root))
        if self.control.workers == NULL or self.roots == NULL:
            self.dismiss()
            raise MemoryError(f"no memory for {threads} threads")
        for i in range(threads):
            self.control.worker_count += 1
            if not worker_open(&self.control.workers[i], &self.control):
                self.dismiss()
                raise MemoryError(f"no memory for {threads} threads")
        return 0

    def prepare(self):
        """Take back `stop`, and let no deadline end the coming run."""
        self.control.deadline = math.inf
        self.control.stop = 0

    def stop(self):
        """End the run prepared or under way."""
        self.control.stop = 1

    @property
    def deadline(self):
        """When the run ends by itself, on the clock of `time.perf_counter`."""
        return self.control.deadline - monotonic_seconds() + time.perf_counter()

    @deadline.setter
    def deadline(self, double moment):
        self.control.deadline = moment - time.perf_counter() + monotonic_seconds()

    def current_move(self):
        """The root move being searched and its number from 1, None while nothing is searched."""
        if not self.searching:
            return None
        cdef int current = self.roots[0].current
        return self.listed[current & 0xffff], (current >> 16) + 1

    def new_game(self):
        """Forget what was learnt about moves; the table has its own `clear`."""
        cdef int i
        for i in range(self.control.worker_count):
            forget(&self.control.workers[i])

    def run(self, Position position not None, *, int depth=0, u64 nodes=0, int mate=0, int multi_pv=1, root_moves=(),
            int threads=1, no_progress=None, int contempt=0, Endings endings=None, on_report):
        """Search until a limit is reached, `stop` is called, or nothing new can be found. The interpreter is free.

        Args:
            position: where to search; a game that is over is not searched.
            depth, nodes, mate: limits in plies, moves made and moves of the winner; 0 for none.
            multi_pv: how many best lines are wanted.
            root_moves: search these only; empty for all.
            threads: how many threads search, this one included.
            no_progress: plies without progress that make a draw where the rule is optional, 0 for none.
            contempt: hundredths of a man by which a draw is worse than equal for the side to move.
            endings: endgame tables, asked for every position of few enough pieces; None for none.
            on_report: called in this thread after each iteration with depth, selective depth, mean depth, rank, score
                in hundredths of a man, bound (0 exact, 1 lower, 2 upper), moves made, seconds, thousandths of the table
                in use, endgame table hits and the line as a tuple of moves.
        """
        cdef int index
        self.began = monotonic_seconds()
        self.employ(threads)
        self.set_control(position, nodes, no_progress, contempt)
        self.endings = endings
        self.control.endings = &endings.tables if endings is not None and endings.tables.most else NULL
        for index in range(threads):
            self.set_up(&self.control.workers[index], position)
        self.failure = None
        self.helpers = []
        if position.outcome(no_progress) is not None:
            return
        try:
            self.on_report = on_report  # let go below, since it may lead back to this searcher and its table
            for index in range(threads):
                self.set_root(&self.roots[index], position, root_moves)
                self.roots[index].depth = min(depth or MAX_DEPTH, MAX_DEPTH)
                self.roots[index].lines = min(max(multi_pv, 1), self.roots[index].count)
                self.roots[index].mate = mate
            self.listed = [rules_move(&self.roots[0].moves[index].move) for index in range(self.roots[0].count)]
            self.searching = True
            self.control.first_deadline = monotonic_seconds() + FIRST_ITERATION
            with nogil:
                self.deepen(0)
        finally:
            self.control.stop = 1
            for done in self.helpers:
                done.acquire()
            self.searching = False
            for index in range(threads):
                root_close(&self.roots[index])
            self.on_report = None
        if self.failure is not None:
            raise self.failure

    cdef void set_control(self, Position position, u64 nodes, no_progress, int contempt):
        """What holds for all threads of the coming run."""
        cdef u64 salt
        self.control.node_limit = nodes
        self.control.contempt = contempt
        self.control.root_black = position.node.black
        self.control.no_progress_limit = NO_PROGRESS_PLIES
        if NO_PROGRESS_OPTIONAL and no_progress is not None:
            self.control.no_progress_limit = no_progress
        self.control.salt = 0
        if contempt or self.control.no_progress_limit != NO_PROGRESS_PLIES:
            # What another side, or another rule, has left in the table is not true here.
            salt = (<u64><uint16_t>contempt << 32 | <u64>self.control.no_progress_limit << 1
                    | <u64>(contempt and position.node.black))
            self.control.salt = next_random(&salt)
        self.table.memory.age = (self.table.memory.age + 1) & 63

    cdef int call_helpers(self) noexcept:
        """Start the other threads. Where the system gives no more of them, those that there are do the work.

        Nothing waits here for a thread to have begun, as `threading.Thread.start` would: with more threads than
        processors that takes as long as a whole short search.
        """
        cdef int index
        for index in range(1, self.control.worker_count):
            done = allocate_lock()
            done.acquire()
            try:
                start_new_thread(self.help, (index, done))
            except RuntimeError:
                break
            self.helpers.append(done)
        return 0

    def help(self, int index, done):
        """What every thread but the leading one does: the same search (`sharing.pxi` says how they work together)."""
        try:
            with nogil:
                self.deepen(index)
        finally:
            done.release()

    cdef int set_up(self, Worker* worker, Position position) except -1:
        """Put a worker at the root, with the keys of the game that led there."""
        cdef Position earlier = position
        cdef int length = 0
        while earlier.previous is not None:
            earlier = earlier.previous
            length += 1
        free(worker.path)
        worker.path = <u64*>malloc((length + MAX_PLY + 2) * sizeof(u64))
        if worker.path == NULL:
            raise MemoryError("no memory for the game's history")
        worker.before_root = length
        earlier = position
        while True:
            worker.path[length] = earlier.node.key ^ self.control.salt
            if earlier.previous is None:
                break
            earlier = earlier.previous
            length -= 1
        worker.nodes[0] = position.node
        worker.nodes[0].key ^= self.control.salt
        sum_up(&worker.nodes[0], &worker.sums[0])
        worker.arrived[0] = 0
        worker.arena.used = 0
        worker.made = 0
        worker.ends = 0
        worker.hits = 0
        worker.end_plies = 0
        worker.deepest = 0
        worker.root_depth = 0
        worker.until_poll = 0
        return 0

    cdef int set_root(self, Root* root, Position position, root_moves) except -1:
        """The moves to be searched, in a list of their own."""
        cdef Arena arena
        cdef int i, kept = 0
        cdef bint done
        if not arena_open(&arena):
            raise MemoryError("no memory for the moves of the root")
        generate_moves(&position.node, &arena)
        if root_moves:
            chosen = [(move.origin, move.target, move.captured) for move in root_moves]
            for i in range(arena.used):
                move = rules_move(&arena.moves[i])
                if (move.origin, move.target, move.captured) in chosen:
                    arena.moves[kept] = arena.moves[i]
                    kept += 1
            arena.used = kept
        if arena.used == 0:
            arena_close(&arena)
            raise ValueError("none of the root moves is legal")
        done = root_open(root, arena.moves, arena.used)
        arena_close(&arena)
        if not done:
            raise MemoryError("no memory for the moves of the root")
        return 0

    cdef void deepen(self, int index) noexcept nogil:
        """Iterative deepening. The thread of index 0 leads: it reports, and the end of its search ends all."""
        cdef Worker* worker = &self.control.workers[index]
        cdef Root* root = &self.roots[index]
        cdef int told = 0  # the number of the move reported last
        cdef int depth, rank
        cdef bint decided
        for depth in range(1, root.depth + 1):
            worker.root_depth = depth
            # A win of the tables far beyond the horizon is told apart when the horizon gets there.
            worker.deciding_from = WIN - (LONGEST_WIN if self.control.endings == NULL else depth)
            poll(worker)
            if stopped(worker):
                break
            if depth == 1 and is_known(worker, root):
                if index == 0:
                    self.tell_lines(worker, root, depth)
                return
            for rank in range(root.lines):
                self.search_line(worker, root, rank, depth, index == 0)
                if stopped(worker):
                    break
            if stopped(worker):
                break
            sort_root(root, 0, root.lines)  # a later line may have turned out better
            decided = is_decided(root, depth) or is_mate_found(root)
            for rank in range(root.lines):
                root.moves[rank].before = root.moves[rank].score
            if index == 0:
                self.tell_lines(worker, root, depth)
                told = root.moves[0].number
                if decided:
                    break
                if depth == 1 and self.control.worker_count > 1:  # not before: they share the limits with this one
                    with gil:
                        self.call_helpers()
        if index == 0 and stopped(worker) and root.moves[0].exact and root.moves[0].number != told:
            self.tell(worker, &root.moves[0], 0, worker.root_depth, EXACT)  # better than the last iteration's

    cdef void search_line(self, Worker* worker, Root* root, int rank, int depth, bint leads) noexcept nogil:
        """Find the best of the root moves from index `rank` on and put it there, through windows that widen."""
        cdef int guess = root.moves[rank].before
        cdef int width = settings[WINDOW]
        cdef int alpha = -WIN, beta = WIN, score
        if depth > 3 and abs(guess) < WIN - LONGEST_WIN:
            alpha = guess - width
            beta = guess + width
        while True:
            score = search_root(worker, root, rank, alpha, beta, depth)
            sort_root(root, rank, root.count)
            if stopped(worker):
                return
            width *= 2
            if score <= alpha and alpha > -WIN:
                alpha = score - width if score - width > -WIN and width < 4 * WIN // 100 else -WIN
                if leads:
                    self.tell(worker, &root.moves[rank], rank, depth, UPPER)
            elif score >= beta and beta < WIN:
                beta = score + width if score + width < WIN and width < 4 * WIN // 100 else WIN
                if leads:
                    self.tell(worker, &root.moves[rank], rank, depth, LOWER)
            else:
                return

    cdef void tell_lines(self, Worker* worker, const Root* root, int depth) noexcept nogil:
        """Report an iteration: the best line, and the others as long as there is time; hundreds of them take a while."""
        cdef int rank
        for rank in range(root.lines):
            if rank and is_late(worker):
                return
            self.tell(worker, &root.moves[rank], rank, depth, EXACT)

    cdef void tell(self, Worker* worker, const RootMove* best, int rank, int depth, int bound) noexcept nogil:
        """Report a line; one with a bound only in searches that go on for longer."""
        cdef double seconds = monotonic_seconds() - self.began
        if bound != EXACT and seconds < 1:
            return
        with gil:
            try:
                self.report(worker, best, rank, depth, bound, seconds)
            except BaseException as failure:  # there is nobody to raise it to before the search has ended
                self.failure = failure
                self.control.stop = 1

    cdef object report(self, Worker* worker, const RootMove* best, int rank, int depth, int bound, double seconds):
        cdef int i
        cdef Line told
        copy_line(&told, best.line)
        if self.control.endings != NULL and abs(best.score) >= WIN - LONGEST_WIN:
            continue_line(worker, &told)
        line = tuple([rules_move(&told.moves[i]) for i in range(told.length)])
        mean_depth = worker.end_plies / worker.ends if worker.ends else 0.0
        self.on_report((
            depth, max(worker.deepest, depth), mean_depth, rank + 1, best.score,
            0 if bound == EXACT else 1 if bound == LOWER else 2,
            total_made(&self.control), seconds, filled(&self.table.memory),
            total_hits(&self.control), line,
        ))
