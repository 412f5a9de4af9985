# Endings as they are asked: packed, in memory or in a file that is read for each question.
#
# No file is mapped: where one is cut off while it is mapped, whoever asks ends the whole process.

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer

ctypedef struct EndingTables:
    Packed packed[ENDINGS]
    int most  # pieces of the largest ending there, 0 where there is none
    volatile int lost  # a block could not be read


cdef inline int known_value(EndingTables* tables, Board board, bint black) noexcept nogil:
    """The value of a board of at most `tables.most` pieces for the side to move, NOTHING where it is not known."""
    cdef int ending = ending_of_board(board)
    cdef int value
    if tables.packed[ending].starts == NULL:
        return NOTHING
    value = unpacked(&tables.packed[ending], number_of(board, ending, black))
    if value == NOTHING:
        tables.lost = True
    return value


cdef int plies_left(const Node* node, int no_progress_limit) noexcept nogil:
    """Within how many plies a win must come about before a count of plies makes a draw of it."""
    cdef int left = LONGEST_WIN
    if no_progress_limit:
        left = min(left, no_progress_limit - node.no_progress)
    if MATERIAL_LIMITS:
        if node.material_limit:
            left = min(left, MATERIAL_PLIES[node.material_limit - 1] - node.material_plies)
    return left


@cython.final
cdef class Endings:
    """Endings whose every placement is known. Any number of searches may share them once all are mounted."""

    cdef EndingTables tables
    cdef Py_buffer* buffers  # two for each ending at most
    cdef int held  # buffers
    cdef list files  # those that are read, kept open

    def __cinit__(self):
        self.buffers = <Py_buffer*>calloc(2 * ENDINGS, sizeof(Py_buffer))
        if self.buffers == NULL:
            raise MemoryError("no memory for endings")
        self.files = []

    def __dealloc__(self):
        cdef int i
        for i in range(self.held):
            PyBuffer_Release(&self.buffers[i])
        free(self.buffers)
        for i in range(ENDINGS):
            free(self.tables.packed[i].tokens)

    @property
    def most_pieces(self):
        """Of the largest ending mounted, 0 where there is none."""
        return self.tables.most

    @property
    def lost(self):
        """Whether a file could no longer be read when it was asked."""
        return self.tables.lost != 0

    def mount(self, counts, bytes lengths not None, starts, blocks):
        """Add an ending: the lengths of its code, and what `Packing.write` returned.

        The starts are bytes or a view of some; so are the blocks, or they are a part of a file, with its `length`, its
        `offset` there and `fileno`.

        Raises:
            ValueError: these do not belong together, or the ending is mounted already.
        """
        cdef int ending = ending_named(counts)
        cdef Packed* packed = &self.tables.packed[ending]
        cdef int64_t size = ENDING_SIZES[ending]
        cdef bint in_file = hasattr(blocks, "fileno")
        cdef int64_t length = blocks.length if in_file else len(blocks)
        cdef Packed fresh
        if packed.starts != NULL:
            raise ValueError(f"the ending {counts} is mounted already")
        if len(lengths) != TOKENS or len(starts) != 4 * ((size + BLOCK - 1) // BLOCK) or length <= PADDING:
            raise ValueError(f"the sizes are not those of the ending {counts}")
        fresh.size = size
        fresh.tokens = <uint16_t*>calloc(1 << LONGEST_CODE, sizeof(uint16_t))
        if fresh.tokens == NULL:
            raise MemoryError("no memory for a code")
        if not make_decoder(<const uint8_t*><const char*>lengths, fresh.tokens):
            free(fresh.tokens)
            raise ValueError(f"the lengths of the code of the ending {counts} are wrong")
        fresh.starts = self.hold(starts)
        fresh.data = NULL if in_file else self.hold(blocks)
        if in_file:
            fresh.file, fresh.offset = blocks.fileno(), blocks.offset
            self.files.append(blocks)
        if not starts_are_within(&fresh, length - PADDING):
            free(fresh.tokens)
            raise ValueError(f"the blocks of the ending {counts} are not where they should be")
        packed[0] = fresh
        self.tables.most = max(self.tables.most, sum(counts))

    cdef const uint8_t* hold(self, memory) except NULL:
        PyObject_GetBuffer(memory, &self.buffers[self.held], PyBUF_SIMPLE)
        self.held += 1
        return <const uint8_t*>self.buffers[self.held - 1].buf

    def look_up(self, Position position not None, no_progress=None):
        """What is known of a position, None where nothing is: (1, 0 or -1, plies, whether that is in time).

        A win (1) or loss (-1) comes about in so many plies if both sides play best; it is in time unless a count of
        plies would make a draw of it before. `no_progress` replaces the plies of an optional rule.
        """
        cdef Node* node = &position.node
        cdef int limit = NO_PROGRESS_PLIES, value, plies
        if node.board.own == 0 or node.board.enemy == 0:
            return None
        if count_bits(node.board.own | node.board.enemy) > self.tables.most:
            return None
        value = known_value(&self.tables, node.board, node.black)
        if value == NOTHING:
            return None
        if value == DRAWN:
            return 0, 0, True
        if NO_PROGRESS_OPTIONAL and no_progress is not None:
            limit = no_progress
        plies = plies_of(value)
        return 1 if is_won(value) else -1, plies, plies <= plies_left(node, limit)


cdef class Unpacking:
    """Endings on their way back into a workshop: `fill` every part, then `restore` every part."""

    cdef Workshop workshop
    cdef Endings endings
    cdef int ending

    def __cinit__(self, Endings endings not None, Workshop workshop not None, counts):
        self.endings, self.workshop, self.ending = endings, workshop, ending_named(counts)
        if endings.tables.packed[self.ending].starts == NULL:
            raise ValueError(f"the ending {counts} is not mounted")
        workshop.values(self.ending, 0, 0)

    def fill(self, int64_t begin, int64_t end):
        """Unpack a part whose limits are multiples of 256, or the end.

        Raises:
            ValueError: its file can no longer be read.
        """
        cdef uint8_t* values = self.workshop.values(self.ending, begin, end)
        cdef int64_t number = begin
        with nogil:
            while number < end and unpack_block(&self.endings.tables.packed[self.ending], number, values):
                number += BLOCK
        if number < end:
            raise ValueError("the file can no longer be read, or has become shorter; build it again")

    def restore(self, int64_t begin, int64_t end):
        """Write what was not kept: mirror images, and numbers of no placement."""
        cdef uint8_t* values = self.workshop.values(self.ending, begin, end)
        cdef Shape shape = shape_of(self.ending)
        cdef Board board
        cdef int64_t number
        with nogil:
            for number in range(begin, end):
                if not board_of(&shape, number, &board):
                    values[number] = NOTHING
                elif HAS_MIRROR:
                    values[number] = values[number_of(board, self.ending, False)]
