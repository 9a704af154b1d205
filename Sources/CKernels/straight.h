#pragma once

#include <stdint.h>

/// 2²⁴ ÷ alpha, a little too large: one division for three colours. The excess stays below one part in 2²⁴, too little
/// to lift any quotient of the numerators here (at most 255 × 255 + 127) to the next integer.
static inline uint32_t bb_reciprocal(uint8_t alpha) { return alpha == 0 ? 0 : ((uint32_t)1 << 24) / alpha + 1; }

/// A colour as it was before it was multiplied with alpha: to the nearest, at most 255; without alpha it is 0.
static inline uint8_t bb_straight(uint8_t color, uint8_t alpha, uint32_t reciprocal) {
    uint32_t numerator = (uint32_t)color * 255 + alpha / 2;
    uint64_t result = ((uint64_t)numerator * reciprocal) >> 24;
    return result > 255 ? 255 : (uint8_t)result;
}

/// The first three bytes of a pixel as they were before they were multiplied with the fourth.
static inline uint32_t bb_straight_pixel(uint32_t pixel) {
    uint8_t alpha = (uint8_t)(pixel >> 24);
    uint32_t scale = bb_reciprocal(alpha), result = pixel & 0xFF000000;
    for (int shift = 0; shift < 24; shift += 8) {
        result |= (uint32_t)bb_straight((uint8_t)(pixel >> shift), alpha, scale) << shift;
    }
    return result;
}
