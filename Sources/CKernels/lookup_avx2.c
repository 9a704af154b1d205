#include "lookup_kernels.h"
#include "x86.h"

#if defined(__x86_64__)

#define BB_INLINE __attribute__((always_inline)) BB_AVX2 static inline

/// Four numbers near, then four far, become four between them.
BB_INLINE __m128i between(__m128i near_and_far, __m128i weights) {
    const __m128i pairs = _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    return _mm_srai_epi32(_mm_madd_epi16(_mm_shuffle_epi8(near_and_far, pairs), weights), 14);
}

/// An entry and the next one have 16 bytes.
BB_INLINE __m128i edge(const int16_t *entry, __m128i weights) {
    return between(_mm_loadu_si128((const __m128i *)entry), weights);
}

BB_INLINE __m128i weights(BBLookupPlace place) { return _mm_set1_epi32((int32_t)place.weights); }

BB_INLINE __m128i mixed(__m128i before, __m128i after, uint32_t intensity) {
    __m128i shares = _mm_set1_epi32((int32_t)((BB_LOOKUP_WEIGHT - intensity) | intensity << 16));
    __m128i sums = _mm_madd_epi16(_mm_unpacklo_epi16(before, after), shares);
    return _mm_srai_epi32(_mm_add_epi32(sums, _mm_set1_epi32(1 << 19)), 20);
}

BB_INLINE uint32_t look_up(const BBColorLookup *lookup, uint32_t pixel) {
    BBLookupPlace blue = lookup->blue[pixel & 255], green = lookup->green[pixel >> 8 & 255];
    BBLookupPlace red = lookup->red[pixel >> 16 & 255];
    const int16_t *front = lookup->entries + 4 * ((size_t)blue.offset + green.offset + red.offset);
    size_t below = 4 * lookup->side;
    const int16_t *back = front + below * lookup->side;
    __m128i across = weights(red), down = weights(green);
    __m128i front_edges = _mm_packs_epi32(edge(front, across), edge(front + below, across));
    __m128i back_edges = _mm_packs_epi32(edge(back, across), edge(back + below, across));
    __m128i sides = _mm_packs_epi32(between(front_edges, down), between(back_edges, down));
    __m128i inside = between(sides, weights(blue));
    __m128i before = _mm_slli_epi16(_mm_cvtepu8_epi16(_mm_cvtsi32_si128((int32_t)pixel)), 6);
    __m128i words = _mm_packs_epi32(mixed(before, _mm_packs_epi32(inside, inside), lookup->intensity), inside);
    return (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(words, words));
}

#define BB_TARGET BB_AVX2
#define BB_LOOK_UP_COLORS bb_look_up_colors_avx2
#include "lookup_rows.h"

#endif
