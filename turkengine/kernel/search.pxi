# The search: principal variation search with a quiescence that suits compulsory capture.
#
# What a step is worth is given in Elo with its 95 % interval where it has been measured: this search against a build
# without the step, 150 games in International draughts and 150 in Turkish, 3,000 nodes a move
# (`turkengine match full=hub:... without=hub:... --nodes 3000 --games 150 --variant turkish`).
#
# Tried and left out in International draughts, 5,000 nodes a move, this search with the step against it without:
# ProbCut -12 [-49, 26], and -22 [-44, 0] with 50,000 nodes; an extension for a move that alone holds the table's score
# +3 [-16, 23]; the table's score in place of the static one -6 [-28, 16]; less reduction where the static score has
# risen in two plies -13 [-35, 10]; skipping late quiet moves near the horizon +2 [-12, 17]; a ply more where a capture
# threatens at it -14 [-38, 10].
#
# Scores are from the side to move. A won game scores WIN less the plies to its end, so shorter wins are better. A
# search that was stopped returns a value that nobody may use: every caller checks `stopped` before it looks.

from libc.math cimport log

cdef enum:
    STATIC_DEPTH = 4  # plies left up to which the static score may cut a node
    SKIP_DEPTH = 3  # and up to which it may have quiet moves skipped

cdef int[64][64] LOGARITHMS  # multiplied, by depth and number of the move; in parts of 10,000


cdef void make_logarithms() noexcept nogil:
    cdef int depth, number
    for depth in range(1, 64):
        for number in range(64):
            LOGARITHMS[depth][number] = <int>(10000 * log(depth) * log(number + 1))


make_logarithms()


cdef inline int from_table(int score, int ply) noexcept nogil:
    """A stored win counts from its node; here it counts from the root."""
    if score >= WIN - LONGEST_WIN:
        return score - ply
    if score <= -WIN + LONGEST_WIN:
        return score + ply
    return score


cdef inline int to_table(int score, int ply) noexcept nogil:
    if score >= WIN - LONGEST_WIN:
        return score + ply
    if score <= -WIN + LONGEST_WIN:
        return score - ply
    return score


cdef inline void extend_line(Worker* worker, int ply, const Move* move) noexcept nogil:
    """The best line at `ply` becomes `move` and the best line after it."""
    cdef Line* line = &worker.lines[ply]
    cdef Line* rest = &worker.lines[ply + 1]
    line.moves[0] = move[0]
    memcpy(&line.moves[1], &rest.moves[0], rest.length * sizeof(Move))
    line.length = rest.length + 1


cdef int finished(Worker* worker, int ply, int captures, int* score) noexcept nogil:
    """Whether the game is over at this node by a rule that needs no list of quiet moves; sets `score` where it is.

    `captures` is the number of legal captures: they go before the draws by one piece each and before a lone man's loss.
    """
    cdef Node* node = &worker.nodes[ply]
    cdef int result
    if node.board.own == 0:
        score[0] = -WIN + ply
        return True
    if LONE_MAN_LOSES:
        result = lone_man_result(node)
        if result > 0 or (result < 0 and not captures):
            score[0] = WIN - ply if result > 0 else -WIN + ply
            return True
    if one_each(node) and not captures:
        score[0] = draw_score(worker, ply)
        return True
    return False


# What one visit of a node knows, handed on from step to step of `search`.
ctypedef struct Visit:
    int ply
    int alpha
    int beta
    int depth
    bint principal  # the window is open: this node may be part of the line reported
    bint deciding  # the window lies where wins are told apart by their length
    int begin  # index of the node's first move in the arena
    int count  # of its moves; of its captures until quiet moves are listed
    bint captures  # it has captures, and so no quiet moves
    bint late  # the endgame tables give a win or loss that a count of plies may turn into a draw
    bint can_skip  # quiet moves but the first promise nothing
    int static_score  # 0 where nobody asked for it
    uint16_t known  # the move that the table knows, 0 for none
    uint16_t best_move
    int bound


