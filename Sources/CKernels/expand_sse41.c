#include "expand_kernels.h"
#include "x86.h"

#if defined(__x86_64__)

/// Four pixels at a time, read with the four bytes behind them.
BB_SSE41 void bb_expand_rgb_sse41(const uint8_t *source, uint8_t *destination, size_t pixel_count, bool swaps) {
    const __m128i as_it_is = _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    const __m128i swapped = _mm_setr_epi8(2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1);
    const __m128i order = swaps ? swapped : as_it_is, opaque = _mm_set1_epi32((int32_t)0xFF000000);
    size_t i = 0;
    for (; 3 * i + 16 <= 3 * pixel_count; i += 4) {
        __m128i four = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(source + 3 * i)), order);
        _mm_storeu_si128((__m128i *)(destination + 4 * i), _mm_or_si128(four, opaque));
    }
    bb_expand_rgb_plain(source + 3 * i, destination + 4 * i, pixel_count - i, swaps);
}

#endif
