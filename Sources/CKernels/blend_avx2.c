#if defined(__x86_64__)

#define BB_TARGET __attribute__((target("avx2")))
#define BB_BLEND_PIXELS 4
#define BB_BLEND_ROW bb_blend_row_avx2
#define BB_ALPHAS(wide) __builtin_shufflevector(wide, wide, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15)
#define BB_DOUBLED 2, 2, 2, 1, 2, 2, 2, 1, 2, 2, 2, 1, 2, 2, 2, 1

#include "blend_rows.h"

#endif