cdef int search(Worker* worker, int ply, int alpha, int beta, int depth) noexcept nogil:
    """The value of the node at `ply` within the window, looked at `depth` plies deep."""
    cdef Node* node = &worker.nodes[ply]
    cdef Visit visit
    cdef Ending ending
    cdef int score

    # 1. The horizon, the clock and the edge of the stack.
    worker.lines[ply].length = 0
    if depth <= 0:
        return quiesce(worker, ply, alpha, beta)
    if stopped(worker):
        return 0
    if ply > worker.deepest:
        worker.deepest = ply
    if ply >= MAX_PLY - 1:
        return line_end(worker, ply, evaluate_at(worker, ply))

    # 2. A repeated position is a draw; no line can win or lose faster than the game can end, which is here at once
    #    where a lone man decides it.
    if repeated(worker, ply):
        return line_end(worker, ply, draw_score(worker, ply))
    visit.ply = ply
    visit.alpha = alpha if alpha > -WIN + ply else -WIN + ply
    visit.beta = beta if beta < WIN - ply else WIN - ply
    if visit.alpha >= visit.beta:
        return line_end(worker, ply, visit.alpha)
    visit.depth = depth
    visit.principal = beta - alpha > 1
    visit.deciding = visit.alpha >= worker.deciding_from or visit.beta <= -worker.deciding_from

    # 3. What the endgame tables know.
    visit.late = False
    if is_small(worker, node):
        ending = look_up_ending(worker, ply)
        if ending.known == DECIDED:
            return line_end(worker, ply, ending.score)
        visit.late = ending.known == LATE
        if visit.late and is_outside(&ending, visit.alpha, visit.beta, &score):
            return line_end(worker, ply, score)

    # 4. The captures, and the games that are over.
    visit.begin = worker.arena.used
    if list_captures(worker, &visit, &score):
        worker.arena.used = visit.begin
        return line_end(worker, ply, score)

    # 5. Pruning before any move, where the static score can be trusted: nobody has to capture.
    if prune(worker, &visit):
        return line_end(worker, ply, visit.static_score)

    # 6. All moves, and then what an earlier visit has found. Its entry has been under way from memory since the move
    #    here was made: asked first, it would be waited for. Nodes pruned before need not ask. 1.08 times the nodes a CPU
    #    second, although moves are listed in vain where the table decides. It does not where a count of plies matters.
    if not visit.captures:
        list_quiet_moves(worker, &visit)
    if known_score(worker, &visit, &score) and not visit.late:
        worker.arena.used = visit.begin
        return line_end(worker, ply, score)

    # 7. The moves, best first.
    score = search_moves(worker, &visit)
    worker.arena.used = visit.begin
    if stopped(worker):
        return 0

    # 8. Remember.
    keep(worker.control.table, node.key, visit.best_move, to_table(score, ply), visit.depth, visit.bound)
    return score


cdef inline void fetch_after(Worker* worker, int ply, int origin, int target) noexcept nogil:
    """Bring near what the table knows of the position after a quiet move."""
    fetch(worker.control.table, key_after(&worker.nodes[ply], origin, target))


cdef inline bint known_score(Worker* worker, Visit* visit, int* score) noexcept nogil:
    """Whether the table decides this visit; sets `score` where it does, and the move it knows in any case.

    Where the window only asks how fast the game ends, nothing counts that was cut by a guess: so the distances reported are
    exact.
    """
    cdef Found found
    visit.known = 0
    if not look_up(worker.control.table, worker.nodes[visit.ply].key, &found):
        return False
    visit.known = found.move
    if visit.depth > 1 and found.move:
        fetch_after(worker, visit.ply, found.move & 63, found.move >> 6 & 63)
    score[0] = from_table(found.score, visit.ply)
    if visit.principal or found.depth < visit.depth:
        return False
    if visit.deciding and abs(score[0]) < WIN - LONGEST_WIN:
        return False
    return (found.bound == EXACT or (found.bound == LOWER and score[0] >= visit.beta)
            or (found.bound == UPPER and score[0] <= visit.alpha))


cdef inline bint list_captures(Worker* worker, Visit* visit, int* score) noexcept nogil:
    """Append the captures to the arena; True where the game is over here, with its `score`."""
    cdef Node* node = &worker.nodes[visit.ply]
    visit.count = generate_side_captures(node, &worker.arena)
    visit.captures = visit.count != 0
    worker.until_poll -= visit.count >> 4  # long lists take time too
    if finished(worker, visit.ply, visit.count, score):
        return True
    if not visit.captures and not can_step(node):
        score[0] = -WIN + visit.ply
        return True
    if counted_out(node, worker.control.no_progress_limit):
        score[0] = draw_score(worker, visit.ply)
        return True
    return False


