#include "CKernels.h"

/// 2²⁴ ÷ alpha, a little too large: one division for three colours. The excess stays below one part in 2²⁴, too little
/// to lift any quotient of the numerators here (at most 255 × 255 + 127) to the next integer.
static uint32_t reciprocal(uint8_t alpha) {
    return alpha == 0 ? 0 : ((uint32_t)1 << 24) / alpha + 1;
}

static uint8_t quotient(uint8_t colour, uint8_t alpha, uint32_t reciprocal) {
    uint32_t numerator = (uint32_t)colour * 255 + alpha / 2;
    uint64_t result = ((uint64_t)numerator * reciprocal) >> 24;
    return result > 255 ? 255 : (uint8_t)result;
}

void bb_unpremultiply_bgra_to_rgba(const uint8_t *source, uint8_t *destination, size_t pixel_count) {
    for (size_t i = 0; i < 4 * pixel_count; i += 4) {
        uint8_t blue = source[i], green = source[i + 1], red = source[i + 2], alpha = source[i + 3];
        uint32_t scale = reciprocal(alpha);
        destination[i] = quotient(red, alpha, scale);
        destination[i + 1] = quotient(green, alpha, scale);
        destination[i + 2] = quotient(blue, alpha, scale);
        destination[i + 3] = alpha;
    }
}
