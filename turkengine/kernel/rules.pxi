# The rules of one game as constants.
#
# What Cython makes of the kernel is compiled once for each game, with RULES as the name of the game's header. So the C
# compiler sees numbers here and drops every branch that the game does not need. Arrays indexed by direction follow the variant's king directions.

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef uint64_t u64

cdef extern from *:
    """
    #include RULES
    typedef struct { char unused; } White;
    typedef struct { char unused; } Black;
    #define WHITE ((White){0})
    #define BLACK ((Black){0})
    """
    # Two types, not two values: functions over `Colour` are compiled once for each side, with its shifts as constants.
    ctypedef struct White:
        pass
    ctypedef struct Black:
        pass
    White WHITE
    Black BLACK

    enum:
        SQUARES
        KING_LANDS_ANYWHERE
        LAST_KING_STOPS
        KINGS_FLY
        KING_DIRECTIONS  # captures first, those of quiet moves only after them
        MAN_STEPS  # 3, or more
        MEN_TAKE_KINGS
        NUMBER_DECIDES
        KINGS_GO_FIRST
        MOST_KINGS_DECIDE
        EARLIEST_KINGS_DECIDE
        CROWNING_ENDS_MOVE
        CROWNED_IN_PASSING
        REMOVED_AT_ONCE
        REVERSAL_BANNED
        EVERY_MAN_MOVE_IS_PROGRESS
        NO_PROGRESS_PLIES
        NO_PROGRESS_OPTIONAL
        REPETITIONS
        ONE_PIECE_EACH_DRAWS
        LONE_MAN_LOSES
        MATERIAL_LIMITS
        PIECES_PER_SIDE
        UNITS  # of the network, as in the file of weights
        BUCKETS
        ONE
        WIN  # these as in `bounds.py`
        LONGEST_WIN
        EVALUATION_LIMIT
        MOST_PIECES
        HAS_MIRROR  # left and right can be exchanged
        SETTINGS  # how many there are, and the index of each
        WINDOW
        BONUS
        LATE_BASE
        LATE_FACTOR
        LATE_KILLER
        LATE_HISTORY
        SURPLUS_MARGIN
        HOPELESS_BASE
        HOPELESS_MARGIN
    const char* GAME
    const u64 BOARD_MASK
    const uint8_t[64] BIT_OF_SQUARE
    const uint8_t[64] SQUARE_OF_BIT
    const uint8_t[64] MIRROR_OF_BIT
    const uint8_t[64] RANK_OF_BIT
    const int[8] SHIFT
    const u64[8] GUARD
    const int[4] OPPOSITE
    const u64** RAY
    const int[5] WHITE_STEP_SHIFT
    const u64[5] WHITE_STEP_GUARD
    const int[5] BLACK_STEP_SHIFT
    const u64[5] BLACK_STEP_GUARD
    const int[4] WHITE_MAN_CAPTURES
    const int[4] BLACK_MAN_CAPTURES
    const u64[2] PROMOTION
    const u64[2] BEFORE_PROMOTION  # the rank before it
    const int[2] MATERIAL_PLIES
    const u64[2] MATERIAL_BALANCES

cdef extern from "portable.h":
    int lowest_bit(u64 bits) noexcept nogil
    int highest_bit(u64 bits) noexcept nogil
    int count_bits(u64 bits) noexcept nogil
    int count_bits_of_three(u64 a, u64 b, u64 c) noexcept nogil
    void prefetch(const void* address) noexcept nogil
    bint unlikely(bint condition) noexcept nogil
    uint8_t decremented(uint8_t* number) noexcept nogil
    double monotonic_seconds() noexcept nogil
    bint read_at(int file, void* room, size_t bytes, int64_t offset) noexcept nogil
    void* allocate_zeroed(size_t bytes) noexcept nogil
    void release_zeroed(void* memory, size_t bytes) noexcept nogil

ctypedef fused Colour:
    White
    Black
