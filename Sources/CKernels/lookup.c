#include "lookup_kernels.h"

void bb_look_up_colors(const BBColorLookup *lookup, uint8_t *pixels, size_t pixel_count,
                       BBInstructionSet instruction_set) {
#if defined(__x86_64__)
    if (instruction_set == BBInstructionSetAVX2 && bb_best_instruction_set() == BBInstructionSetAVX2) {
        bb_look_up_colors_avx2(lookup, pixels, pixel_count);
        return;
    }
#else
    (void)instruction_set;
#endif
    bb_look_up_colors_plain(lookup, pixels, pixel_count);
}
