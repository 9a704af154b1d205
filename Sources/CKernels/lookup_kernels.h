#pragma once

#include "CKernels.h"

/// Works in place.
typedef void BBLookUpColors(const BBColorLookup *lookup, uint8_t *pixels, size_t pixel_count);

BBLookUpColors bb_look_up_colors_plain;

#if defined(__x86_64__)
BBLookUpColors bb_look_up_colors_avx2;
#endif
