#pragma once

#include "CKernels.h"

/// Coefficients are fixed-point numbers with this many bits after the point.
enum { BBCoefficientBits = 14, BBCoefficientOne = 1 << BBCoefficientBits, BBCoefficientHalf = BBCoefficientOne / 2 };

/// The source pixels one destination pixel is made of. They are all inside the source, and at least one.
typedef struct {
    uint32_t first;
    uint32_t count;
} BBWindow;

/// For each pixel along one axis of the destination: where it comes from, and in which proportions.
typedef struct {
    size_t source_length;
    size_t length;
    BBWindow *windows;
    /// A row of `capacity` for each destination pixel: the window's, which sum to exactly one, and then zeros.
    int16_t *coefficients;
    /// Not less than the largest count of a window. Even, so that coefficients may be read in pairs.
    size_t capacity;
} BBAxis;

/// False when there is not enough memory; the axis may be freed in any case. Lengths are 1 to `BB_LONGEST_SIDE`.
bool bb_axis_make(BBAxis *axis, size_t source_length, size_t length, BBResampleFilter filter);

void bb_axis_free(BBAxis *axis);

static inline const int16_t *bb_axis_coefficients(const BBAxis *axis, size_t index) {
    return axis->coefficients + index * axis->capacity;
}
