#include "unfilter_kernels.h"
#include "x86.h"

#if defined(__x86_64__)

// One pixel after the other, its components side by side. A pixel of three bytes is read with the byte behind it, which
// changes nothing; only the last of a row, where that byte may not be ours, is read by itself.

BB_SSE41 static inline __m128i load_pixel(const uint8_t *bytes) {
    return _mm_cvtsi32_si128((int32_t)bb_load_pixel(bytes));
}

BB_SSE41 static inline __m128i load_last(const uint8_t *bytes, size_t bytes_per_pixel) {
    uint32_t pixel = 0;
    memcpy(&pixel, bytes, bytes_per_pixel);
    return _mm_cvtsi32_si128((int32_t)pixel);
}

BB_SSE41 static inline void store_pixel(__m128i pixel, uint8_t *bytes, size_t bytes_per_pixel) {
    uint32_t value = (uint32_t)_mm_cvtsi128_si32(pixel);
    memcpy(bytes, &value, bytes_per_pixel);
}

/// What the last pixel left for the next.
typedef struct {
    __m128i left, corner;
} Neighbours;

/// Undoes a filter of one pixel.
typedef __m128i Step(Neighbours *neighbours, __m128i pixel, __m128i above);

/// Inlined for each filter and size of pixels.
__attribute__((always_inline)) BB_SSE41 static inline void run(uint8_t *row, const uint8_t *previous, size_t byte_count,
                                                               size_t bytes_per_pixel, Step *step) {
    Neighbours neighbours = {_mm_setzero_si128(), _mm_setzero_si128()};
    size_t i = 0;
    for (; i + 4 <= byte_count; i += bytes_per_pixel) {
        __m128i pixel = step(&neighbours, load_pixel(row + i), load_pixel(previous + i));
        store_pixel(pixel, row + i, bytes_per_pixel);
    }
    if (i == byte_count) return;
    __m128i above = load_last(previous + i, bytes_per_pixel);
    store_pixel(step(&neighbours, load_last(row + i, bytes_per_pixel), above), row + i, bytes_per_pixel);
}

#define BB_UNFILTER_RUN(step)                                                                                          \
    if (bytes_per_pixel == 4) run(row, previous, byte_count, 4, step);                                                 \
    else run(row, previous, byte_count, 3, step)

__attribute__((always_inline)) BB_SSE41 static inline __m128i sub(Neighbours *neighbours, __m128i pixel,
                                                                  __m128i above) {
    (void)above;
    return neighbours->left = _mm_add_epi8(pixel, neighbours->left);
}

BB_SSE41 void bb_unfilter_sub_sse41(uint8_t *row, const uint8_t *previous, size_t byte_count, size_t bytes_per_pixel) {
    BB_UNFILTER_RUN(sub);
}

BB_SSE41 void bb_unfilter_up_sse41(uint8_t *row, const uint8_t *previous, size_t byte_count, size_t bytes_per_pixel) {
    size_t i = 0;
    for (; i + 16 <= byte_count; i += 16) {
        __m128i above = _mm_loadu_si128((const __m128i *)(previous + i));
        __m128i *here = (__m128i *)(row + i);
        _mm_storeu_si128(here, _mm_add_epi8(_mm_loadu_si128(here), above));
    }
    bb_unfilter_up_plain(row + i, previous + i, byte_count - i, bytes_per_pixel);
}

/// The instruction rounds up; the filter rounds down.
__attribute__((always_inline)) BB_SSE41 static inline __m128i average(Neighbours *neighbours, __m128i pixel,
                                                                      __m128i above) {
    __m128i is_odd = _mm_and_si128(_mm_xor_si128(neighbours->left, above), _mm_set1_epi8(1));
    __m128i mean = _mm_sub_epi8(_mm_avg_epu8(neighbours->left, above), is_odd);
    return neighbours->left = _mm_add_epi8(pixel, mean);
}

BB_SSE41 void bb_unfilter_average_sse41(uint8_t *row, const uint8_t *previous, size_t byte_count,
                                        size_t bytes_per_pixel) {
    BB_UNFILTER_RUN(average);
}

/// In 16 bits a component; the sum is taken byte by byte, which keeps the upper ones 0.
__attribute__((always_inline)) BB_SSE41 static inline __m128i paeth(Neighbours *neighbours, __m128i pixel,
                                                                    __m128i above) {
    const __m128i zero = _mm_setzero_si128();
    __m128i left = neighbours->left, corner = neighbours->corner, wide = _mm_unpacklo_epi8(above, zero);
    __m128i to_left = _mm_sub_epi16(wide, corner), to_above = _mm_sub_epi16(left, corner);
    __m128i to_corner = _mm_abs_epi16(_mm_add_epi16(to_left, to_above));
    to_left = _mm_abs_epi16(to_left);
    to_above = _mm_abs_epi16(to_above);
    __m128i least = _mm_min_epi16(to_corner, _mm_min_epi16(to_left, to_above));
    __m128i other = _mm_blendv_epi8(corner, wide, _mm_cmpeq_epi16(least, to_above));
    __m128i predicted = _mm_blendv_epi8(other, left, _mm_cmpeq_epi16(least, to_left));
    neighbours->corner = wide;
    neighbours->left = _mm_add_epi8(_mm_unpacklo_epi8(pixel, zero), predicted);
    return _mm_packus_epi16(neighbours->left, zero);
}

BB_SSE41 void bb_unfilter_paeth_sse41(uint8_t *row, const uint8_t *previous, size_t byte_count,
                                      size_t bytes_per_pixel) {
    BB_UNFILTER_RUN(paeth);
}

#endif
