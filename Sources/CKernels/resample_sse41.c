#include "x86.h"

#if defined(__x86_64__)

BB_SSE41 static inline __m128i load(const uint8_t *bytes) {
    return _mm_loadu_si128((const __m128i *)bytes);
}

BB_SSE41 static inline __m128i words_from(__m128i low, __m128i high) {
    return _mm_packs_epi32(_mm_srai_epi32(low, BBCoefficientBits), _mm_srai_epi32(high, BBCoefficientBits));
}

/// Adds the products of a block of two rows to the sums of its 16 bytes.
BB_SSE41 static inline void add_rows(__m128i sums[4], __m128i first, __m128i second, __m128i pair) {
    const __m128i zero = _mm_setzero_si128();
    __m128i low = _mm_unpacklo_epi8(first, second), high = _mm_unpackhi_epi8(first, second);
    sums[0] = _mm_add_epi32(sums[0], _mm_madd_epi16(_mm_unpacklo_epi8(low, zero), pair));
    sums[1] = _mm_add_epi32(sums[1], _mm_madd_epi16(_mm_unpackhi_epi8(low, zero), pair));
    sums[2] = _mm_add_epi32(sums[2], _mm_madd_epi16(_mm_unpacklo_epi8(high, zero), pair));
    sums[3] = _mm_add_epi32(sums[3], _mm_madd_epi16(_mm_unpackhi_epi8(high, zero), pair));
}

BB_SSE41 static inline void sum_block(BBWeightedRows weighted, uint8_t *destination, size_t x) {
    const __m128i half = _mm_set1_epi32(BBCoefficientHalf);
    __m128i sums[4] = {half, half, half, half};
    for (size_t i = 0; i < 2 * weighted.pair_count; i += 2) {
        __m128i pair = _mm_set1_epi32(bb_load_pair(weighted.coefficients + i));
        add_rows(sums, load(weighted.rows[i] + x), load(weighted.rows[i + 1] + x), pair);
    }
    __m128i bytes = _mm_packus_epi16(words_from(sums[0], sums[1]), words_from(sums[2], sums[3]));
    _mm_storeu_si128((__m128i *)(destination + x), bytes);
}

BB_SSE41 void bb_vertical_sse41(BBWeightedRows weighted, uint8_t *destination, size_t start, size_t end) {
    size_t x = start;
    for (; end - x >= 16; x += 16) sum_block(weighted, destination, x);
    bb_vertical_plain(weighted, destination, x, end);
}

/// Adds four pixels, two at a time: each channel's two bytes side by side.
BB_SSE41 static inline __m128i add_four_pixels(__m128i sums, const uint8_t *pixels, const int16_t *coefficients) {
    const __m128i first_two = _mm_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1);
    const __m128i last_two = _mm_setr_epi8(8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1);
    __m128i four = load(pixels), weights = _mm_loadl_epi64((const __m128i *)coefficients);
    __m128i first = _mm_madd_epi16(_mm_shuffle_epi8(four, first_two), _mm_shuffle_epi32(weights, 0x00));
    __m128i last = _mm_madd_epi16(_mm_shuffle_epi8(four, last_two), _mm_shuffle_epi32(weights, 0x55));
    return _mm_add_epi32(sums, _mm_add_epi32(first, last));
}

BB_SSE41 static inline __m128i sums_of(const uint8_t *pixels, const int16_t *coefficients, size_t count) {
    __m128i sums = _mm_set1_epi32(BBCoefficientHalf);
    size_t i = 0;
    for (; count - i >= 4; i += 4) sums = add_four_pixels(sums, pixels + 4 * i, coefficients + i);
    return bb_add_pixels(sums, pixels + 4 * i, coefficients + i, count - i);
}

BB_SSE41 void bb_horizontal_sse41(const BBAxis *axis, const uint8_t *source, uint8_t *destination) {
    for (size_t x = 0; x < axis->length; x++) {
        BBWindow window = axis->windows[x];
        const uint8_t *first = source + 4 * (size_t)window.first;
        bb_store_sums(sums_of(first, bb_axis_coefficients(axis, x), window.count), destination + 4 * x);
    }
}

#endif
