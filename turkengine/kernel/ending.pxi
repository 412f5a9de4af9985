# Endings: every placement of a few pieces has a number, and what is known of it is one byte.
#
# An ending is named by the side to move: its men and kings, then the enemy's. Boards are turned by 180 degrees where
# Black is to move, so that White always is: the games are the same for both sides. Where a game is also the same in the
# mirror, a board and its mirror image share the smaller of their numbers.
#
# The number of a placement has four digits, one for each group of equal pieces: own men, own kings, enemy men, enemy
# kings. A digit says which set of squares the group stands on, by the combinatorial number system. Groups do not know
# of each other, so some numbers stand for no placement: two pieces would share a square.

cdef enum:
    ENDINGS = (MOST_PIECES + 1) * (MOST_PIECES + 1) * (MOST_PIECES + 1) * (MOST_PIECES + 1)
    BY_BLACK = 1  # bits of an orientation
    IN_THE_MIRROR = 2
    OWN_MEN = 0  # places in a group of four
    OWN_KINGS = 1
    ENEMY_MEN = 2
    ENEMY_KINGS = 3

    # Values, from the side to move. Where the sides take turns to the end, the plies decide who makes the last one; where
    # a lone man loses at once they do not, and one more bit does.
    DRAWN = 0
    NOTHING = 255  # no placement, or not asked for
    LOST_AT_ONCE = 1
    LONGEST_ENDING = 253 - 127 * LONE_MAN_LOSES  # plies that a value holds

cdef uint8_t[4][64] KING_PLACE  # by orientation and bit: a square's digit where kings stand
cdef uint8_t[4][64] MAN_PLACE  # the same for White's men; Black's are those of the turned board
cdef int64_t[64][MOST_PIECES + 1] CHOOSE  # binomial coefficients
cdef int MAN_PLACES
cdef int64_t[ENDINGS][4] GROUP_SIZES  # how many sets of squares each group of an ending has
cdef int64_t[ENDINGS] ENDING_SIZES  # how many numbers an ending has, 0 where a side has no piece or there are too many


cdef inline int code_of(bint won, int plies) noexcept nogil:
    """The value of a win or loss in so many plies."""
    if LONE_MAN_LOSES:
        return 1 + 2 * plies + won
    return 1 + plies


cdef inline bint is_won(int code) noexcept nogil:
    """Whether a value that is neither DRAWN nor NOTHING is a win."""
    return (code & 1) == 0  # either way: a game without lone men is won in odd numbers of plies


cdef inline int plies_of(int code) noexcept nogil:
    """In how many plies a win or loss comes about."""
    if LONE_MAN_LOSES:
        return (code - 1) >> 1
    return code - 1


cdef inline int ending_with(int own_men, int own_kings, int enemy_men, int enemy_kings) noexcept nogil:
    """The index of an ending; each count is at most MOST_PIECES."""
    return ((own_men * (MOST_PIECES + 1) + own_kings) * (MOST_PIECES + 1) + enemy_men) * (MOST_PIECES + 1) + enemy_kings


cdef inline int ending_of_board(Board board) noexcept nogil:
    """The ending that a board of MOST_PIECES pieces or fewer belongs to."""
    return ending_with(count_bits(board.own & ~board.kings), count_bits(board.own & board.kings),
                     count_bits(board.enemy & ~board.kings), count_bits(board.enemy & board.kings))


cdef void make_places() noexcept nogil:
    cdef int orientation, index, shown, square
    cdef u64 men = BOARD_MASK & ~PROMOTION[0]
    global MAN_PLACES
    MAN_PLACES = count_bits(men)
    for orientation in range(4):
        for index in range(64):
            if not BOARD_MASK >> index & 1:
                continue
            shown = index
            if orientation & BY_BLACK:
                square = SQUARES - 1 - SQUARE_OF_BIT[shown]
                shown = BIT_OF_SQUARE[square]
            if orientation & IN_THE_MIRROR:
                shown = MIRROR_OF_BIT[shown]
            KING_PLACE[orientation][index] = <uint8_t>count_bits(BOARD_MASK & (bit(shown) - 1))
            MAN_PLACE[orientation][index] = <uint8_t>count_bits(men & (bit(shown) - 1))


cdef void make_sizes() noexcept nogil:
    cdef int n, k, ending, group
    cdef int[4] counts
    for n in range(64):
        for k in range(MOST_PIECES + 1):
            if k == 0:
                CHOOSE[n][k] = 1
            elif n == 0:
                CHOOSE[n][k] = 0
            else:
                CHOOSE[n][k] = CHOOSE[n - 1][k] + CHOOSE[n - 1][k - 1]
    for ending in range(ENDINGS):
        read_counts(ending, counts)
        ENDING_SIZES[ending] = 0
        if counts[0] + counts[1] == 0 or counts[2] + counts[3] == 0:
            continue
        if counts[0] + counts[1] + counts[2] + counts[3] > MOST_PIECES:
            continue
        ENDING_SIZES[ending] = 1
        for group in range(4):
            GROUP_SIZES[ending][group] = sets_of(counts[group], group & 1)
            ENDING_SIZES[ending] *= GROUP_SIZES[ending][group]


cdef void read_counts(int ending, int* counts) noexcept nogil:
    """The sizes of the four groups of an ending."""
    cdef int group
    for group in range(3, -1, -1):
        counts[group] = ending % (MOST_PIECES + 1)
        ending //= MOST_PIECES + 1


