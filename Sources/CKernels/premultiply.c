#include "CKernels.h"
#include "pixel.h"

void bb_premultiply_rgba_to_bgra(const uint8_t *source, uint8_t *destination, size_t pixel_count) {
    for (size_t i = 0; i < pixel_count; i++) {
        uint32_t pixel = bb_multiplied_by_fourth(bb_load_pixel(source + 4 * i));
        bb_store_pixel(bb_red_and_blue_swapped(pixel), destination + 4 * i);
    }
}

void bb_premultiply_bgra(uint8_t *pixels, size_t pixel_count) {
    for (size_t i = 0; i < pixel_count; i++) {
        bb_store_pixel(bb_multiplied_by_fourth(bb_load_pixel(pixels + 4 * i)), pixels + 4 * i);
    }
}
