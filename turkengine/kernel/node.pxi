# A position as the search carries it: the board with its key, its running square values and the counts of the draw
# rules, all kept up to date by each move.

ctypedef struct Node:
    Board board  # seen from the side to move
    u64 key
    int32_t value  # sum of square values, from White's side
    int32_t no_progress  # plies
    int32_t material_plies
    uint8_t material_limit  # 1 + index of the draw rule for a lone king that counts, 0 for none
    uint8_t black  # 1: Black is to move

# What one piece on one square adds to a node.
ctypedef struct PieceSquare:
    u64 key
    int32_t value

cdef enum:
    WHITE_MAN = 0
    BLACK_MAN = 1
    WHITE_KING = 2
    BLACK_KING = 3

cdef PieceSquare[4][64] PIECE_SQUARE  # by piece and bit; the values are part of the evaluation's weights
cdef uint8_t[64] TURNED  # the bit that lies there once the board is turned by 180 degrees
cdef u64 BLACK_TO_MOVE


cdef u64 next_random(u64* state) noexcept nogil:
    """splitmix64: the keys are the same in every run and on every machine."""
    state[0] += <u64>0x9E3779B97F4A7C15
    cdef u64 mixed = state[0]
    mixed = (mixed ^ mixed >> 30) * <u64>0xBF58476D1CE4E5B9
    mixed = (mixed ^ mixed >> 27) * <u64>0x94D049BB133111EB
    return mixed ^ mixed >> 31


cdef void make_keys() noexcept nogil:
    cdef u64 state = 1
    cdef int piece, square
    for piece in range(4):
        for square in range(64):
            PIECE_SQUARE[piece][square].key = next_random(&state)
    global BLACK_TO_MOVE
    BLACK_TO_MOVE = next_random(&state)


make_keys()


cdef void add_piece_squares(Node* node, u64 squares, int piece) noexcept nogil:
    cdef int square
    while squares:
        square = lowest_bit(squares)
        node.key ^= PIECE_SQUARE[piece][square].key
        node.value += PIECE_SQUARE[piece][square].value
        squares &= squares - 1


cdef void complete(Node* node) noexcept nogil:
    """Compute the key, the value and the material limit of a node whose other fields are set."""
    cdef u64 white = node.board.enemy if node.black else node.board.own
    cdef u64 black = node.board.own if node.black else node.board.enemy
    node.key = BLACK_TO_MOVE if node.black else 0
    node.value = 0
    add_piece_squares(node, white & ~node.board.kings, WHITE_MAN)
    add_piece_squares(node, black & ~node.board.kings, BLACK_MAN)
    add_piece_squares(node, white & node.board.kings, WHITE_KING)
    add_piece_squares(node, black & node.board.kings, BLACK_KING)
    node.material_limit = <uint8_t>material_limit(node.board)


cdef inline bint at_most_one(u64 squares) noexcept nogil:
    return (squares & (squares - 1)) == 0


cdef inline void play(const Node* node, const Move* move, Node* next) noexcept nogil:
    """Set `next` to the node after `move`."""
    cdef Board board = node.board
    cdef u64 origin = bit(move.origin), target = bit(move.target), captured = move.captured
    cdef int man = node.black
    cdef int piece = man + 2 if board.kings & origin else man
    cdef int arrived = man + 2 if crowns(man, target, captured) else piece
    cdef u64 key = node.key ^ BLACK_TO_MOVE ^ PIECE_SQUARE[piece][move.origin].key
    cdef int32_t value = node.value - PIECE_SQUARE[piece][move.origin].value
    cdef int victim, square
    key ^= PIECE_SQUARE[arrived][move.target].key
    value += PIECE_SQUARE[arrived][move.target].value
    next.board.own = board.enemy & ~captured
    next.board.enemy = (board.own & ~origin) | target
    next.board.kings = board.kings & ~captured & ~origin
    if arrived >= WHITE_KING:
        next.board.kings |= target
    while captured:
        square = lowest_bit(captured)
        victim = (man ^ 1) + 2 if board.kings & lowest(captured) else man ^ 1
        key ^= PIECE_SQUARE[victim][square].key
        value -= PIECE_SQUARE[victim][square].value
        captured &= captured - 1
    next.key = key
    next.value = value
    next.black = node.black ^ 1
    if move.captured or (piece < WHITE_KING and (EVERY_MAN_MOVE_IS_PROGRESS
                                                 or RANK_OF_BIT[move.origin] != RANK_OF_BIT[move.target])):
        next.no_progress = 0
    else:
        next.no_progress = node.no_progress + 1
    if MATERIAL_LIMITS:
        next.material_limit = node.material_limit
        if move.captured or arrived != piece:
            next.material_limit = <uint8_t>material_limit(next.board)
        if next.material_limit and next.material_limit == node.material_limit:
            next.material_plies = node.material_plies + 1
        else:
            next.material_plies = 0


