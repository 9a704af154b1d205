#include "unfilter_kernels.h"
#include "x86.h"

#if defined(__x86_64__)

BB_AVX2 void bb_unfilter_up_avx2(uint8_t *row, const uint8_t *previous, size_t byte_count, size_t bytes_per_pixel) {
    size_t i = 0;
    for (; i + 32 <= byte_count; i += 32) {
        __m256i above = _mm256_loadu_si256((const __m256i *)(previous + i));
        __m256i *here = (__m256i *)(row + i);
        _mm256_storeu_si256(here, _mm256_add_epi8(_mm256_loadu_si256(here), above));
    }
    bb_unfilter_up_plain(row + i, previous + i, byte_count - i, bytes_per_pixel);
}

#endif
