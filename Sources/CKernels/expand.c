#include "expand_kernels.h"
#include "pixel.h"

void bb_expand_rgb_plain(const uint8_t *source, uint8_t *destination, size_t pixel_count, bool swaps) {
    size_t first = swaps ? 2 : 0;
    for (size_t i = 0; i < pixel_count; i++) {
        destination[4 * i] = source[3 * i + first];
        destination[4 * i + 1] = source[3 * i + 1];
        destination[4 * i + 2] = source[3 * i + 2 - first];
        destination[4 * i + 3] = 255;
    }
}

void bb_expand_rgb(const uint8_t *source, uint8_t *destination, size_t pixel_count, bool swaps,
                   BBInstructionSet instruction_set) {
#if defined(__x86_64__)
    if (instruction_set != BBInstructionSetPlain && bb_best_instruction_set() != BBInstructionSetPlain) {
        bb_expand_rgb_sse41(source, destination, pixel_count, swaps);
        return;
    }
#else
    (void)instruction_set;
#endif
    bb_expand_rgb_plain(source, destination, pixel_count, swaps);
}

void bb_expand_gray_alpha(const uint8_t *source, uint8_t *destination, size_t pixel_count) {
    for (size_t i = 0; i < pixel_count; i++) {
        bb_store_pixel(source[2 * i] * 0x00010101u | (uint32_t)source[2 * i + 1] << 24, destination + 4 * i);
    }
}

bool bb_look_up(const uint8_t *source, int bits, const uint32_t *table, uint8_t *destination, size_t pixel_count) {
    if (bits != 1 && bits != 2 && bits != 4 && bits != 8) return false;
    size_t per_byte = 8 / (size_t)bits;
    uint8_t mask = (uint8_t)((1 << bits) - 1);
    if (bits == 8) {
        for (size_t i = 0; i < pixel_count; i++) bb_store_pixel(table[source[i]], destination + 4 * i);
        return true;
    }
    for (size_t i = 0; i < pixel_count; i++) {
        size_t shift = (per_byte - 1 - i % per_byte) * (size_t)bits;
        bb_store_pixel(table[source[i / per_byte] >> shift & mask], destination + 4 * i);
    }
    return true;
}

void bb_replace_pixel(uint8_t *pixels, size_t pixel_count, uint32_t pixel, uint32_t replacement) {
    for (size_t i = 0; i < pixel_count; i++) {
        uint32_t found = bb_load_pixel(pixels + 4 * i);
        bb_store_pixel(found == pixel ? replacement : found, pixels + 4 * i);
    }
}
