# Endings solved backwards, from the ends of the game, with the kernel's own moves as the only truth.
#
# An ending is solved together with the one that has its sides exchanged, since quiet moves lead from one to the other.
# What captures and promotions lead to must be known before. `prepare` looks at every placement once: it settles those
# with a capture or no move, and counts the quiet moves of the others. Then `spread` carries the wins and losses of one
# distance to the placements a quiet move before, distance by distance: a loss makes a win there, and the last open move
# that turns out to lose makes a loss. What is never reached is drawn. Any number of threads may work on parts of an
# ending at once: a value is written by all with the same byte or by one alone.

cdef enum:
    MISSING = -1  # an ending that a move leads to is not in memory
    TOO_LONG = -2  # more plies than a value holds
    CONTRADICTION = -3  # the moves and the count of them do not agree

# What is known of one ending.
ctypedef struct Room:
    uint8_t* values
    uint8_t* open_moves  # while it is solved: quiet moves not known to lose; 0 where nothing can change any more


cdef inline int value_after(const Room* rooms, Board board) noexcept nogil:
    """The value of a board with Black to move, which a move has led to."""
    cdef int ending
    if board.own == 0:
        return LOST_AT_ONCE
    ending = ending_of_board(board)
    if rooms[ending].values == NULL:
        return MISSING
    return rooms[ending].values[number_as_seen(board, ending, BY_BLACK)]


cdef int best_of(const Room* rooms, const Arena* arena, int begin, Board board) noexcept nogil:
    """What the best of White's moves from index `begin` on leads to; below 0 where that is unknown."""
    cdef int quickest = LONGEST_ENDING + 1, slowest = -1, i, code
    cdef bint drawn = False
    cdef Move* move
    for i in range(begin, arena.used):
        move = &arena.moves[i]
        code = value_after(rooms, after(WHITE, board, bit(move.origin), bit(move.target), move.captured))
        if code == MISSING:
            return MISSING
        if code == DRAWN:
            drawn = True
        elif is_won(code):
            slowest = max(slowest, plies_of(code))
        else:
            quickest = min(quickest, plies_of(code))
    if quickest <= LONGEST_ENDING:
        return code_of(True, quickest + 1) if quickest < LONGEST_ENDING else TOO_LONG
    if drawn:
        return DRAWN
    return code_of(False, slowest + 1) if slowest < LONGEST_ENDING else TOO_LONG


cdef inline bint is_over(Board board, int captures, int* code) noexcept nogil:
    """Whether a rule about the pieces left ends the game; sets the value where it does."""
    cdef Node node
    cdef int result
    node.board = board
    result = lone_man_result(&node)
    if result > 0 or (result < 0 and not captures):
        code[0] = code_of(result > 0, 0)
        return True
    if one_each(&node) and not captures:
        code[0] = DRAWN
        return True
    return False


cdef int value_from_moves(const Room* rooms, Arena* arena, Board board) noexcept nogil:
    """The value of a board, White to move, as it follows from those its moves lead to; below 0 where it does not."""
    cdef int begin = arena.used, code
    cdef int captures = generate_captures(WHITE, arena, board)
    if not is_over(board, captures, &code):
        if not captures:
            generate_quiet_moves(WHITE, arena, board)
        code = LOST_AT_ONCE if arena.used == begin else best_of(rooms, arena, begin, board)
    arena.used = begin
    return code


cdef int first_value(const Room* rooms, Arena* arena, Board board, uint8_t* open_moves) noexcept nogil:
    """What is known of a board before anything of its own ending is; sets the number of open moves."""
    cdef int begin = arena.used, kept = begin, i, code
    cdef int captures = generate_captures(WHITE, arena, board)
    open_moves[0] = 0
    if captures or is_over(board, captures, &code):
        arena.used = begin
        return value_from_moves(rooms, arena, board)
    generate_quiet_moves(WHITE, arena, board)
    for i in range(begin, arena.used):
        if bit(arena.moves[i].target) & PROMOTION[0] and not bit(arena.moves[i].origin) & board.kings:
            arena.moves[kept] = arena.moves[i]
            kept += 1
        else:
            open_moves[0] += 1
    if arena.used == begin:
        code = LOST_AT_ONCE
    elif kept == begin:
        code = DRAWN
    else:
        arena.used = kept
        code = best_of(rooms, arena, begin, board)
        if code == DRAWN and open_moves[0]:
            open_moves[0] += 1  # promoting holds the draw: the count shall never come to nothing
        elif code > DRAWN and not is_won(code) and open_moves[0]:
            code = DRAWN  # until the open moves have lost too
    arena.used = begin
    return code


# One thread's part of a pass.
ctypedef struct Pass:
    Room* rooms
    Arena* arena
    Shape before  # of the ending a move before the one that is gone through
    int ending_before
    int plies
    bint lost  # whether the boards gone through are
    int farthest  # plies of the values written
    int failure  # the first value below 0, 0 for none


