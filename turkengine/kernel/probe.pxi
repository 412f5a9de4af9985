# Endgame tables in the search: what is known of a node is not searched.

cdef enum:
    UNKNOWN = 0
    DECIDED = 1
    LATE = 2  # won or lost, but not before a count of plies makes a draw, unless something restarts the count


# What the tables say of a node.
ctypedef struct Ending:
    int known  # UNKNOWN, DECIDED or LATE
    int score  # its value; where it is LATE that of a draw, between which and `bound` the value lies
    int bound


cdef bint can_repeat(Worker* worker) noexcept nogil:
    """Whether the side to move after a root move can make the game a draw by repetition at once."""
    cdef int begin = worker.arena.used, i
    cdef bint found = False
    generate_side_quiet_moves(&worker.nodes[1], &worker.arena)
    for i in range(begin, worker.arena.used):
        try_move(worker, 1, &worker.arena.moves[i])
        if repeated(worker, 2):
            found = True
            break
    worker.arena.used = begin
    return found


cdef Ending look_up_ending(Worker* worker, int ply) noexcept nogil:
    """What the endgame tables know of a node of few enough pieces that is no repetition.

    A LATE score is a draw: true at the horizon, while within the search a capture, a man's move or another balance may
    still restart the count in time. The winner is sure of the draw, and cannot win faster than the tables say.
    """
    cdef Node* node = &worker.nodes[ply]
    cdef int value = known_value(worker.control.endings, node.board, node.black)
    cdef int plies
    cdef Ending ending
    ending.known, ending.score, ending.bound = UNKNOWN, 0, 0
    if value == NOTHING:
        return ending
    worker.hits += 1
    ending.known = DECIDED
    ending.score = draw_score(worker, ply)
    if value == DRAWN:
        return ending
    plies = plies_of(value)
    # Distances that fall never repeat a position, but the game may hold nearer ones that have occurred twice: what
    # matters is the reply, since every move is thought about anew.
    if ply == 1 and not is_won(value) and node.no_progress >= 3 and plies > 0 and can_repeat(worker):
        return ending
    ending.bound = WIN - ply - plies if is_won(value) else -WIN + ply + plies
    if plies > plies_left(node, worker.control.no_progress_limit):
        ending.known = LATE
    else:
        ending.score = ending.bound
    return ending


cdef inline bint is_small(const Worker* worker, const Node* node) noexcept nogil:
    """Whether there are endgame tables of so few pieces."""
    return (unlikely(worker.control.endings != NULL)
            and count_bits(node.board.own | node.board.enemy) <= worker.control.endings.most)


cdef inline bint is_outside(const Ending* ending, int alpha, int beta, int* score) noexcept nogil:
    """Whether a LATE value lies outside the window wherever it lies; sets the score where it does."""
    cdef int least = min(ending.score, ending.bound), most = max(ending.score, ending.bound)
    score[0] = least if least >= beta else most
    return least >= beta or most <= alpha


cdef bint is_known(Worker* worker, Root* root) noexcept nogil:
    """Whether the tables give the best lines wanted; if so the moves have their scores and order, and nothing is left to
    search. Between equals, such as draws, the one that leads to the better looking position comes first.
    """
    cdef Ending ending
    cdef int best = -WIN, possible = -WIN - 1, i, score
    if not is_small(worker, &worker.nodes[0]):
        return False
    for i in range(root.count):
        try_move(worker, 0, &root.moves[i].move)
        score = -draw_score(worker, 1)
        if worker.nodes[1].board.own == 0:
            score = WIN - 1
        elif not repeated(worker, 1):
            ending = look_up_ending(worker, 1)
            if ending.known == UNKNOWN or (ending.known == LATE and root.lines > 1):
                possible = WIN  # whatever the others are
                break
            score = -ending.score
            if ending.known == LATE:
                possible = max(possible, max(score, -ending.bound))
        best = max(best, score)
        root.moves[i].before = score
        root.moves[i].score = 2 * EVALUATION_LIMIT * score - evaluate_at(worker, 1)
    if best < possible:
        for i in range(root.count):
            root.moves[i].before = UNSEARCHED
        return False
    sort_root(root, 0, root.count)
    for i in range(root.count):
        root.moves[i].score = root.moves[i].before
        root.moves[i].line.moves[0] = root.moves[i].move
        root.moves[i].line.length = 1
    worker.made += root.count
    return True


cdef void continue_line(Worker* worker, Line* line) noexcept nogil:
    """Add the moves by which the tables win or lose from the end of a line on, to the end of the game."""
    cdef Node node = worker.nodes[0], next
    cdef int begin = worker.arena.used
    cdef int i, value, best, chosen
    for i in range(line.length):
        play(&node, &line.moves[i], &next)
        node = next
    while line.length < MAX_PLY and node.board.own != 0:
        if count_bits(node.board.own | node.board.enemy) > worker.control.endings.most:
            break
        best = known_value(worker.control.endings, node.board, node.black)
        if best == DRAWN or best == NOTHING or plies_of(best) == 0:
            break
        generate_moves(&node, &worker.arena)
        chosen = -1
        for i in range(begin, worker.arena.used):
            play(&node, &worker.arena.moves[i], &next)
            value = LOST_AT_ONCE
            if next.board.own != 0:
                value = known_value(worker.control.endings, next.board, next.black)
            if value != DRAWN and value != NOTHING and is_won(value) != is_won(best):
                if plies_of(value) == plies_of(best) - 1:
                    chosen = i
                    break
        if chosen < 0:
            break
        line.moves[line.length] = worker.arena.moves[chosen]
        line.length += 1
        play(&node, &worker.arena.moves[chosen], &next)
        node = next
        worker.arena.used = begin
    worker.arena.used = begin
