# The transposition table, shared by all threads without locks.
#
# An entry is two words: the data, and the key xor the data. A reader that meets a half-written entry computes a key
# that does not match. Four entries fill one cache line.

ctypedef struct Entry:
    u64 check  # key ^ data
    u64 data  # bits 0-15 move, 16-31 score, 32-39 depth, 40-41 bound, 42-47 age

ctypedef struct Cluster:
    Entry entries[4]

ctypedef struct TableMemory:
    Cluster* clusters
    u64 count  # of clusters
    uint8_t age  # of the current search, 0 to 63

ctypedef struct Found:
    uint16_t move
    int16_t score
    int16_t depth
    uint8_t bound

cdef enum:
    NO_BOUND = 0
    UPPER = 1
    LOWER = 2
    EXACT = 3


cdef inline Cluster* cluster_of(const TableMemory* table, u64 key) noexcept nogil:
    return &table.clusters[(key >> 32) * table.count >> 32]


cdef inline void fetch(const TableMemory* table, u64 key) noexcept nogil:
    """Bring what is known of a position near before it is looked up."""
    prefetch(cluster_of(table, key))


cdef inline uint16_t packed(const Move* move) noexcept nogil:
    """A move in 16 bits: origin, target and four bits of what is captured, nearly always enough to know it again."""
    cdef u64 mixed = move.captured * <u64>0x9E3779B97F4A7C15
    return <uint16_t>(move.origin | move.target << 6 | (mixed >> 60) << 12)


cdef inline bint look_up(const TableMemory* table, u64 key, Found* found) noexcept nogil:
    cdef Cluster* cluster = cluster_of(table, key)
    cdef u64 data
    cdef int i
    for i in range(4):
        data = cluster.entries[i].data
        if cluster.entries[i].check ^ data == key and data:
            found.move = <uint16_t>data
            found.score = <int16_t>(data >> 16)
            found.depth = <int16_t>(data >> 32 & 0xff)
            found.bound = <uint8_t>(data >> 40 & 3)
            return True
    return False


cdef inline void keep(const TableMemory* table, u64 key, uint16_t move, int score, int depth, int bound) noexcept nogil:
    """Store a result in place of the same position, else of the entry that is worth least: old and shallow."""
    cdef Cluster* cluster = cluster_of(table, key)
    cdef Entry* chosen = NULL
    cdef u64 data
    cdef int i, worth, least = 1 << 20
    for i in range(4):
        data = cluster.entries[i].data
        if cluster.entries[i].check ^ data == key:
            chosen = &cluster.entries[i]
            if move == 0:
                move = <uint16_t>data
            break
        worth = <int>(data >> 32 & 0xff) - 4 * <int>((table.age - (data >> 42)) & 63)
        if worth < least:
            least = worth
            chosen = &cluster.entries[i]
    data = (move | (<u64><uint16_t>score) << 16 | (<u64>depth & 0xff) << 32 | <u64>bound << 40
            | <u64>table.age << 42)
    chosen.data = data
    chosen.check = key ^ data


cdef int filled(const TableMemory* table) noexcept nogil:
    """Thousandths of the table that hold entries of the current search, from a sample."""
    cdef int i, j, used = 0
    cdef u64 data
    for i in range(250):
        for j in range(4):
            data = table.clusters[i].entries[j].data
            if data and (data >> 42 & 63) == table.age:
                used += 1
    return used


cdef class Table:
    """A transposition table of about `mebibytes` MiB for positions of this variant. Any number of searches may share it.

    Without `touch` it is there at once, but a search has to wait for every page of it that has not been cleared.

    Raises:
        MemoryError: the system does not have that much.
    """

    cdef TableMemory memory
    cdef readonly int mebibytes

    def __cinit__(self, int mebibytes, bint touch=True):
        if mebibytes < 1:
            raise ValueError(f"a table takes 1 MiB or more, not {mebibytes}")
        self.mebibytes = mebibytes
        self.memory.count = (<u64>mebibytes << 20) // sizeof(Cluster)
        self.memory.clusters = <Cluster*>allocate_zeroed(self.memory.count * sizeof(Cluster))
        if self.memory.clusters == NULL:
            raise MemoryError(f"no memory for a table of {mebibytes} MiB")
        if touch:
            self.clear()

    def __dealloc__(self):
        release_zeroed(self.memory.clusters, self.memory.count * sizeof(Cluster))

    def clear(self, int start=0, int count=1 << 30):
        """Forget everything, or what is in `count` MiB from the MiB `start` on.

        Every page is touched here, so that no search has to wait for one.
        """
        cdef int end = start + min(count, self.mebibytes - start)
        if not 0 <= start <= end <= self.mebibytes:
            raise ValueError(f"a table of {self.mebibytes} MiB has no {count} MiB from {start} on")
        with nogil:
            memset(<char*>self.memory.clusters + (<u64>start << 20), 0, <u64>(end - start) << 20)
        self.memory.age = 0

    def filled(self):
        """Thousandths in use by the current search."""
        return filled(&self.memory)
