#include "resample_kernels.h"

#include <stdlib.h>

struct BBResampler {
    BBAxis horizontal;
    BBAxis vertical;
    BBResampleKernels kernels;
    bool is_opaque;
    /// Which axis goes first; the result of it is only ever a few rows.
    bool is_vertical_first;
};

/// One call's images, and its working memory.
typedef struct {
    const BBResampler *resampler;
    const uint8_t *source;
    size_t source_bytes_per_row;
    /// The rows a destination row is made of.
    const uint8_t **window;
    /// Vertical first: one row as wide as the source. Horizontal first: a row of the destination's width for each row
    /// of a window, where source row `i` goes to slot `i % capacity`.
    uint8_t *rows;
    /// Which source row is in each slot.
    size_t *row_in_slot;
} BBPass;

// MARK: Preparing

static BBResampleKernels kernels_for(BBInstructionSet wanted) {
#if defined(__x86_64__)
    BBInstructionSet best = bb_best_instruction_set();
    BBInstructionSet usable = wanted < best ? wanted : best;
    if (usable == BBInstructionSetAVX2) return (BBResampleKernels){bb_vertical_avx2, bb_horizontal_avx2};
    if (usable == BBInstructionSetSSE41) return (BBResampleKernels){bb_vertical_sse41, bb_horizontal_sse41};
#else
    (void)wanted;
#endif
    return (BBResampleKernels){bb_vertical_plain, bb_horizontal_plain};
}

/// Compares the multiplications of both orders. Those along a row count twice: they make poorer use of the vectors.
static bool is_vertical_first(const BBAxis *horizontal, const BBAxis *vertical) {
    double along_row = 2.0 * (double)horizontal->length * (double)horizontal->capacity;
    double across_rows = (double)vertical->length * (double)vertical->capacity;
    double vertical_first = across_rows * (double)horizontal->source_length + along_row * (double)vertical->length;
    double horizontal_first = along_row * (double)vertical->source_length + across_rows * (double)horizontal->length;
    return vertical_first <= horizontal_first;
}

static bool is_length_allowed(size_t length) {
    return length > 0 && length <= BB_LONGEST_SIDE;
}

static bool is_size_allowed(BBPixelSize size) {
    return is_length_allowed(size.width) && is_length_allowed(size.height);
}

BBResampler *bb_resampler_create(BBPixelSize source, BBPixelSize destination, BBResampleFilter filter, bool is_opaque,
                                 BBInstructionSet instruction_set) {
    if (!is_size_allowed(source) || !is_size_allowed(destination) || filter > BBResampleLanczos3) return NULL;
    BBResampler *resampler = calloc(1, sizeof *resampler);
    if (!resampler) return NULL;
    resampler->kernels = kernels_for(instruction_set);
    resampler->is_opaque = is_opaque;
    if (!bb_axis_make(&resampler->horizontal, source.width, destination.width, filter)
        || !bb_axis_make(&resampler->vertical, source.height, destination.height, filter)) {
        bb_resampler_destroy(resampler);
        return NULL;
    }
    resampler->is_vertical_first = is_vertical_first(&resampler->horizontal, &resampler->vertical);
    return resampler;
}

void bb_resampler_destroy(BBResampler *resampler) {
    if (!resampler) return;
    bb_axis_free(&resampler->horizontal);
    bb_axis_free(&resampler->vertical);
    free(resampler);
}

// MARK: Working memory

static void pass_free(BBPass *pass) {
    free(pass->window);
    free(pass->rows);
    free(pass->row_in_slot);
}

static bool pass_make(BBPass *pass, const BBResampler *resampler, const uint8_t *source, size_t source_bytes_per_row) {
    size_t slot_count = resampler->is_vertical_first ? 1 : resampler->vertical.capacity;
    size_t width = resampler->is_vertical_first ? resampler->horizontal.source_length : resampler->horizontal.length;
    *pass = (BBPass){.resampler = resampler, .source = source, .source_bytes_per_row = source_bytes_per_row};
    pass->window = calloc(resampler->vertical.capacity, sizeof *pass->window);
    pass->rows = calloc(slot_count, 4 * width);
    pass->row_in_slot = calloc(slot_count, sizeof *pass->row_in_slot);
    if (!pass->window || !pass->rows || !pass->row_in_slot) return false;
    for (size_t slot = 0; slot < slot_count; slot++) pass->row_in_slot[slot] = SIZE_MAX;
    return true;
}

