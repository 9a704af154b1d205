#include "lookup_kernels.h"

/// Between two numbers, rounded down.
static inline int32_t between(int32_t near, int32_t far, uint32_t weights) {
    return (near * (int32_t)(weights & 0xFFFF) + far * (int32_t)(weights >> 16)) >> 14;
}

static inline uint8_t clamped(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

static inline uint32_t look_up(const BBColorLookup *lookup, uint32_t pixel) {
    BBLookupPlace blue = lookup->blue[pixel & 255], green = lookup->green[pixel >> 8 & 255];
    BBLookupPlace red = lookup->red[pixel >> 16 & 255];
    const int16_t *entry = lookup->entries + 4 * ((size_t)blue.offset + green.offset + red.offset);
    size_t right = 4, below = 4 * lookup->side, behind = below * lookup->side;
    uint32_t result = 0;
    for (size_t color = 0; color < 3; color++, entry++) {
        int32_t edges[4] = {
            between(entry[0], entry[right], red.weights),
            between(entry[below], entry[below + right], red.weights),
            between(entry[behind], entry[behind + right], red.weights),
            between(entry[behind + below], entry[behind + below + right], red.weights),
        };
        int32_t front = between(edges[0], edges[1], green.weights), back = between(edges[2], edges[3], green.weights);
        int32_t inside = between(front, back, blue.weights), before = (int32_t)(pixel >> 8 * color & 255) * 64;
        int32_t share = (int32_t)lookup->intensity, mixed = before * (BB_LOOKUP_WEIGHT - share) + inside * share;
        result |= (uint32_t)clamped((mixed + (1 << 19)) >> 20) << 8 * color;
    }
    return result;
}

#define BB_TARGET
#define BB_LOOK_UP_COLORS bb_look_up_colors_plain
#include "lookup_rows.h"