cdef inline void list_quiet_moves(Worker* worker, Visit* visit) noexcept nogil:
    """Append the quiet moves to the arena, where there are no captures."""
    generate_side_quiet_moves(&worker.nodes[visit.ply], &worker.arena)
    visit.count = worker.arena.used - visit.begin
    worker.until_poll -= visit.count >> 4


cdef inline bint prune(Worker* worker, Visit* visit) noexcept nogil:
    """Whether the static score is so far above the window that no move is needed; else notes whether it is far below.

    Cutting where the score lies so much a ply above the window, up to `STATIC_DEPTH`: +16 [-26, 59] in International
    draughts. Skipping quiet moves but the first where it lies so much below, up to `SKIP_DEPTH`: not measured by itself;
    with tighter margins it lost 64 in Turkish draughts and won 83 in Croda.
    """
    cdef Node* node = &worker.nodes[visit.ply]
    visit.static_score = 0
    visit.can_skip = False
    if (visit.depth > STATIC_DEPTH or visit.principal or visit.captures or visit.deciding or visit.late
            or is_threatened(node)):
        return False
    visit.static_score = evaluate_at(worker, visit.ply)
    visit.can_skip = visit.depth <= SKIP_DEPTH and (visit.static_score + settings[HOPELESS_BASE]
                                                    + settings[HOPELESS_MARGIN] * visit.depth <= visit.alpha)
    return visit.static_score - settings[SURPLUS_MARGIN] * visit.depth >= visit.beta


cdef int search_moves(Worker* worker, Visit* visit) noexcept nogil:
    """The best score of the node's moves; sets the move and the bound to be remembered with it."""
    cdef int ply = visit.ply, end = visit.begin + visit.count
    cdef int alpha = visit.alpha, best = -WIN, number = 0
    cdef int extension, i, score, order
    cdef bint known = visit.known != 0 and bring_known(worker, visit.begin, end, visit.known)
    cdef int sorted_end = visit.begin + known
    cdef bint sharing = visit.depth >= SHARED_DEPTH and not visit.captures and worker.control.worker_count > 1
    # What the table knows after the second move and later ones is fetched a move ahead: where the first move did not
    # cut, the next rarely does. With the fetch for the move that the table knows, 1.12 times the nodes a CPU second.
    cdef bint fetching = visit.depth > 1 and not visit.captures
    cdef Move* move
    visit.best_move = visit.known
    visit.bound = UPPER
    # A single legal move costs no depth: with compulsory capture this is what sees combinations. +61 [20, 104] in
    # International draughts, +118 [68, 173] in Turkish.
    extension = 1 if visit.count == 1 and ply < 2 * worker.root_depth else 0
    # Without a move to start with, the next iteration does this better. Not measured by itself.
    if visit.depth >= 4 and not visit.known and visit.count > 1 and not visit.deciding:
        visit.depth -= 1
    for i in range(visit.begin, end):
        if i == visit.begin + known and visit.count > 1:  # the table's move needs no order around it
            if visit.captures:
                order_captures(worker, ply, i, end)
            else:
                order_quiet_moves(worker, ply, i, end)
        if sharing and number:
            sorted_end = postpone_searched(worker, ply, i, sorted_end, end)
        else:
            sorted_end = sort_to(worker, i, sorted_end, end)
        move = &worker.arena.moves[i]
        if visit.can_skip and number and not bit(move.target) & PROMOTION[worker.nodes[ply].black]:
            move.order = SKIPPED
            continue
        order = move.order
        if fetching and number and i + 1 < end:
            sorted_end = sort_to(worker, i + 1, sorted_end, end)
            fetch_after(worker, ply, worker.arena.moves[i + 1].origin, worker.arena.moves[i + 1].target)
        make_move(worker, ply, move)
        if visit.depth > 1:
            fetch(worker.control.table, worker.nodes[ply + 1].key)
        number += 1
        if sharing:
            worker.searched[ply] = worker.nodes[ply + 1].key
        score = search_move(worker, visit, alpha, number, order, extension)
        if sharing:
            worker.searched[ply] = 0  # also where the search was stopped: the next one begins with nothing shown
        if stopped(worker):
            return 0
        if score > best:
            best = score
            if score > alpha:
                move = &worker.arena.moves[i]  # the arena may have grown
                visit.best_move = packed(move)
                if visit.principal:
                    extend_line(worker, ply, move)
                if score >= visit.beta:
                    visit.bound = LOWER
                    if not visit.captures:
                        learn_cut(worker, ply, visit.begin, i, visit.depth)
                    break
                alpha = score
                visit.bound = EXACT
    if visit.can_skip and number < visit.count and best < visit.static_score:
        best = visit.static_score  # the skipped moves were worth about this
    return best


