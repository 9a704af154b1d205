#pragma once

#include "CKernels.h"

/// Undoes one filter of a row in place. `previous` is the row above, undone already.
typedef void BBUnfilterKernel(uint8_t *row, const uint8_t *previous, size_t byte_count, size_t bytes_per_pixel);

BBUnfilterKernel bb_unfilter_sub_plain, bb_unfilter_up_plain, bb_unfilter_average_plain, bb_unfilter_paeth_plain;

#if defined(__x86_64__)
/// For pixels of 3 and of 4 bytes; `up` for all.
BBUnfilterKernel bb_unfilter_sub_sse41, bb_unfilter_up_sse41, bb_unfilter_average_sse41, bb_unfilter_paeth_sse41;
BBUnfilterKernel bb_unfilter_up_avx2;
#endif
