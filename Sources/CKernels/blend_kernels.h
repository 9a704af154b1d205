#pragma once

#include "CKernels.h"

/// Lays a row on another with one of the modes that need neither a division nor a root.
typedef void BBBlendRow(BBBlendMode mode, uint8_t opacity, const uint8_t *source, uint8_t *destination,
                        size_t pixel_count);

BBBlendRow bb_blend_row_plain;

#if defined(__x86_64__)
BBBlendRow bb_blend_row_avx2;
#endif

/// Color dodge, color burn and soft light.
BBBlendRow bb_blend_row_curved;
