#include "resample_kernels.h"

/// A sum of products, rounded back to a byte.
static uint8_t byte_from(int32_t sum) {
    int32_t rounded = sum + BBCoefficientHalf;
    if (rounded < 0) return 0;
    int32_t value = rounded >> BBCoefficientBits;
    return value > 255 ? 255 : (uint8_t)value;
}

void bb_vertical_plain(BBWeightedRows weighted, uint8_t *destination, size_t start, size_t end) {
    for (size_t x = start; x < end; x++) {
        int32_t sum = 0;
        for (size_t i = 0; i < 2 * weighted.pair_count; i++) sum += weighted.rows[i][x] * weighted.coefficients[i];
        destination[x] = byte_from(sum);
    }
}

static void resample_pixel(const uint8_t *source, const int16_t *coefficients, size_t count, uint8_t *destination) {
    int32_t sums[4] = {0};
    for (size_t i = 0; i < count; i++) {
        for (size_t channel = 0; channel < 4; channel++) sums[channel] += source[4 * i + channel] * coefficients[i];
    }
    for (size_t channel = 0; channel < 4; channel++) destination[channel] = byte_from(sums[channel]);
}

void bb_horizontal_plain(const BBAxis *axis, const uint8_t *source, uint8_t *destination) {
    for (size_t x = 0; x < axis->length; x++) {
        BBWindow window = axis->windows[x];
        const uint8_t *first = source + 4 * (size_t)window.first;
        resample_pixel(first, bb_axis_coefficients(axis, x), window.count, destination + 4 * x);
    }
}
