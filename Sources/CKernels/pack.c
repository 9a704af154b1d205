#include "CKernels.h"

void bb_pack_bytes(const uint8_t *source, uint8_t *destination, size_t pixel_count, BBPackedBytes kept) {
    for (size_t i = 0; i < pixel_count; i++) {
        for (size_t k = 0; k < kept.count; k++) destination[kept.count * i + k] = source[4 * i + kept.places[k]];
    }
}

void bb_pack_words(const uint16_t *source, uint8_t *destination, size_t pixel_count, size_t kept) {
    for (size_t i = 0; i < pixel_count; i++) {
        for (size_t k = 0; k < kept; k++) {
            destination[2 * (kept * i + k)] = (uint8_t)(source[4 * i + k] >> 8);
            destination[2 * (kept * i + k) + 1] = (uint8_t)source[4 * i + k];
        }
    }
}
