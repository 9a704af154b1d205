#include "unfilter_kernels.h"

enum { Sub = 1, Up, Average, Paeth };

static BBUnfilterKernel *plain_kernel(uint8_t filter) {
    switch (filter) {
    case Sub: return bb_unfilter_sub_plain;
    case Up: return bb_unfilter_up_plain;
    case Average: return bb_unfilter_average_plain;
    default: return bb_unfilter_paeth_plain;
    }
}

#if defined(__x86_64__)
/// Neighbours depend on each other, so that wider vectors help `up` alone.
static BBUnfilterKernel *vector_kernel(uint8_t filter, BBInstructionSet instruction_set) {
    switch (filter) {
    case Sub: return bb_unfilter_sub_sse41;
    case Up: return instruction_set == BBInstructionSetAVX2 ? bb_unfilter_up_avx2 : bb_unfilter_up_sse41;
    case Average: return bb_unfilter_average_sse41;
    default: return bb_unfilter_paeth_sse41;
    }
}
#endif

static BBUnfilterKernel *kernel_for(uint8_t filter, size_t bytes_per_pixel, BBInstructionSet wanted) {
#if defined(__x86_64__)
    BBInstructionSet best = bb_best_instruction_set();
    BBInstructionSet usable = wanted < best ? wanted : best;
    bool has_vectors = filter == Up || bytes_per_pixel == 3 || bytes_per_pixel == 4;
    if (usable != BBInstructionSetPlain && has_vectors) return vector_kernel(filter, usable);
#else
    (void)bytes_per_pixel;
    (void)wanted;
#endif
    return plain_kernel(filter);
}

bool bb_unfilter_row(uint8_t filter, uint8_t *row, const uint8_t *previous, size_t byte_count, size_t bytes_per_pixel,
                     BBInstructionSet instruction_set) {
    if (filter > Paeth || bytes_per_pixel == 0 || byte_count % bytes_per_pixel != 0) return false;
    if (filter != 0) kernel_for(filter, bytes_per_pixel, instruction_set)(row, previous, byte_count, bytes_per_pixel);
    return true;
}
