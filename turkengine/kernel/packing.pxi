# The values of an ending in few bytes, any of which is found without unpacking the others.
#
# The values are cut into blocks of BLOCK numbers. A block is a row of tokens: a value, or so many repetitions of the
# last value (0 at the beginning of a block), or the last value to the end of the block. What nobody asks for, numbers of
# no placement and of mirror images, repeats whatever came before. Tokens are written by a prefix code of their own for
# each ending, highest bit first; the place of each block's first byte is in a list.

cdef enum:
    BLOCK = 256
    FIRST_RUN = 255  # the tokens from here on repeat the last value 1, 2, 4, ... 128 times
    REST = 263
    TOKENS = 264
    LONGEST_CODE = 12  # bits
    PADDING = BLOCK * LONGEST_CODE // 8 + 4  # bytes that a reader of a block may look at; so many follow the last one

# An ending as it is read.
ctypedef struct Packed:
    const uint8_t* starts  # of the blocks, in bytes, four each, lowest first; NULL: this ending is not there
    const uint8_t* data  # NULL: the blocks are in a file
    int file
    int64_t offset  # of the first block in the file
    uint16_t* tokens  # by the next LONGEST_CODE bits: token, and its length << 9
    int64_t size


cdef inline int next_token(const uint8_t* values, int64_t at, int64_t end, uint8_t* last, int* advance) noexcept nogil:
    """The token for the values from `at` on in a block that ends at `end`, and how many it stands for."""
    cdef int64_t here = at
    cdef int run, token = FIRST_RUN
    while here < end and (values[here] == last[0] or values[here] == NOTHING):
        here += 1
    run = <int>(here - at)
    if here == end:
        advance[0] = run
        return REST
    if run == 0:
        last[0] = values[at]
        advance[0] = 1
        return values[at]
    while run > 1:
        run >>= 1
        token += 1
    advance[0] = 1 << (token - FIRST_RUN)
    return token


cdef void count_tokens(const uint8_t* values, int64_t size, int64_t* counts) noexcept nogil:
    cdef int64_t at = 0, end
    cdef uint8_t last
    cdef int advance
    while at < size:
        end = min(at + BLOCK, size)
        last = DRAWN
        while at < end:
            counts[next_token(values, at, end, &last, &advance)] += 1
            at += advance


cdef void make_codes(const uint8_t* lengths, uint16_t* codes) noexcept nogil:
    """The canonical prefix code of these lengths: shorter ones first, equal ones in the order of the tokens."""
    cdef int length, token, code = 0
    for length in range(1, LONGEST_CODE + 1):
        code <<= 1
        for token in range(TOKENS):
            if lengths[token] == length:
                codes[token] = <uint16_t>code
                code += 1


cdef bint make_decoder(const uint8_t* lengths, uint16_t* tokens) noexcept nogil:
    """Fill the table of LONGEST_CODE bits; False where these are not the lengths of a complete code."""
    cdef uint16_t[TOKENS] codes
    cdef int token, i, first, room = 0
    for token in range(TOKENS):
        if lengths[token] > LONGEST_CODE:
            return False
        if lengths[token]:
            room += 1 << (LONGEST_CODE - lengths[token])
    if room != 1 << LONGEST_CODE:
        return False
    make_codes(lengths, codes)
    for token in range(TOKENS):
        if lengths[token]:
            first = codes[token] << (LONGEST_CODE - lengths[token])
            for i in range(first, first + (1 << (LONGEST_CODE - lengths[token]))):
                tokens[i] = <uint16_t>(token | lengths[token] << 9)
    return True


