# Boards, moves, and the arena that lists of moves live in.
#
# A board is seen from the side to move. Every node of a search shares one arena: it remembers where its moves begin, and
# gives the room back when it is done. The arena grows, so it is indexed, never pointed into.

from libc.stdlib cimport abort, abs, calloc, free, malloc, realloc
from libc.string cimport memcpy, memmove, memset

ctypedef struct Board:
    u64 own
    u64 enemy
    u64 kings  # of both sides

ctypedef struct Move:
    u64 captured
    uint8_t origin
    uint8_t target
    uint8_t heading  # of the last jump while a capture grows
    int32_t order  # how early the search looks at it; while a capture grows, which of the pieces it took were kings

ctypedef struct Arena:
    Move* moves
    int used
    int size
    int32_t* seen  # a hash table of the partial captures of one generation
    int seen_size

cdef enum:
    NO_HEADING = 4


cdef bint arena_open(Arena* arena) noexcept nogil:
    """False where there is no memory."""
    arena.used = 0
    arena.size = 4096
    arena.seen_size = 0
    arena.seen = NULL
    arena.moves = <Move*>malloc(arena.size * sizeof(Move))
    return arena.moves != NULL


cdef void arena_close(Arena* arena) noexcept nogil:
    free(arena.moves)
    free(arena.seen)


cdef void arena_grow(Arena* arena) noexcept nogil:
    cdef Move* moves = <Move*>realloc(arena.moves, 2 * <size_t>arena.size * sizeof(Move))
    if moves == NULL:  # nothing sensible can be done without room for the legal moves
        abort()
    arena.moves = moves
    arena.size *= 2


cdef inline void push(Arena* arena, int origin, int target, u64 captured, int heading) noexcept nogil:
    cdef Move* move
    if unlikely(arena.used == arena.size):
        arena_grow(arena)
    move = &arena.moves[arena.used]
    move.captured = captured
    move.origin = <uint8_t>origin
    move.target = <uint8_t>target
    move.heading = <uint8_t>heading
    arena.used += 1


# --- making a move ----------------------------------------------------------------------------------------------

cdef inline Board after(Colour colour, Board board, u64 origin, u64 target, u64 captured) noexcept nogil:
    """The board after a move, seen from the other side. Origin and target may be the same square."""
    cdef Board next
    cdef u64 kings = board.kings & ~captured
    if board.kings & origin:
        kings = (kings & ~origin) | target
    else:
        kings |= target if passes_as_king(colour, captured) else target & promotion(colour)
    next.own = board.enemy & ~captured
    next.enemy = (board.own & ~origin) | target
    next.kings = kings
    return next


cdef inline Board after_man_step(Colour colour, Board board, u64 origin, u64 target) noexcept nogil:
    """`after` for the quiet move of a man."""
    cdef Board next
    next.own = board.enemy
    next.enemy = board.own ^ (origin | target)
    next.kings = board.kings | (target & promotion(colour))
    return next
