// Included once for each instruction set, with these defined:
//   BB_TARGET            the attribute of the functions
//   BB_LOOK_UP_COLORS    the name of the function that is made
//   Plan, plan_of        a lookup made ready
//   look_up              makes the colours of four opaque pixels, in place

#include "straight.h"

#include <string.h>

#define BB_BLOCK 4

/// Looked up as they were before they were multiplied with alpha.
__attribute__((noinline)) BB_TARGET static void look_up_translucent(const Plan *plan, uint8_t *pixels) {
    uint8_t colors[4 * BB_BLOCK];
    for (int i = 0; i < 4 * BB_BLOCK; i += 4) {
        bb_store_pixel(bb_straight_pixel(bb_load_pixel(pixels + i)) | 0xFF000000, colors + i);
    }
    look_up(plan, colors);
    for (int i = 0; i < 4 * BB_BLOCK; i += 4) {
        uint32_t color = bb_load_pixel(colors + i) & 0x00FFFFFF, alpha = bb_load_pixel(pixels + i) & 0xFF000000;
        bb_store_pixel(bb_multiplied_by_fourth(color | alpha), pixels + i);
    }
}

__attribute__((always_inline)) BB_TARGET static inline void look_up_block(const Plan *plan, uint8_t *pixels) {
    const uint64_t alphas = 0xFF000000FF000000;
    uint64_t two[2];
    memcpy(two, pixels, sizeof two);
    if ((two[0] & two[1] & alphas) == alphas) look_up(plan, pixels);
    else if ((two[0] | two[1]) & alphas) look_up_translucent(plan, pixels);
}

BB_TARGET void BB_LOOK_UP_COLORS(const BBColorLookup *lookup, uint8_t *pixels, size_t pixel_count) {
    const Plan plan = plan_of(lookup);
    size_t i = 0;
    for (; i + BB_BLOCK <= pixel_count; i += BB_BLOCK) look_up_block(&plan, pixels + 4 * i);
    uint8_t last[4 * BB_BLOCK] = {0};
    memcpy(last, pixels + 4 * i, 4 * (pixel_count - i));
    look_up_block(&plan, last);
    memcpy(pixels + 4 * i, last, 4 * (pixel_count - i));
}