cdef int64_t write_blocks(const uint8_t* values, int64_t size, const uint8_t* lengths, uint8_t* starts,
                          uint8_t* data) noexcept nogil:
    """Write the blocks and where they start; returns the bytes of the blocks. `data` must be zeroed."""
    cdef uint16_t[TOKENS] codes
    cdef int64_t at = 0, end, place = 0  # the place counts bits
    cdef uint64_t start
    cdef uint32_t code
    cdef uint8_t last
    cdef int advance, token, i
    make_codes(lengths, codes)
    while at < size:
        end = min(at + BLOCK, size)
        last = DRAWN
        place = (place + 7) & ~<int64_t>7
        start = <uint64_t>place >> 3
        for i in range(4):
            starts[4 * (at // BLOCK) + i] = <uint8_t>(start >> (8 * i))
        while at < end:
            token = next_token(values, at, end, &last, &advance)
            code = <uint32_t>codes[token] << (24 - lengths[token] - (place & 7))
            for i in range(3):
                data[(place >> 3) + i] |= <uint8_t>(code >> (16 - 8 * i))
            place += lengths[token]
            at += advance
    return (place + 7) >> 3


cdef inline uint32_t start_of(const Packed* packed, int64_t number) noexcept nogil:
    cdef const uint8_t* start = &packed.starts[4 * (number // BLOCK)]
    return start[0] | start[1] << 8 | start[2] << 16 | <uint32_t>start[3] << 24


cdef inline const uint8_t* block_of(const Packed* packed, int64_t number, uint8_t* room) noexcept nogil:
    """The block of a number, read into the PADDING bytes of `room` from a file; NULL where that cannot be read."""
    if packed.data != NULL:
        return packed.data + start_of(packed, number)
    if not read_at(packed.file, room, PADDING, packed.offset + start_of(packed, number)):
        return NULL
    return room


cdef inline int read_token(const Packed* packed, const uint8_t* block, int* place) noexcept nogil:
    """The token at a place, in bits, and move the place past it."""
    cdef const uint8_t* bytes = block + (place[0] >> 3)
    cdef uint32_t window = <uint32_t>bytes[0] << 16 | bytes[1] << 8 | bytes[2]
    cdef int entry = packed.tokens[window >> (24 - LONGEST_CODE - (place[0] & 7)) & ((1 << LONGEST_CODE) - 1)]
    place[0] += entry >> 9
    return entry & 511


cdef inline int advance_of(int token) noexcept nogil:
    """How many numbers a token stands for at most."""
    if token < FIRST_RUN:
        return 1
    return BLOCK if token == REST else 1 << (token - FIRST_RUN)


cdef int unpacked(const Packed* packed, int64_t number) noexcept nogil:
    """The value of one number, NOTHING where its block cannot be read."""
    cdef uint8_t[PADDING] room
    cdef const uint8_t* block = block_of(packed, number, room)
    cdef int wanted = <int>(number % BLOCK), at = 0, place = 0, token, last = DRAWN
    if block == NULL:
        return NOTHING
    while at <= wanted:
        token = read_token(packed, block, &place)
        if token < FIRST_RUN:
            last = token
        at += advance_of(token)
    return last


cdef bint unpack_block(const Packed* packed, int64_t begin, uint8_t* values) noexcept nogil:
    """Write the values of the block that begins with this number; False where it cannot be read."""
    cdef uint8_t[PADDING] room
    cdef const uint8_t* block = block_of(packed, begin, room)
    cdef int64_t at = begin, end = min(begin + BLOCK, packed.size)
    cdef int place = 0, token, last = DRAWN, i
    if block == NULL:
        return False
    while at < end:
        token = read_token(packed, block, &place)
        if token < FIRST_RUN:
            last = token
        for i in range(advance_of(token)):
            if at == end:
                break
            values[at] = <uint8_t>last
            at += 1
    return True


cdef bint starts_are_within(const Packed* packed, int64_t length) noexcept nogil:
    """Whether every block begins within so many bytes."""
    cdef int64_t number = 0
    while number < packed.size:
        if start_of(packed, number) >= length:
            return False
        number += BLOCK
    return True


# --- for Python -------------------------------------------------------------------------------------------------

@cython.final
cdef class Packing:
    """An ending of a workshop on its way into a file: `take` every part of it, then ask for the rest.

    The four bytes of a start limit an ending to 4 GiB when packed.
    """

    cdef Workshop workshop
    cdef int ending
    cdef uint8_t* values  # with NOTHING where nobody asks

    def __cinit__(self, Workshop workshop not None, counts):
        self.workshop = workshop
        self.ending = ending_named(counts)
        workshop.values(self.ending, 0, 0)
        self.values = <uint8_t*>malloc(ENDING_SIZES[self.ending])
        if self.values == NULL:
            raise MemoryError(f"no memory for {ENDING_SIZES[self.ending]} positions of an ending")

    def __dealloc__(self):
        free(self.values)

    def take(self, int64_t begin, int64_t end):
        """Copy this part of the values, without those that nobody asks for."""
        cdef uint8_t* values = self.workshop.values(self.ending, begin, end)
        cdef Shape shape = shape_of(self.ending)
        cdef Board board
        cdef int64_t number
        with nogil:
            for number in range(begin, end):
                self.values[number] = values[number]
                if HAS_MIRROR and board_of(&shape, number, &board) and number_of(board, self.ending, False) != number:
                    self.values[number] = NOTHING

    def token_counts(self):
        """How often each token occurs: what the lengths of the code depend on."""
        cdef int64_t[TOKENS] counts
        memset(counts, 0, sizeof(counts))
        with nogil:
            count_tokens(self.values, ENDING_SIZES[self.ending], counts)
        return [counts[token] for token in range(TOKENS)]

    def write(self, bytes lengths not None):
        """The starts of the blocks, and the blocks with their padding, written with codes of these lengths."""
        cdef const uint8_t* length_of = <const uint8_t*><const char*>lengths
        cdef int64_t size = ENDING_SIZES[self.ending], bits = 0, used
        cdef uint8_t* data
        cdef bytes starts = bytes(4 * ((size + BLOCK - 1) // BLOCK))
        cdef uint8_t* start = <uint8_t*><char*>starts
        if len(lengths) != TOKENS:
            raise ValueError(f"a code has the lengths of {TOKENS} tokens, not of {len(lengths)}")
        for token, count in enumerate(self.token_counts()):
            if count and not 0 < length_of[<int>token] <= LONGEST_CODE:
                raise ValueError(f"token {token} occurs and needs a code of 1 to {LONGEST_CODE} bits")
            bits += count * length_of[<int>token]
        used = bits // 8 + size // BLOCK + 2 + PADDING
        if used >> 32:
            raise OverflowError("the ending takes more than 4 GiB")
        data = <uint8_t*>calloc(used, 1)
        if data == NULL:
            raise MemoryError(f"no memory for {used} bytes")
        with nogil:
            used = write_blocks(self.values, size, length_of, start, data)
        blocks = (<const char*>data)[:used + PADDING]
        free(data)
        return starts, blocks
