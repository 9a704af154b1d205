#include "axis.h"

#include "filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The source pixels the filter touches around `centre`. The ends are cut, not mirrored: weights are normalised later.
static BBWindow window_around(double centre, double reach, size_t source_length) {
    double first = fmax(floor(centre - reach), 0);
    double end = fmin(ceil(centre + reach), (double)source_length);
    return (BBWindow){.first = (uint32_t)first, .count = (uint32_t)(end - first)};
}

static void weigh(const BBFilter *filter, double centre, BBWindow window, double *weights) {
    for (size_t i = 0; i < window.count; i++) {
        weights[i] = bb_filter_weight(filter, window.first + (double)i + 0.5 - centre);
    }
}

/// Rounds the running sum, not each weight: so coefficients sum to exactly one, and weights too small to round to
/// anything still count together. It also keeps the sum of their magnitudes near that of the weights, below two, so
/// that no sum of products with bytes leaves 32 bits however wide the window is.
static void make_coefficients(const double *weights, size_t count, int16_t *coefficients) {
    double total = 0;
    for (size_t i = 0; i < count; i++) total += weights[i];
    double sum = 0;
    long reached = 0;
    for (size_t i = 0; i < count; i++) {
        sum += weights[i];
        long next = lrint(sum / total * (double)BBCoefficientOne);
        coefficients[i] = (int16_t)(next - reached);
        reached = next;
    }
}

/// Drops the zeros at both ends, which are common: filters fade out, and do not fall on pixel borders.
static void trim(BBWindow *window, int16_t *coefficients) {
    uint32_t skipped = 0;
    while (coefficients[skipped] == 0) skipped++;
    while (coefficients[window->count - 1] == 0) window->count--;
    window->first += skipped;
    window->count -= skipped;
    memmove(coefficients, coefficients + skipped, window->count * sizeof *coefficients);
    memset(coefficients + window->count, 0, skipped * sizeof *coefficients);
}

static void fill(BBAxis *axis, const BBFilter *filter, double scale, double *weights) {
    for (size_t i = 0; i < axis->length; i++) {
        double centre = ((double)i + 0.5) * scale;
        int16_t *coefficients = axis->coefficients + i * axis->capacity;
        BBWindow *window = &axis->windows[i];
        *window = window_around(centre, filter->reach, axis->source_length);
        weigh(filter, centre, *window, weights);
        make_coefficients(weights, window->count, coefficients);
        trim(window, coefficients);
    }
}

static size_t window_capacity(double reach, size_t source_length) {
    size_t widest = (size_t)ceil(2 * reach) + 2;
    size_t count = widest < source_length ? widest : source_length;
    return count + count % 2;
}

bool bb_axis_make(BBAxis *axis, size_t source_length, size_t length, BBResampleFilter kind) {
    double scale = (double)source_length / (double)length;
    BBFilter filter = bb_filter_make(kind, scale);
    size_t capacity = window_capacity(filter.reach, source_length);
    *axis = (BBAxis){.source_length = source_length, .length = length, .capacity = capacity};
    axis->windows = calloc(length, sizeof(BBWindow));
    axis->coefficients = calloc(length, capacity * sizeof(int16_t));
    double *weights = calloc(capacity, sizeof(double));
    bool is_made = axis->windows && axis->coefficients && weights;
    if (is_made) fill(axis, &filter, scale, weights);
    free(weights);
    return is_made;
}

void bb_axis_free(BBAxis *axis) {
    free(axis->windows);
    free(axis->coefficients);
}
