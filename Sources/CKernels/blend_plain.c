#define BB_TARGET
#define BB_BLEND_PIXELS 2
#define BB_BLEND_ROW bb_blend_row_plain
#define BB_LOWER(narrow)                                                                                               \
    __builtin_convertvector(__builtin_shufflevector(narrow, narrow, 0, 1, 2, 3, 4, 5, 6, 7), Wide)
#define BB_UPPER(narrow)                                                                                               \
    __builtin_convertvector(__builtin_shufflevector(narrow, narrow, 8, 9, 10, 11, 12, 13, 14, 15), Wide)
#define BB_JOINED(one, two)                                                                                            \
    __builtin_convertvector(__builtin_shufflevector(one, two, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),   \
                            Narrow)
#define BB_ALPHAS(wide) __builtin_shufflevector(wide, wide, 3, 3, 3, 3, 7, 7, 7, 7)
#define BB_DOUBLED 2, 2, 2, 1, 2, 2, 2, 1

#include "blend_rows.h"