cdef inline int material_limit(Board board) noexcept nogil:
    """1 + the index of the draw rule that counts this balance, 0 where none does."""
    cdef int limit
    if not MATERIAL_LIMITS or not (at_most_one(board.own) or at_most_one(board.enemy)):
        return 0
    limit = material_limit_of(board.own, board.enemy, board.kings)
    return limit if limit else material_limit_of(board.enemy, board.own, board.kings)


cdef int material_limit_of(u64 lone, u64 strong, u64 kings) noexcept nogil:
    cdef int index, kings_of_strong = count_bits(strong & kings), men_of_strong = count_bits(strong & ~kings)
    if not at_most_one(lone) or not lone & kings or kings_of_strong > 7 or men_of_strong > 7:
        return 0
    for index in range(MATERIAL_LIMITS):
        if MATERIAL_BALANCES[index] >> (8 * kings_of_strong + men_of_strong) & 1:
            return index + 1
    return 0


cdef inline u64 key_after(const Node* node, int origin, int target) noexcept nogil:
    """The key of the node after a quiet move."""
    cdef int man = node.black
    cdef int piece = man + 2 if node.board.kings & bit(origin) else man
    cdef int arrived = man + 2 if bit(target) & PROMOTION[man] else piece
    return node.key ^ BLACK_TO_MOVE ^ PIECE_SQUARE[piece][origin].key ^ PIECE_SQUARE[arrived][target].key


# --- what ends a game -------------------------------------------------------------------------------------------

cdef inline bint side_can_capture(const Node* node) noexcept nogil:
    """Whether the side to move may have a capture; kings count as a yes."""
    return can_capture(BLACK, node.board) if node.black else can_capture(WHITE, node.board)


cdef inline bint is_threatened(const Node* node) noexcept nogil:
    """Whether the other side might capture, were it to move."""
    cdef Board board
    board.own = node.board.enemy
    board.enemy = node.board.own
    board.kings = node.board.kings
    return can_capture(WHITE, board) if node.black else can_capture(BLACK, board)


cdef inline int generate_moves(const Node* node, Arena* arena) noexcept nogil:
    return generate(BLACK, arena, node.board) if node.black else generate(WHITE, arena, node.board)


cdef inline bint can_step(const Node* node) noexcept nogil:
    """Whether the side to move has a quiet move."""
    return (count_quiet_moves(BLACK, node.board) if node.black else count_quiet_moves(WHITE, node.board)) > 0


cdef inline int generate_side_captures(const Node* node, Arena* arena) noexcept nogil:
    return generate_captures(BLACK, arena, node.board) if node.black else generate_captures(WHITE, arena, node.board)


cdef inline void generate_side_quiet_moves(const Node* node, Arena* arena) noexcept nogil:
    if node.black:
        generate_quiet_moves(BLACK, arena, node.board)
    else:
        generate_quiet_moves(WHITE, arena, node.board)


cdef inline bint counted_out(const Node* node, int no_progress_limit) noexcept nogil:
    """Whether a count of plies makes the game a draw, provided that the side to move has a move."""
    if no_progress_limit and node.no_progress >= no_progress_limit:
        return True
    if MATERIAL_LIMITS:
        if node.material_limit and node.material_plies >= MATERIAL_PLIES[node.material_limit - 1]:
            return True
    return False


cdef inline bint one_each(const Node* node) noexcept nogil:
    """Whether the game draws one piece each and that is what is left; a capture still goes first."""
    if ONE_PIECE_EACH_DRAWS:
        return at_most_one(node.board.own) and at_most_one(node.board.enemy)
    return False


cdef inline int lone_man_result(const Node* node) noexcept nogil:
    """1 or -1 where a lone man decides the game for or against the side to move; the man must have no capture."""
    if LONE_MAN_LOSES and not node.board.kings:
        if at_most_one(node.board.enemy) and not at_most_one(node.board.own):
            return 1
        if at_most_one(node.board.own) and not at_most_one(node.board.enemy):
            return -1
    return 0