// MARK: Rows

static const uint8_t *source_row(const BBPass *pass, size_t index) {
    return pass->source + index * pass->source_bytes_per_row;
}

/// A source row at the destination's width. Neighbouring destination rows share most of theirs.
static const uint8_t *resampled_source_row(const BBPass *pass, size_t index) {
    const BBResampler *resampler = pass->resampler;
    size_t slot = index % resampler->vertical.capacity;
    uint8_t *row = pass->rows + slot * 4 * resampler->horizontal.length;
    if (pass->row_in_slot[slot] != index) {
        resampler->kernels.horizontal(&resampler->horizontal, source_row(pass, index), row);
        pass->row_in_slot[slot] = index;
    }
    return row;
}

static BBWeightedRows weighted_rows(const BBPass *pass, size_t y) {
    const BBAxis *axis = &pass->resampler->vertical;
    bool is_vertical_first = pass->resampler->is_vertical_first;
    BBWindow window = axis->windows[y];
    for (size_t i = 0; i < window.count; i++) {
        size_t index = window.first + i;
        pass->window[i] = is_vertical_first ? source_row(pass, index) : resampled_source_row(pass, index);
    }
    if (window.count % 2 == 1) pass->window[window.count] = pass->window[0];
    return (BBWeightedRows){pass->window, bb_axis_coefficients(axis, y), (window.count + 1) / 2};
}

static void resample_row(const BBPass *pass, size_t y, uint8_t *destination) {
    const BBResampler *resampler = pass->resampler;
    const BBResampleKernels *kernels = &resampler->kernels;
    BBWeightedRows weighted = weighted_rows(pass, y);
    if (!resampler->is_vertical_first) {
        kernels->vertical(weighted, destination, 0, 4 * resampler->horizontal.length);
        return;
    }
    kernels->vertical(weighted, pass->rows, 0, 4 * resampler->horizontal.source_length);
    kernels->horizontal(&resampler->horizontal, pass->rows, destination);
}

static uint8_t smaller(uint8_t a, uint8_t b) {
    return a < b ? a : b;
}

/// Filters with negative lobes overshoot by each channel alone, so colour can come out above alpha.
static void limit_to_alpha(uint8_t *row, size_t width) {
    for (size_t i = 0; i < 4 * width; i += 4) {
        row[i] = smaller(row[i], row[i + 3]);
        row[i + 1] = smaller(row[i + 1], row[i + 3]);
        row[i + 2] = smaller(row[i + 2], row[i + 3]);
    }
}

static void make_opaque(uint8_t *row, size_t width) {
    for (size_t i = 0; i < width; i++) row[4 * i + 3] = 255;
}

// MARK: Running

/// Whether an image of these rows can be in memory: then no offset into it overflows.
static bool are_rows_allowed(size_t width, size_t height, size_t bytes_per_row) {
    return bytes_per_row >= 4 * width && bytes_per_row <= PTRDIFF_MAX / height;
}

static bool is_run_allowed(const BBResampler *resampler, size_t source_bytes_per_row,
                           size_t destination_bytes_per_row, size_t first_row, size_t row_count) {
    const BBAxis *horizontal = &resampler->horizontal, *vertical = &resampler->vertical;
    return first_row <= vertical->length && row_count <= vertical->length - first_row
        && are_rows_allowed(horizontal->source_length, vertical->source_length, source_bytes_per_row)
        && are_rows_allowed(horizontal->length, vertical->length, destination_bytes_per_row);
}

bool bb_resampler_run(const BBResampler *resampler, const uint8_t *source, size_t source_bytes_per_row,
                      uint8_t *destination, size_t destination_bytes_per_row, size_t first_row, size_t row_count) {
    if (!is_run_allowed(resampler, source_bytes_per_row, destination_bytes_per_row, first_row, row_count)) return false;
    BBPass pass;
    bool is_made = pass_make(&pass, resampler, source, source_bytes_per_row);
    for (size_t y = first_row; is_made && y < first_row + row_count; y++) {
        uint8_t *row = destination + y * destination_bytes_per_row;
        resample_row(&pass, y, row);
        if (resampler->is_opaque) make_opaque(row, resampler->horizontal.length);
        else limit_to_alpha(row, resampler->horizontal.length);
    }
    pass_free(&pass);
    return is_made;
}
