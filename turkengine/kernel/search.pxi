# The search: principal variation search with a quiescence that suits compulsory capture.
#
# Scores are from the side to move. A won game scores WIN less the plies to its end, so shorter wins are better. A
# search that was stopped returns a value that nobody may use: every caller checks `stopped` before it looks.

from libc.math cimport log

cdef int[64][64] REDUCTION  # by depth and number of the move


cdef void make_reductions() noexcept nogil:
    cdef int depth, number
    for depth in range(64):
        for number in range(64):
            REDUCTION[depth][number] = 0
            if depth >= 2 and number >= 1:
                REDUCTION[depth][number] = <int>(0.5 + log(depth) * log(number + 1) / 1.6)


make_reductions()


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


cdef int search(Worker* worker, int ply, int alpha, int beta, int depth) noexcept nogil:
    """The value of the node at `ply` within the window, looked at `depth` plies deep."""
    cdef Node* node = &worker.nodes[ply]
    cdef bint principal = beta - alpha > 1
    cdef int begin = worker.arena.used
    cdef int count, captures, i, score, best, number, reduction, extension, static_score, bound
    cdef bint deciding, usable, threatened, can_skip, known
    cdef Found found
    cdef Move* move

    # 1. The horizon, the clock and the edge of the stack.
    worker.lines[ply].length = 0
    if depth <= 0:
        return quiesce(worker, ply, alpha, beta)
    if stopped(worker):
        return 0
    if ply > worker.deepest:
        worker.deepest = ply
    if ply >= MAX_PLY - 1:
        return line_end(worker, ply, evaluate(node))

    # 2. A repeated position is a draw; no line can win or lose faster than the game can end, which is here at once
    #    where a lone man decides it.
    if repeated(worker, ply):
        return line_end(worker, ply, draw_score(worker, ply))
    if alpha < -WIN + ply:
        alpha = -WIN + ply
    if beta > WIN - ply:
        beta = WIN - ply
    if alpha >= beta:
        return line_end(worker, ply, alpha)

    # 3. What is known from an earlier visit. Where the window only asks how fast the game ends, nothing counts that
    #    was cut by a guess: so the distances told are exact.
    deciding = alpha >= WIN - LONGEST_WIN or beta <= -WIN + LONGEST_WIN
    found.move = 0
    if look_up(worker.control.table, node.key, &found):
        score = from_table(found.score, ply)
        usable = not principal and (not deciding or abs(score) >= WIN - LONGEST_WIN)
        if usable and found.depth >= depth and (
                found.bound == EXACT or (found.bound == LOWER and score >= beta)
                or (found.bound == UPPER and score <= alpha)):
            return line_end(worker, ply, score)

    # 4. The moves, and the games that are over.
    captures = generate_side_captures(node, &worker.arena)
    if finished(worker, ply, captures, &score):
        worker.arena.used = begin
        return line_end(worker, ply, score)
    if not captures:
        generate_side_quiet_moves(node, &worker.arena)
    count = worker.arena.used - begin
    worker.until_poll -= count >> 4  # long lists take time too
    if count == 0:
        return line_end(worker, ply, -WIN + ply)
    if counted_out(node, worker.control.no_progress_limit):
        worker.arena.used = begin
        return line_end(worker, ply, draw_score(worker, ply))

    # 5. A single legal move costs no depth: with compulsory capture this is what sees combinations.
    extension = 1 if count == 1 and ply < 2 * worker.root_depth else 0

    # 6. Pruning before any move, where the static score can be trusted: nobody has to capture.
    threatened = captures != 0 or is_threatened(node)
    static_score = 0
    can_skip = False
    if not principal and not threatened and not deciding:
        static_score = evaluate(node)
        if depth <= 4 and static_score - 60 * depth >= beta:
            worker.arena.used = begin
            return static_score
        can_skip = depth <= 3 and static_score + 50 + 70 * depth <= alpha

    # 7. The moves, best first; the table's move needs no order around it.
    known = found.move != 0 and bring_known(worker, begin, begin + count, found.move)
    if depth >= 4 and not found.move and count > 1 and not deciding:
        depth -= 1  # without a move to start with, the next iteration does this better
    best = -WIN
    bound = UPPER
    number = 0
    for i in range(begin, begin + count):
        if count > 1 and i == begin + known:
            if captures:
                order_captures(worker, ply, i, begin + count)
            else:
                order_quiet_moves(worker, ply, i, begin + count)
        if i > begin or not known:
            bring_best(worker, i, begin + count)
        move = &worker.arena.moves[i]
        if can_skip and number and not bit(move.target) & PROMOTION[node.black]:
            continue
        make_move(worker, ply, move)
        if depth > 1:
            prefetch(cluster_of(worker.control.table, worker.nodes[ply + 1].key))
        number += 1
        if number == 1:
            score = -search(worker, ply + 1, -beta, -alpha, depth - 1 + extension)
        else:
            # 8. Late moves are looked at less deeply, and all but the first with an empty window.
            reduction = 0
            if not captures and number > 2 and depth >= 3 and not deciding:
                reduction = REDUCTION[depth if depth < 64 else 63][number if number < 64 else 63]
                if principal and reduction:
                    reduction -= 1
            score = -search(worker, ply + 1, -alpha - 1, -alpha, depth - 1 - reduction)
            if reduction and score > alpha and not stopped(worker):
                score = -search(worker, ply + 1, -alpha - 1, -alpha, depth - 1)
            if principal and score > alpha and score < beta and not stopped(worker):
                score = -search(worker, ply + 1, -beta, -alpha, depth - 1)
        if stopped(worker):
            worker.arena.used = begin
            return 0
        move = &worker.arena.moves[i]  # the arena may have grown
        if score > best:
            best = score
            if score > alpha:
                found.move = packed(move)
                if principal:
                    extend_line(worker, ply, move)
                if score >= beta:
                    bound = LOWER
                    if not captures:
                        learn_cut(worker, ply, begin, i, depth)
                    break
                alpha = score
                bound = EXACT

    # 9. Remember.
    if can_skip and number < count and best < static_score:
        best = static_score  # the skipped moves were worth about this
    keep(worker.control.table, node.key, found.move, to_table(best, ply), depth, bound)
    worker.arena.used = begin
    return best


cdef int quiesce(Worker* worker, int ply, int alpha, int beta) noexcept nogil:
    """The value of a node beyond the horizon: captures to their end, then the static score.

    Nobody may pass over a capture, so a side that has one never stands pat. Quiet answers to a threatened capture are not
    looked at: one ply of them lost 300 Elo in Turkish draughts and 80 in Croda, and won nothing in International.
    """
    cdef Node* node = &worker.nodes[ply]
    cdef int begin = worker.arena.used
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
    if captures == 0 or ply >= MAX_PLY - 1:
        worker.arena.used = begin
        return line_end(worker, ply, evaluate(node))
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
