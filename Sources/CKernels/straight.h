#pragma once

#include <stdint.h>

/// A colour as it was before it was multiplied with alpha, which is not 0. To the nearest, and at most 255.
static inline uint8_t bb_straight(uint8_t color, uint8_t alpha) {
    unsigned value = (color * 255u + alpha / 2u) / alpha;
    return value < 255 ? (uint8_t)value : 255;
}
