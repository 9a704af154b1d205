#include "unfilter_kernels.h"

void bb_unfilter_sub_plain(uint8_t *row, const uint8_t *previous, size_t byte_count, size_t bytes_per_pixel) {
    (void)previous;
    for (size_t i = bytes_per_pixel; i < byte_count; i++) row[i] = (uint8_t)(row[i] + row[i - bytes_per_pixel]);
}

void bb_unfilter_up_plain(uint8_t *row, const uint8_t *previous, size_t byte_count, size_t bytes_per_pixel) {
    (void)bytes_per_pixel;
    for (size_t i = 0; i < byte_count; i++) row[i] = (uint8_t)(row[i] + previous[i]);
}

void bb_unfilter_average_plain(uint8_t *row, const uint8_t *previous, size_t byte_count, size_t bytes_per_pixel) {
    for (size_t i = 0; i < byte_count; i++) {
        unsigned left = i < bytes_per_pixel ? 0 : row[i - bytes_per_pixel];
        row[i] = (uint8_t)(row[i] + (left + previous[i]) / 2);
    }
}

static int distance(int a, int b) {
    return a < b ? b - a : a - b;
}

/// Whichever of the three neighbours is nearest to left + above − corner; the first of those equally near.
static uint8_t predicted(uint8_t left, uint8_t above, uint8_t corner) {
    int to_left = distance(above, corner), to_above = distance(left, corner);
    int to_corner = distance(left + above, 2 * corner);
    if (to_left <= to_above && to_left <= to_corner) return left;
    return to_above <= to_corner ? above : corner;
}

void bb_unfilter_paeth_plain(uint8_t *row, const uint8_t *previous, size_t byte_count, size_t bytes_per_pixel) {
    for (size_t i = 0; i < byte_count; i++) {
        bool is_first = i < bytes_per_pixel;
        uint8_t left = is_first ? 0 : row[i - bytes_per_pixel], corner = is_first ? 0 : previous[i - bytes_per_pixel];
        row[i] = (uint8_t)(row[i] + predicted(left, previous[i], corner));
    }
}
