#include "x86.h"

#if defined(__x86_64__)

#define BB_TARGET BB_AVX2
#define BB_BLEND_PIXELS 4
#define BB_BLEND_ROW bb_blend_row_avx2
#define BB_LOWER(narrow) (Wide)_mm256_unpacklo_epi8((__m256i)(narrow), _mm256_setzero_si256())
#define BB_UPPER(narrow) (Wide)_mm256_unpackhi_epi8((__m256i)(narrow), _mm256_setzero_si256())
#define BB_JOINED(one, two) (Narrow)_mm256_packus_epi16((__m256i)(one), (__m256i)(two))
#define BB_ALPHAS(wide) __builtin_shufflevector(wide, wide, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15)
#define BB_DOUBLED 2, 2, 2, 1, 2, 2, 2, 1, 2, 2, 2, 1, 2, 2, 2, 1

#include "blend_rows.h"

#endif
