#include "blend_kernels.h"
#include "pixel.h"

static BBBlendRow *kernel(BBBlending blending) {
    if (blending.mode == BBBlendColorDodge || blending.mode == BBBlendColorBurn || blending.mode == BBBlendSoftLight)
        return bb_blend_row_curved;
#if defined(__x86_64__)
    if (blending.instruction_set == BBInstructionSetAVX2 && bb_best_instruction_set() == BBInstructionSetAVX2)
        return bb_blend_row_avx2;
#endif
    return bb_blend_row_plain;
}

void bb_blend_row(BBBlending blending, const uint8_t *source, uint8_t *destination, size_t pixel_count) {
    kernel(blending)(blending.mode, blending.opacity, source, destination, pixel_count);
}

/// As many pixels as stay in the nearest cache.
#define BB_REPEATED_PIXELS 256

void bb_blend_pixel(BBBlending blending, uint32_t source, uint8_t *destination, size_t pixel_count) {
    uint8_t row[4 * BB_REPEATED_PIXELS];
    size_t length = pixel_count < BB_REPEATED_PIXELS ? pixel_count : BB_REPEATED_PIXELS;
    for (size_t i = 0; i < length; i++) bb_store_pixel(source, row + 4 * i);
    for (size_t i = 0; i < pixel_count; i += length) {
        size_t count = pixel_count - i < length ? pixel_count - i : length;
        bb_blend_row(blending, row, destination + 4 * i, count);
    }
}
