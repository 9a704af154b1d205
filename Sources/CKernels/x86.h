#pragma once

// The arithmetic is the same in each vector set: pairs of bytes, widened to 16 bits, meet pairs of coefficients in
// `madd`, which adds the two products in 32 bits. Packing saturates, and so clamps, on the way back to bytes.

#if defined(__x86_64__)

#include "pixel.h"
#include "resample_kernels.h"

#include <immintrin.h>

#define BB_SSE41 __attribute__((target("sse4.1")))
#define BB_AVX2 __attribute__((target("avx2")))

/// Two coefficients as `madd` takes them.
static inline int32_t bb_load_pair(const int16_t *coefficients) {
    int32_t pair;
    memcpy(&pair, coefficients, sizeof pair);
    return pair;
}

/// Adds `count` pixels one at a time to the four channels' sums: what is left of a window after its last whole block.
BB_SSE41 static inline __m128i bb_add_pixels(__m128i sums, const uint8_t *pixels, const int16_t *coefficients,
                                             size_t count) {
    for (size_t i = 0; i < count; i++) {
        __m128i pixel = _mm_cvtepu8_epi32(_mm_cvtsi32_si128((int32_t)bb_load_pixel(pixels + 4 * i)));
        sums = _mm_add_epi32(sums, _mm_mullo_epi32(pixel, _mm_set1_epi32(coefficients[i])));
    }
    return sums;
}

BB_SSE41 static inline void bb_store_sums(__m128i sums, uint8_t *destination) {
    __m128i words = _mm_packs_epi32(_mm_srai_epi32(sums, BBCoefficientBits), _mm_setzero_si128());
    bb_store_pixel((uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(words, words)), destination);
}

#endif
