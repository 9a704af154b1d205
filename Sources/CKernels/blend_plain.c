#define BB_TARGET
#define BB_BLEND_PIXELS 2
#define BB_BLEND_ROW bb_blend_row_plain
#define BB_ALPHAS(wide) __builtin_shufflevector(wide, wide, 3, 3, 3, 3, 7, 7, 7, 7)
#define BB_DOUBLED 2, 2, 2, 1, 2, 2, 2, 1

#include "blend_rows.h"
