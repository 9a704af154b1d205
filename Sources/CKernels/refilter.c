#include "CKernels.h"

#include <string.h>

// The neighbours that a filter compares are all known when a file is written, so that compilers make vector code of each
// loop here by themselves.

static uint8_t nearest(int left, int above, int corner) {
    int to_left = above - corner, to_above = left - corner, to_corner = to_left + to_above;
    to_left = to_left < 0 ? -to_left : to_left;
    to_above = to_above < 0 ? -to_above : to_above;
    to_corner = to_corner < 0 ? -to_corner : to_corner;
    int other = to_above <= to_corner ? above : corner;
    return (uint8_t)(to_left <= to_above && to_left <= to_corner ? left : other);
}

/// The first pixel has nothing to its left.
static void filter_beginning(uint8_t filter, const uint8_t *row, const uint8_t *previous, size_t count,
                             uint8_t *result) {
    for (size_t i = 0; i < count; i++) {
        uint8_t half = filter == 3 ? previous[i] / 2 : 0;
        uint8_t whole = filter == 2 || filter == 4 ? previous[i] : 0;
        result[i] = (uint8_t)(row[i] - half - whole);
    }
}

static void filter_row(uint8_t filter, const uint8_t *row, const uint8_t *previous, size_t count, size_t step,
                       uint8_t *result) {
    size_t beginning = step < count ? step : count;
    filter_beginning(filter, row, previous, beginning, result);
    size_t rest = count - beginning;
    const uint8_t *here = row + beginning, *above = previous + beginning;
    uint8_t *out = result + beginning;
    switch (filter) {
    case 0: memcpy(out, here, rest); break;
    case 1:
        for (size_t i = 0; i < rest; i++) out[i] = (uint8_t)(here[i] - row[i]);
        break;
    case 2:
        for (size_t i = 0; i < rest; i++) out[i] = (uint8_t)(here[i] - above[i]);
        break;
    case 3:
        for (size_t i = 0; i < rest; i++) out[i] = (uint8_t)(here[i] - (row[i] + above[i]) / 2);
        break;
    default:
        for (size_t i = 0; i < rest; i++) out[i] = (uint8_t)(here[i] - nearest(row[i], above[i], previous[i]));
    }
}

/// How far the bytes are from 0, those over 127 taken for negative.
static uint64_t weight(const uint8_t *bytes, size_t count) {
    uint64_t sum = 0;
    for (size_t start = 0; start < count; start += 1 << 16) {
        size_t end = count - start < 1 << 16 ? count : start + (1 << 16);
        uint32_t part = 0;
        for (size_t i = start; i < end; i++) part += bytes[i] < 128 ? bytes[i] : 256u - bytes[i];
        sum += part;
    }
    return sum;
}

void bb_filter_row(uint8_t filters, const uint8_t *row, const uint8_t *previous, size_t byte_count,
                   size_t bytes_per_pixel, uint8_t *scratch, uint8_t *result) {
    uint64_t least = UINT64_MAX;
    for (uint8_t filter = 0; filter < 5; filter++) {
        if (!(filters >> filter & 1)) continue;
        filter_row(filter, row, previous, byte_count, bytes_per_pixel, scratch);
        uint64_t sum = filters == 1 << filter ? 0 : weight(scratch, byte_count);
        if (sum >= least) continue;
        least = sum;
        result[0] = filter;
        memcpy(result + 1, scratch, byte_count);
    }
}
