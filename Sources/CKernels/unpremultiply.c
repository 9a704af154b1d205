#include "CKernels.h"
#include "straight.h"

void bb_unpremultiply_bgra_to_rgba(const uint8_t *source, uint8_t *destination, size_t pixel_count) {
    for (size_t i = 0; i < 4 * pixel_count; i += 4) {
        uint8_t blue = source[i], green = source[i + 1], red = source[i + 2], alpha = source[i + 3];
        uint32_t scale = bb_reciprocal(alpha);
        destination[i] = bb_straight(red, alpha, scale);
        destination[i + 1] = bb_straight(green, alpha, scale);
        destination[i + 2] = bb_straight(blue, alpha, scale);
        destination[i + 3] = alpha;
    }
}
