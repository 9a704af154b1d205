#pragma once

#include "CKernels.h"

/// Three bytes a pixel become four, the last 255; `swaps` puts the third first.
typedef void BBExpandKernel(const uint8_t *source, uint8_t *destination, size_t pixel_count, bool swaps);

BBExpandKernel bb_expand_rgb_plain;

#if defined(__x86_64__)
BBExpandKernel bb_expand_rgb_sse41;
#endif
