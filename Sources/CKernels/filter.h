#pragma once

#include "CKernels.h"

/// A filter fitted to a scale.
typedef struct {
    BBResampleFilter kind;
    /// Source pixels for one unit of the filter's curve: it widens when shrinking, so that every pixel counts.
    double stretch;
    /// Source pixels from the centre to where the filter ends.
    double reach;
} BBFilter;

/// `scale` is source pixels for one destination pixel.
BBFilter bb_filter_make(BBResampleFilter kind, double scale);

/// The weight, not normalised, of a source pixel whose centre lies `distance` source pixels from the filter's.
double bb_filter_weight(const BBFilter *filter, double distance);