cdef inline int late_reduction(int depth, int number, int order) noexcept nogil:
    """Plies less for the `number`-th move, `order` being what its past is worth."""
    cdef int logarithms = LOGARITHMS[depth if depth < 64 else 63][number if number < 64 else 63]
    cdef int hundredths = settings[LATE_BASE] + settings[LATE_FACTOR] * logarithms // 100000
    if order >= KILLER:
        hundredths -= settings[LATE_KILLER]
    else:
        hundredths -= settings[LATE_HISTORY] * order // HISTORY_LIMIT
    return hundredths // 100 if hundredths > 0 else 0


cdef inline int search_move(Worker* worker, Visit* visit, int alpha, int number, int order,
                             int extension) noexcept nogil:
    """The score of the move just made, the node's `number`-th: all but the first are searched with an empty window.

    Late quiet moves are looked at less deeply, the less the better they did before, and again where that turns out too
    well: +35 [-7, 78] in International draughts, +47 [5, 90] in Turkish.
    """
    cdef int ply = visit.ply + 1, depth = visit.depth - 1
    cdef int reduction = 0, score
    if number == 1:
        return -search(worker, ply, -visit.beta, -alpha, depth + extension)
    if not visit.captures and number > 2 and visit.depth >= 3 and not visit.deciding and alpha < worker.deciding_from:
        reduction = late_reduction(visit.depth, number, order)
        if visit.principal and reduction:
            reduction -= 1
    score = -search(worker, ply, -alpha - 1, -alpha, depth - reduction)
    if reduction and score > alpha and not stopped(worker):
        score = -search(worker, ply, -alpha - 1, -alpha, depth)
    if visit.principal and alpha < score < visit.beta and not stopped(worker):
        score = -search(worker, ply, -visit.beta, -alpha, depth)
    return score


cdef int quiesce(Worker* worker, int ply, int alpha, int beta) noexcept nogil:
    """The value of a node beyond the horizon: captures to their end, then the static score.

    Nobody may pass over a capture, so a side that has one never stands pat. Quiet answers to a threatened capture are
    not looked at: one ply of them lost 300 Elo in Turkish draughts and 80 in Croda, and won nothing in International.
    """
    cdef Node* node = &worker.nodes[ply]
    cdef int begin = worker.arena.used
    cdef Ending ending
    cdef int captures, i, score, best = -WIN
    worker.lines[ply].length = 0
    if stopped(worker):
        return 0
    if ply > worker.deepest:
        worker.deepest = ply
    captures = generate_side_captures(node, &worker.arena) if side_can_capture(node) else 0
    if finished(worker, ply, captures, &score):
        worker.arena.used = begin
        return line_end(worker, ply, score)
    if repeated(worker, ply) or (counted_out(node, worker.control.no_progress_limit)
                                 and (captures or can_step(node))):
        worker.arena.used = begin
        return line_end(worker, ply, draw_score(worker, ply))
    if is_small(worker, node):
        ending = look_up_ending(worker, ply)
        if ending.known == DECIDED or (ending.known == LATE and captures == 0):
            worker.arena.used = begin
            return line_end(worker, ply, ending.score)
    if captures == 0 or ply >= MAX_PLY - 1:
        worker.arena.used = begin
        return line_end(worker, ply, evaluate_at(worker, ply))
    worker.until_poll -= captures >> 4
    if captures > 1:
        order_captures(worker, ply, begin, begin + captures)
    for i in range(begin, begin + captures):
        bring_best(worker, i, begin + captures)
        make_move(worker, ply, &worker.arena.moves[i])
        score = -quiesce(worker, ply + 1, -beta, -alpha)
        if stopped(worker):
            best = 0
            break
        if score > best:
            best = score
            if score > alpha:
                if beta - alpha > 1:
                    extend_line(worker, ply, &worker.arena.moves[i])
                alpha = score
                if score >= beta:
                    break
    worker.arena.used = begin
    return best
