/* The network's inner loops, over rows of UNITS numbers.
 *
 * Compilers turn them into vector instructions. Where the C library can choose between versions of a function when the
 * program starts (x86-64 with glibc), there is one for processors with AVX2 beside the one for all. */
#ifndef TURKENGINE_VECTORS_H
#define TURKENGINE_VECTORS_H

#include <stdint.h>

#if defined(__x86_64__) && defined(__GLIBC__) && (defined(__GNUC__) || defined(__clang__)) && !defined(__AVX2__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

#if defined(_MSC_VER)
#define restrict __restrict
#endif

/* sums = before - gone + come, for the two sides. */
FOR_EACH_PROCESSOR static void move_rows(int16_t (*restrict sums)[UNITS], const int16_t (*restrict before)[UNITS],
                                         const int16_t *restrict gone0, const int16_t *restrict come0,
                                         const int16_t *restrict gone1, const int16_t *restrict come1) {
    for (int i = 0; i < UNITS; i++) sums[0][i] = (int16_t)(before[0][i] - gone0[i] + come0[i]);
    for (int i = 0; i < UNITS; i++) sums[1][i] = (int16_t)(before[1][i] - gone1[i] + come1[i]);
}

/* sums -= row, for the two sides. */
FOR_EACH_PROCESSOR static void take_rows(int16_t (*restrict sums)[UNITS], const int16_t *restrict row0,
                                         const int16_t *restrict row1) {
    for (int i = 0; i < UNITS; i++) sums[0][i] = (int16_t)(sums[0][i] - row0[i]);
    for (int i = 0; i < UNITS; i++) sums[1][i] = (int16_t)(sums[1][i] - row1[i]);
}

/* The squares of the sums of one side between 0 and ONE, cut to 8 bits and weighed. The largest square is just within
 * 15 bits: shifted as a signed number it stays one, which lets compilers multiply and add in pairs (pmaddwd). */
static inline int32_t weigh_side(const int16_t *restrict sums, const int16_t *restrict outputs) {
    int32_t total = 0;
    for (int i = 0; i < UNITS; i++) {
        int16_t cut = sums[i] < 0 ? 0 : sums[i];
        cut = cut > ONE ? ONE : cut;
        cut = (int16_t)((int16_t)(cut * cut) >> 7);
        total += (int32_t)cut * outputs[i];
    }
    return total;
}

/* The same of both sides. */
FOR_EACH_PROCESSOR static int32_t weigh(const int16_t *restrict own, const int16_t *restrict other,
                                        const int16_t (*restrict outputs)[UNITS]) {
    return weigh_side(own, outputs[0]) + weigh_side(other, outputs[1]);
}

#endif