cdef int64_t sets_of(int count, bint kings) noexcept nogil:
    """On how many sets of squares so many equal pieces can stand."""
    cdef int places = SQUARES if kings else MAN_PLACES
    if count == 0:
        return 1
    return CHOOSE[places - 1][count] + CHOOSE[places - 1][count - 1]


make_places()
make_sizes()


cdef inline int64_t digit_of(u64 squares, const uint8_t* place) noexcept nogil:
    """The number of a set of squares among all sets of its size."""
    cdef int[MOST_PIECES + 1] sorted_places
    cdef int count = 0, here, i
    cdef int64_t digit = 0
    while squares:
        here = place[lowest_bit(squares)]
        i = count
        while i > 0 and sorted_places[i - 1] > here:
            sorted_places[i] = sorted_places[i - 1]
            i -= 1
        sorted_places[i] = here
        count += 1
        squares &= squares - 1
    for i in range(count):
        digit += CHOOSE[sorted_places[i]][i + 1]
    return digit


cdef inline int64_t number_as_seen(Board board, int ending, int orientation) noexcept nogil:
    """The number of a board within its ending, seen in this orientation."""
    cdef const int64_t* sizes = GROUP_SIZES[ending]
    cdef const uint8_t* men = MAN_PLACE[orientation]
    cdef const uint8_t* enemy_men = MAN_PLACE[orientation ^ BY_BLACK]
    cdef const uint8_t* kings = KING_PLACE[orientation]
    cdef int64_t number = digit_of(board.own & ~board.kings, men)
    number = number * sizes[OWN_KINGS] + digit_of(board.own & board.kings, kings)
    number = number * sizes[ENEMY_MEN] + digit_of(board.enemy & ~board.kings, enemy_men)
    return number * sizes[ENEMY_KINGS] + digit_of(board.enemy & board.kings, kings)


cdef inline int64_t number_of(Board board, int ending, bint black) noexcept nogil:
    """The number under which a board is kept, the smaller one of its own and its mirror image's."""
    cdef int64_t number = number_as_seen(board, ending, BY_BLACK if black else 0)
    cdef int64_t mirrored
    if HAS_MIRROR:
        mirrored = number_as_seen(board, ending, (BY_BLACK if black else 0) | IN_THE_MIRROR)
        if mirrored < number:
            return mirrored
    return number


# --- from numbers to boards, for those who go through all of them -------------------------------------------------

# Every set of so many squares in the order of its digit: White's men, Black's men, kings; made when first asked for.
cdef u64* SETS[3][MOST_PIECES]


cdef int need_sets(int ending) except -1:
    """Make the sets of squares that the groups of an ending take."""
    cdef int[4] counts
    cdef int group
    read_counts(ending, counts)
    for group in range(4):
        need_sets_of(counts[group], 2 if group & 1 else group >> 1)
    return 0


cdef int need_sets_of(int count, int kind) except -1:
    cdef u64* sets = SETS[kind][count]
    cdef int64_t total = sets_of(count, kind == 2), digit, rest
    cdef int i, place
    cdef u64[64] bit_of_place
    if sets != NULL:
        return 0
    sets = <u64*>malloc(total * sizeof(u64))
    if sets == NULL:
        raise MemoryError(f"no memory for {total} sets of squares")
    for i in range(64):
        if BOARD_MASK >> i & 1:
            if kind == 2:
                bit_of_place[KING_PLACE[0][i]] = bit(i)
            elif not bit(i) & PROMOTION[kind]:
                bit_of_place[MAN_PLACE[BY_BLACK if kind else 0][i]] = bit(i)
    for digit in range(total):
        sets[digit] = 0
        rest = digit
        place = 63
        for i in range(count, 0, -1):
            while CHOOSE[place][i] > rest:
                place -= 1
            rest -= CHOOSE[place][i]
            sets[digit] |= bit_of_place[place]
            place -= 1
    SETS[kind][count] = sets
    return 0


# What it takes to turn the numbers of one ending into boards.
ctypedef struct Shape:
    const u64* sets[4]
    int64_t sizes[4]


cdef Shape shape_of(int ending) noexcept nogil:
    """The shape of an ending whose sets have been made."""
    cdef Shape shape
    cdef int[4] counts
    cdef int group
    read_counts(ending, counts)
    for group in range(4):
        shape.sets[group] = SETS[2 if group & 1 else group >> 1][counts[group]]
        shape.sizes[group] = GROUP_SIZES[ending][group]
    return shape


cdef inline bint board_of(const Shape* shape, int64_t number, Board* board) noexcept nogil:
    """Set the board of this number, White to move; False where there is none."""
    cdef u64 enemy_kings = shape.sets[ENEMY_KINGS][number % shape.sizes[ENEMY_KINGS]]
    number //= shape.sizes[ENEMY_KINGS]
    cdef u64 enemy_men = shape.sets[ENEMY_MEN][number % shape.sizes[ENEMY_MEN]]
    number //= shape.sizes[ENEMY_MEN]
    cdef u64 own_kings = shape.sets[OWN_KINGS][number % shape.sizes[OWN_KINGS]]
    cdef u64 own_men = shape.sets[OWN_MEN][number // shape.sizes[OWN_KINGS]]
    board.own = own_men | own_kings
    board.enemy = enemy_men | enemy_kings
    board.kings = own_kings | enemy_kings
    return not (own_men & own_kings or enemy_men & enemy_kings or board.own & board.enemy)
