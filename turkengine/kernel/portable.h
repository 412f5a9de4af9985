/* What the kernel needs below Cython and C has no common name for: bit scans, counting down from several threads,
 * prefetch, a monotonic clock, a part of a file, large zeroed memory.
 * GCC, Clang and MSVC. */
#ifndef TURKENGINE_PORTABLE_H
#define TURKENGINE_PORTABLE_H

#include <stddef.h>
#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static __forceinline int lowest_bit(uint64_t bits) {
    unsigned long index;
    _BitScanForward64(&index, bits);
    return (int)index;
}
static __forceinline int highest_bit(uint64_t bits) {
    unsigned long index;
    _BitScanReverse64(&index, bits);
    return (int)index;
}
static __forceinline uint8_t decremented(uint8_t *number) {
    return (uint8_t)(_InterlockedExchangeAdd8((volatile char *)number, -1) - 1);
}
#define prefetch(address) _mm_prefetch((const char *)(address), _MM_HINT_T0)
#define unlikely(x) (x)
#else
static inline int lowest_bit(uint64_t bits) { return __builtin_ctzll(bits); }
static inline int highest_bit(uint64_t bits) { return 63 - __builtin_clzll(bits); }
static inline uint8_t decremented(uint8_t *number) { return __atomic_sub_fetch(number, 1, __ATOMIC_RELAXED); }
#define prefetch(address) __builtin_prefetch(address)
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif

/* The number of ones. Compilers know this pattern and use one instruction where the target has it. */
static inline int count_bits(uint64_t bits) {
    bits = bits - ((bits >> 1) & 0x5555555555555555ULL);
    bits = (bits & 0x3333333333333333ULL) + ((bits >> 2) & 0x3333333333333333ULL);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    return (int)((bits * 0x0101010101010101ULL) >> 56);
}

/* The ones of three words together. Without the instruction one sum is cheaper than three. */
static inline int count_bits_of_three(uint64_t a, uint64_t b, uint64_t c) {
#if defined(__POPCNT__) || defined(__ARM_NEON)
    return count_bits(a) + count_bits(b) + count_bits(c);
#else
    uint64_t ones = a ^ b ^ c, twos = (a & b) | ((a ^ b) & c);
    ones = ones - ((ones >> 1) & 0x5555555555555555ULL);
    twos = twos - ((twos >> 1) & 0x5555555555555555ULL);
    ones = (ones & 0x3333333333333333ULL) + ((ones >> 2) & 0x3333333333333333ULL);
    twos = (twos & 0x3333333333333333ULL) + ((twos >> 2) & 0x3333333333333333ULL);
    ones += 2 * twos; /* at most 12 in each four bits */
    ones = (ones & 0x0F0F0F0F0F0F0F0FULL) + ((ones >> 4) & 0x0F0F0F0F0F0F0F0FULL);
    return (int)((ones * 0x0101010101010101ULL) >> 56);
#endif
}

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <io.h>
#include <windows.h>
static inline double monotonic_seconds(void) {
    LARGE_INTEGER ticks, frequency;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&frequency);
    return (double)ticks.QuadPart / (double)frequency.QuadPart;
}
/* Whether so many bytes could be read from there; the place that others read at stays as it is. */
static int read_at(int file, void *room, size_t bytes, int64_t offset) {
    OVERLAPPED place = {0};
    DWORD got = 0;
    place.Offset = (DWORD)offset;
    place.OffsetHigh = (DWORD)(offset >> 32);
    return ReadFile((HANDLE)_get_osfhandle(file), room, (DWORD)bytes, &got, &place) && got == bytes;
}
static void *allocate_zeroed(size_t bytes) {
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}
static void release_zeroed(void *memory, size_t bytes) {
    (void)bytes;
    if (memory) VirtualFree(memory, 0, MEM_RELEASE);
}
#else
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
static inline double monotonic_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
/* Whether so many bytes could be read from there; the place that others read at stays as it is. */
static int read_at(int file, void *room, size_t bytes, int64_t offset) {
    return pread(file, room, bytes, (off_t)offset) == (ssize_t)bytes;
}
/* Pages come zeroed when first touched, large ones where the system offers them: fewer misses in a random access. */
static void *allocate_zeroed(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
#if defined(MADV_HUGEPAGE)
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}
static void release_zeroed(void *memory, size_t bytes) {
    if (memory) munmap(memory, bytes);
}
#endif

#endif
