#include "CKernels.h"
#include "pixel.h"

void bb_cmyk_to_bgra(const uint8_t *source, uint8_t *destination, size_t pixel_count, bool is_inverted) {
    // A colour is the light that its ink leaves, times the light that black leaves. Inverted files store just that.
    uint32_t ink_to_light = is_inverted ? 0 : 0xFFFFFFFF;
    for (size_t i = 0; i < pixel_count; i++) {
        uint32_t light = bb_load_pixel(source + 4 * i) ^ ink_to_light;
        uint32_t pixel = bb_red_and_blue_swapped(bb_multiplied_by_fourth(light));
        bb_store_pixel(pixel | 0xFF000000, destination + 4 * i);
    }
}