cdef inline void note(Pass* work, uint8_t* value, int code) noexcept nogil:
    """Write a value."""
    if code < 0:
        work.failure = code
        return
    value[0] = <uint8_t>code
    if code != DRAWN and code != NOTHING:
        work.farthest = max(work.farthest, plies_of(code))


cdef void step_back(Pass* work, Board board) noexcept nogil:
    """Tell a board, Black to move, what one of its quiet moves leads to."""
    cdef int64_t number = number_as_seen(board, work.ending_before, BY_BLACK)
    cdef Room* room = &work.rooms[work.ending_before]
    cdef uint8_t* value = &room.values[number]
    cdef Board turned
    cdef int code
    if room.open_moves[number] == 0:
        return  # a capture is due there
    if work.lost:
        if value[0] == DRAWN or plies_of(value[0]) > work.plies + 1:
            note(work, value, code_of(True, work.plies + 1) if work.plies < LONGEST_ENDING else TOO_LONG)
    elif decremented(&room.open_moves[number]) == 0 and value[0] == DRAWN:
        board_of(&work.before, number, &turned)
        code = value_from_moves(work.rooms, work.arena, turned)
        note(work, value, CONTRADICTION if code == DRAWN or code > 0 and is_won(code) else code)


cdef void step_back_all(Pass* work, Board board) noexcept nogil:
    """`step_back` to every board from which a quiet move of Black that crowns nobody leads to this one."""
    cdef u64 occupied = board.own | board.enemy
    cdef u64 pieces = board.enemy & board.kings
    cdef u64 target, origins
    cdef Board before
    cdef int index
    while pieces:
        target = lowest(pieces)
        origins = king_targets(lowest_bit(target), occupied)
        while origins:
            before.own = board.enemy ^ target ^ lowest(origins)
            before.enemy = board.own
            before.kings = board.kings ^ target ^ lowest(origins)
            step_back(work, before)
            origins &= origins - 1
        pieces &= pieces - 1
    before.enemy = board.own
    before.kings = board.kings
    for index in range(MAN_STEPS):
        origins = man_step_back(BLACK, board.enemy & ~board.kings, index) & BOARD_MASK & ~occupied & ~PROMOTION[1]
        while origins:
            target = man_step(BLACK, lowest(origins), index) & board.enemy & ~board.kings
            if target:  # else the step would lead over the edge
                before.own = board.enemy ^ target ^ lowest(origins)
                step_back(work, before)
            origins &= origins - 1


# --- for Python -------------------------------------------------------------------------------------------------

cdef int ending_named(counts) except -1:
    """The ending of (own men, own kings, enemy men, enemy kings)."""
    cdef int own_men, own_kings, enemy_men, enemy_kings, ending
    own_men, own_kings, enemy_men, enemy_kings = counts
    if min(counts) < 0 or sum(counts) > MOST_PIECES:
        raise ValueError(f"an ending has {MOST_PIECES} pieces at most, not {counts}")
    ending = ending_with(own_men, own_kings, enemy_men, enemy_kings)
    if not ENDING_SIZES[ending]:
        raise ValueError(f"both sides of an ending have a piece, unlike {counts}")
    return ending


def ending_size(counts):
    """How many numbers the placements of an ending take, which is the bytes it needs in memory."""
    return ENDING_SIZES[ending_named(counts)]


def meaning_of(int value):
    """Whether a value (1 to 254) is a win, and in how many plies that win or loss comes about."""
    return is_won(value), plies_of(value)


def position_at(counts, int64_t number):
    """The position of this number of an ending, White to move, with all counts at 0; None where there is none."""
    cdef int ending = ending_named(counts)
    cdef Position position = Position.__new__(Position)
    cdef Shape shape
    need_sets(ending)
    if not 0 <= number < ENDING_SIZES[ending]:
        raise ValueError(f"the ending {counts} has {ENDING_SIZES[ending]} numbers, not {number}")
    shape = shape_of(ending)
    if not board_of(&shape, number, &position.node.board):
        return None
    complete(&position.node)
    return position


