// Included once for each instruction set, with these defined:
//   BB_TARGET            the attribute of the functions
//   BB_LOOK_UP_COLORS    the name of the function that is made
//   look_up              makes the colour of one opaque pixel; the fourth byte is any

#include "pixel.h"
#include "straight.h"

/// Looked up as it was before it was multiplied with alpha.
BB_TARGET static uint32_t translucent(const BBColorLookup *lookup, uint32_t pixel) {
    uint8_t bytes[4];
    bb_store_pixel(pixel, bytes);
    if (bytes[3] == 0) return 0;
    for (int color = 0; color < 3; color++) bytes[color] = bb_straight(bytes[color], bytes[3]);
    uint32_t result = look_up(lookup, bb_load_pixel(bytes));
    return bb_multiplied_by_fourth((result & 0x00FFFFFF) | (pixel & 0xFF000000));
}

BB_TARGET void BB_LOOK_UP_COLORS(const BBColorLookup *lookup, uint8_t *pixels, size_t pixel_count) {
    const BBColorLookup plan = *lookup;
    for (size_t i = 0; i < 4 * pixel_count; i += 4) {
        uint32_t pixel = bb_load_pixel(pixels + i);
        bool is_opaque = pixel >= 0xFF000000;
        uint32_t result = is_opaque ? look_up(&plan, pixel) | 0xFF000000 : translucent(&plan, pixel);
        bb_store_pixel(result, pixels + i);
    }
}
