#include "x86.h"

#if defined(__x86_64__)

BB_AVX2 static inline __m256i load(const uint8_t *bytes) {
    return _mm256_loadu_si256((const __m256i *)bytes);
}

BB_AVX2 static inline __m256i words_from(__m256i low, __m256i high) {
    return _mm256_packs_epi32(_mm256_srai_epi32(low, BBCoefficientBits), _mm256_srai_epi32(high, BBCoefficientBits));
}

/// Adds the products of a block of two rows to the sums of its 32 bytes. Unpacking and packing both work on the two
/// halves of a register by themselves, so the bytes come back in order.
BB_AVX2 static inline void add_rows(__m256i sums[4], __m256i first, __m256i second, __m256i pair) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i low = _mm256_unpacklo_epi8(first, second), high = _mm256_unpackhi_epi8(first, second);
    sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(_mm256_unpacklo_epi8(low, zero), pair));
    sums[1] = _mm256_add_epi32(sums[1], _mm256_madd_epi16(_mm256_unpackhi_epi8(low, zero), pair));
    sums[2] = _mm256_add_epi32(sums[2], _mm256_madd_epi16(_mm256_unpacklo_epi8(high, zero), pair));
    sums[3] = _mm256_add_epi32(sums[3], _mm256_madd_epi16(_mm256_unpackhi_epi8(high, zero), pair));
}

BB_AVX2 static inline void store(const __m256i sums[4], uint8_t *destination) {
    __m256i bytes = _mm256_packus_epi16(words_from(sums[0], sums[1]), words_from(sums[2], sums[3]));
    _mm256_storeu_si256((__m256i *)destination, bytes);
}

/// Asks for a cache line four ahead. A tall window reads more rows at once than the processor follows by itself, and
/// this halves the time. Asking past the end of memory does no harm; the integer keeps the address out of C's rules.
BB_AVX2 static inline void prefetch(const uint8_t *bytes) {
    _mm_prefetch((const char *)((uintptr_t)bytes + 256), _MM_HINT_T0);
}

/// One cache line, 64 bytes, so that each is fetched once even when all rows fall on the same place in the cache.
BB_AVX2 static inline void sum_line(BBWeightedRows weighted, uint8_t *destination, size_t x) {
    const __m256i half = _mm256_set1_epi32(BBCoefficientHalf);
    __m256i left[4] = {half, half, half, half}, right[4] = {half, half, half, half};
    for (size_t i = 0; i < 2 * weighted.pair_count; i += 2) {
        __m256i pair = _mm256_set1_epi32(bb_load_pair(weighted.coefficients + i));
        const uint8_t *first = weighted.rows[i] + x, *second = weighted.rows[i + 1] + x;
        prefetch(first);
        prefetch(second);
        add_rows(left, load(first), load(second), pair);
        add_rows(right, load(first + 32), load(second + 32), pair);
    }
    store(left, destination + x);
    store(right, destination + x + 32);
}

BB_AVX2 void bb_vertical_avx2(BBWeightedRows weighted, uint8_t *destination, size_t start, size_t end) {
    size_t x = start;
    for (; end - x >= 64; x += 64) sum_line(weighted, destination, x);
    bb_vertical_sse41(weighted, destination, x, end);
}

/// Adds four pixels: the first two in the lower half, the last two in the upper, each channel's two bytes side by side.
BB_AVX2 static inline __m256i add_four_pixels(__m256i sums, const uint8_t *pixels, const int16_t *coefficients) {
    const __m256i pairs = _mm256_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1,
                                           8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1);
    const __m256i halves = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    __m256i four = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)pixels));
    __m256i weights = _mm256_castsi128_si256(_mm_loadl_epi64((const __m128i *)coefficients));
    __m256i products = _mm256_madd_epi16(_mm256_shuffle_epi8(four, pairs),
                                         _mm256_permutevar8x32_epi32(weights, halves));
    return _mm256_add_epi32(sums, products);
}

BB_AVX2 static inline __m128i sums_of(const uint8_t *pixels, const int16_t *coefficients, size_t count) {
    __m256i halves = _mm256_setzero_si256();
    size_t i = 0;
    for (; count - i >= 4; i += 4) halves = add_four_pixels(halves, pixels + 4 * i, coefficients + i);
    __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
    sums = _mm_add_epi32(sums, _mm_set1_epi32(BBCoefficientHalf));
    return bb_add_pixels(sums, pixels + 4 * i, coefficients + i, count - i);
}

BB_AVX2 void bb_horizontal_avx2(const BBAxis *axis, const uint8_t *source, uint8_t *destination) {
    for (size_t x = 0; x < axis->length; x++) {
        BBWindow window = axis->windows[x];
        const uint8_t *first = source + 4 * (size_t)window.first;
        bb_store_sums(sums_of(first, bb_axis_coefficients(axis, x), window.count), destination + 4 * x);
    }
}

#endif
