#pragma once

#include "axis.h"

/// Rows and their coefficients, in pairs. Where a window has an odd count, the last coefficient is 0 and its row any
/// that may be read.
typedef struct {
    const uint8_t *const *rows;
    const int16_t *coefficients;
    size_t pair_count;
} BBWeightedRows;

/// Sums weighted rows into a row, from byte `start` up to `end`.
typedef void BBVerticalKernel(BBWeightedRows weighted, uint8_t *destination, size_t start, size_t end);

/// Makes a row of the axis's length from a row of its source length. Reads no byte outside that row.
typedef void BBHorizontalKernel(const BBAxis *axis, const uint8_t *source, uint8_t *destination);

/// One instruction set's way to resample. All give the same bytes.
typedef struct {
    BBVerticalKernel *vertical;
    BBHorizontalKernel *horizontal;
} BBResampleKernels;

BBVerticalKernel bb_vertical_plain;
BBHorizontalKernel bb_horizontal_plain;

#if defined(__x86_64__)
BBVerticalKernel bb_vertical_sse41, bb_vertical_avx2;
BBHorizontalKernel bb_horizontal_sse41, bb_horizontal_avx2;
#endif