@cython.final
cdef class Workshop:
    """Endings in memory, to be solved or verified. Every `counts` is (own men, own kings, enemy men, enemy kings).

    Methods that take `begin` and `end` work on that part of an ending's numbers, with the interpreter free.
    """

    cdef Room* rooms

    def __cinit__(self):
        self.rooms = <Room*>calloc(ENDINGS, sizeof(Room))
        if self.rooms == NULL:
            raise MemoryError("no memory for endings")

    def __dealloc__(self):
        cdef int ending
        if self.rooms != NULL:
            for ending in range(ENDINGS):
                free(self.rooms[ending].values)
                free(self.rooms[ending].open_moves)
        free(self.rooms)

    def lay_out(self, counts, bint to_solve=False):
        """Take memory for an ending's values; another byte for each is needed while it is solved."""
        cdef int ending = ending_named(counts)
        need_sets(ending)
        self.drop(counts)
        self.rooms[ending].values = <uint8_t*>calloc(ENDING_SIZES[ending], 1)
        if to_solve:
            self.rooms[ending].open_moves = <uint8_t*>calloc(ENDING_SIZES[ending], 1)
        if self.rooms[ending].values == NULL or (to_solve and self.rooms[ending].open_moves == NULL):
            self.drop(counts)
            raise MemoryError(f"no memory for {ENDING_SIZES[ending]} positions of an ending")

    def solved(self, counts):
        """Give the memory back that only solving needed."""
        cdef Room* room = &self.rooms[ending_named(counts)]
        free(room.open_moves)
        room.open_moves = NULL

    def drop(self, counts):
        """Forget an ending."""
        cdef Room* room = &self.rooms[ending_named(counts)]
        self.solved(counts)
        free(room.values)
        room.values = NULL

    cdef uint8_t* values(self, int ending, int64_t begin, int64_t end) except NULL:
        """The values of an ending that is laid out."""
        if self.rooms[ending].values == NULL:
            raise ValueError("this ending has not been laid out")
        if not 0 <= begin <= end <= ENDING_SIZES[ending]:
            raise ValueError(f"numbers {begin} to {end} are not within the ending's {ENDING_SIZES[ending]}")
        return self.rooms[ending].values

    def prepare(self, counts, int64_t begin, int64_t end):
        """Settle what follows from other endings; the plies of the farthest end found, -1 where there is none."""
        cdef int ending = ending_named(counts)
        cdef uint8_t* values = self.values(ending, begin, end)
        cdef uint8_t* open_moves = self.rooms[ending].open_moves
        cdef Shape shape = shape_of(ending)
        cdef Arena arena
        cdef Pass work
        cdef Board board
        cdef int64_t number
        if open_moves == NULL:
            raise ValueError("this ending has not been laid out to be solved")
        if not arena_open(&arena):
            raise MemoryError("no memory for a list of moves")
        work.farthest, work.failure = -1, 0
        with nogil:
            for number in range(begin, end):
                if board_of(&shape, number, &board):
                    note(&work, &values[number], first_value(self.rooms, &arena, board, &open_moves[number]))
                    if work.failure:
                        break
                else:
                    values[number] = NOTHING
        arena_close(&arena)
        return self.outcome_of(&work)

    def spread(self, counts, int plies, int64_t begin, int64_t end):
        """Carry the wins and losses in `plies` one quiet move back; the plies of the farthest end found, else -1."""
        cdef int ending = ending_named(counts)
        cdef uint8_t* values = self.values(ending, begin, end)
        cdef uint8_t won = <uint8_t>code_of(True, plies), lost = <uint8_t>code_of(False, plies)
        cdef Shape shape = shape_of(ending)
        cdef Arena arena
        cdef Pass work
        cdef Board board
        cdef int64_t number
        own_men, own_kings, enemy_men, enemy_kings = counts
        work.ending_before = ending_named((enemy_men, enemy_kings, own_men, own_kings))
        if self.rooms[work.ending_before].open_moves == NULL:
            raise ValueError("the ending a move before has not been laid out to be solved")
        if not arena_open(&arena):
            raise MemoryError("no memory for a list of moves")
        work.rooms, work.arena, work.before = self.rooms, &arena, shape_of(work.ending_before)
        work.plies, work.farthest, work.failure = plies, -1, 0
        with nogil:
            for number in range(begin, end):
                if values[number] == won or values[number] == lost:
                    # Without lone men one of the two means something else, or nothing: plies decide who wins.
                    work.lost = not is_won(values[number])
                    board_of(&shape, number, &board)
                    step_back_all(&work, board)
                    if work.failure:
                        break
        arena_close(&arena)
        return self.outcome_of(&work)

    cdef object outcome_of(self, const Pass* work):
        if work.failure == MISSING:
            raise ValueError("an ending that captures or promotions lead to has not been laid out")
        if work.failure == TOO_LONG:
            raise OverflowError(f"an end is farther away than {LONGEST_ENDING} plies, which no table can hold")
        if work.failure:
            raise AssertionError("the moves of a position and their count do not agree")
        return work.farthest

    def wrong(self, counts, int64_t begin, int64_t end):
        """The first number whose value does not follow from those its moves lead to, -1 where all do."""
        cdef int ending = ending_named(counts)
        cdef uint8_t* values = self.values(ending, begin, end)
        cdef Shape shape = shape_of(ending)
        cdef Arena arena
        cdef Board board
        cdef int64_t number, found = -1
        if not arena_open(&arena):
            raise MemoryError("no memory for a list of moves")
        with nogil:
            for number in range(begin, end):
                if board_of(&shape, number, &board):
                    if value_from_moves(self.rooms, &arena, board) != values[number]:
                        found = number
                        break
        arena_close(&arena)
        return found

    def tally(self, counts, int64_t begin, int64_t end):
        """How often each value occurs, by value."""
        cdef uint8_t* values = self.values(ending_named(counts), begin, end)
        cdef int64_t[256] found
        cdef int64_t number
        memset(found, 0, sizeof(found))
        with nogil:
            for number in range(begin, end):
                found[values[number]] += 1
        return [found[i] for i in range(256)]
