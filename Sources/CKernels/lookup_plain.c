#include "lookup_kernels.h"
#include "pixel.h"

/// Of two numbers that stand for 0 to 1, to the nearest.
static inline int32_t product(int32_t one, int32_t other) { return (one * other + (1 << 14)) >> 15; }

/// Within 16 bits.
static inline int32_t limited(int32_t value) { return value < -32768 ? -32768 : value > 32767 ? 32767 : value; }

static inline uint32_t looked_up(const BBColorLookup *lookup, uint32_t pixel) {
    BBLookupPlace blue = lookup->places[pixel & 255], green = lookup->places[256 + (pixel >> 8 & 255)];
    BBLookupPlace red = lookup->places[512 + (pixel >> 16 & 255)];
    const int16_t *front = lookup->entries + 12 * ((size_t)blue.offset + green.offset + red.offset);
    const int16_t *back = front + 12 * lookup->side * lookup->side;
    const int32_t weights[4] = {product(red.near, green.near), product(red.far, green.near),
                                product(red.near, green.far), product(red.far, green.far)};
    uint32_t result = 0xFF000000;
    for (int color = 0; color < 3; color++) {
        int32_t sum = 0;
        for (int corner = 0; corner < 4; corner++) {
            int32_t behind = product(weights[corner], blue.far);
            sum += front[4 * color + corner] * (weights[corner] - behind) + back[4 * color + corner] * behind;
        }
        int32_t before = product((int32_t)(pixel >> 8 * color & 255) << 7, lookup->rest);
        int32_t value = limited(limited(limited(sum >> 14) + before) + 64) >> 7;
        result |= (uint32_t)(value < 0 ? 0 : value) << 8 * color;
    }
    return result;
}

typedef BBColorLookup Plan;

static inline Plan plan_of(const BBColorLookup *lookup) { return *lookup; }

static inline void look_up(const Plan *plan, uint8_t *pixels) {
    for (int i = 0; i < 16; i += 4) bb_store_pixel(looked_up(plan, bb_load_pixel(pixels + i)), pixels + i);
}

#define BB_TARGET
#define BB_LOOK_UP_COLORS bb_look_up_colors_plain
#include "lookup_rows.h"
