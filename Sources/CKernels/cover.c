#include "CKernels.h"
#include "pixel.h"

/// The pixel with every byte times `factor` ÷ 255, rounded to the nearest.
static inline __attribute__((always_inline)) uint32_t faded(uint32_t pixel, uint32_t factor) {
    return bb_products(pixel & 0x00FF00FF, factor) | bb_products(pixel >> 8 & 0x00FF00FF, factor) << 8;
}

// No byte overflows in these sums: a colour of a premultiplied pixel is at most its alpha, and what is left of the other
// pixel is at most 255 less that alpha.

#define BB_ROWS static inline __attribute__((always_inline)) void

BB_ROWS lay_over(uint32_t color, uint8_t *pixels, size_t pixel_count) {
    uint32_t rest = 255 - (color >> 24);
    for (size_t i = 0; i < pixel_count; i++) {
        bb_store_pixel(color + faded(bb_load_pixel(pixels + 4 * i), rest), pixels + 4 * i);
    }
}

BB_ROWS lay_under(uint32_t color, uint8_t *pixels, size_t pixel_count) {
    for (size_t i = 0; i < pixel_count; i++) {
        uint32_t pixel = bb_load_pixel(pixels + 4 * i);
        bb_store_pixel(pixel + faded(color, 255 - (pixel >> 24)), pixels + 4 * i);
    }
}

// The same code once more, for the compiler to make wider vectors of; multiplying 32 bits is slow in the oldest ones.

#if defined(__x86_64__)
#define BB_AVX2 __attribute__((target("avx2")))

BB_AVX2 static void lay_over_avx2(uint32_t color, uint8_t *pixels, size_t pixel_count) {
    lay_over(color, pixels, pixel_count);
}

BB_AVX2 static void lay_under_avx2(uint32_t color, uint8_t *pixels, size_t pixel_count) {
    lay_under(color, pixels, pixel_count);
}
#endif

void bb_lay_over(uint32_t color, uint8_t *pixels, size_t pixel_count) {
#if defined(__x86_64__)
    if (bb_best_instruction_set() == BBInstructionSetAVX2) return lay_over_avx2(color, pixels, pixel_count);
#endif
    lay_over(color, pixels, pixel_count);
}

void bb_lay_under(uint32_t color, uint8_t *pixels, size_t pixel_count) {
#if defined(__x86_64__)
    if (bb_best_instruction_set() == BBInstructionSetAVX2) return lay_under_avx2(color, pixels, pixel_count);
#endif
    lay_under(color, pixels, pixel_count);
}
