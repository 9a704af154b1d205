#include "CKernels.h"
#include "x86.h"

#include <string.h>

// A Gaussian is three means of neighbours, one after the other. Sixteen lines, rows or columns, go through them
// together: their bytes lie side by side, `Lanes` for each position along the lines, and the compiler makes vector code
// of the loops over them. Between the means a byte has five bits more, so that only the last one rounds to a byte.

enum {
    Lanes = 4 * BB_BLUR_LINES,
    FractionBits = 5,
    Half = 1 << (FractionBits - 1),
};

/// What the lines are made into: `length` positions of `Lanes` words.
typedef struct {
    uint16_t *words;
    size_t length;
} Lines;

static inline const uint16_t *position(Lines lines, size_t index) {
    return lines.words + Lanes * index;
}

/// The position `reach` before `index`, or the first.
static inline const uint16_t *before(Lines lines, size_t index, size_t reach) {
    return position(lines, index > reach ? index - reach : 0);
}

/// The position `reach` behind `index`, or the last.
static inline const uint16_t *behind(Lines lines, size_t index, size_t reach) {
    size_t left = lines.length - 1 - index;
    return position(lines, left > reach ? index + reach : lines.length - 1);
}

static inline void add(int32_t *restrict sums, const uint16_t *restrict words, size_t times) {
    for (size_t lane = 0; lane < Lanes; lane++) sums[lane] += (int32_t)times * words[lane];
}

/// The sums around the first position: what lies before it counts as it does.
static inline void start(int32_t *sums, Lines lines, size_t reach) {
    size_t last = lines.length - 1, end = reach < last ? reach : last;
    memset(sums, 0, Lanes * sizeof *sums);
    add(sums, position(lines, 0), reach);
    for (size_t index = 0; index <= end; index++) add(sums, position(lines, index), 1);
    add(sums, position(lines, last), reach - end);
}

/// Writes the means at one position, and moves the sums on to the next. Both differences fit in 16 bits, in which there
/// are twice as many lanes to a register.
static inline void step(int32_t *restrict sums, BBBoxFilter filter, const uint16_t *restrict edge_before,
                        const uint16_t *restrict leaving, const uint16_t *restrict edge_behind,
                        uint16_t *restrict result) {
#pragma STDC FP_CONTRACT OFF
    for (size_t lane = 0; lane < Lanes; lane++) {
        int16_t edges = (int16_t)(edge_before[lane] + edge_behind[lane]);
        int16_t change = (int16_t)(edge_behind[lane] - leaving[lane]);
        float mean = (float)sums[lane] * filter.whole + (float)edges * filter.edge;
        result[lane] = (uint16_t)(int16_t)(int32_t)(mean + 0.5f);
        sums[lane] += change;
    }
}

static inline void box(BBBoxFilter filter, Lines lines, uint16_t *result) {
    int32_t sums[Lanes];
    start(sums, lines, filter.reach);
    for (size_t index = 0; index < lines.length; index++) {
        step(sums, filter, before(lines, index, filter.reach + 1), before(lines, index, filter.reach),
             behind(lines, index, filter.reach + 1), result + Lanes * index);
    }
}

static inline void three_boxes(BBBoxFilter filter, uint16_t *words, size_t length) {
    uint16_t *other = words + Lanes * length;
    box(filter, (Lines){words, length}, other);
    box(filter, (Lines){other, length}, words);
    box(filter, (Lines){words, length}, other);
}

static void three_boxes_plain(BBBoxFilter filter, uint16_t *words, size_t length) {
    three_boxes(filter, words, length);
}

#if defined(__x86_64__)
__attribute__((flatten)) BB_AVX2 static void three_boxes_avx2(BBBoxFilter filter, uint16_t *words, size_t length) {
    three_boxes(filter, words, length);
}
#endif

static void run(BBBoxFilter filter, uint16_t *words, size_t length, BBInstructionSet instruction_set) {
#if defined(__x86_64__)
    if (instruction_set >= BBInstructionSetAVX2) return three_boxes_avx2(filter, words, length);
#endif
    three_boxes_plain(filter, words, length);
}

size_t bb_blur_scratch_count(size_t length) {
    return 2 * Lanes * length;
}

static inline void widen(const uint8_t *restrict bytes, uint16_t *restrict words, size_t count) {
    for (size_t i = 0; i < count; i++) words[i] = (uint16_t)(bytes[i] << FractionBits);
}

static inline void narrow(const uint16_t *restrict words, uint8_t *restrict bytes, size_t count) {
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)((words[i] + Half) >> FractionBits);
}

void bb_blur_columns(BBBoxFilter filter, uint8_t *pixels, size_t bytes_per_row, size_t height, size_t count,
                     uint16_t *scratch, BBInstructionSet instruction_set) {
    for (size_t y = 0; y < height; y++) widen(pixels + y * bytes_per_row, scratch + Lanes * y, 4 * count);
    run(filter, scratch, height, instruction_set);
    const uint16_t *result = scratch + Lanes * height;
    for (size_t y = 0; y < height; y++) narrow(result + Lanes * y, pixels + y * bytes_per_row, 4 * count);
}

void bb_blur_rows(BBBoxFilter filter, const uint8_t *source, size_t source_bytes_per_row, uint8_t *destination,
                  size_t destination_bytes_per_row, size_t width, size_t count, uint16_t *scratch,
                  BBInstructionSet instruction_set) {
    for (size_t line = 0; line < count; line++) {
        const uint8_t *row = source + line * source_bytes_per_row;
        for (size_t x = 0; x < width; x++) widen(row + 4 * x, scratch + Lanes * x + 4 * line, 4);
    }
    run(filter, scratch, width, instruction_set);
    const uint16_t *result = scratch + Lanes * width;
    for (size_t line = 0; line < count; line++) {
        uint8_t *row = destination + line * destination_bytes_per_row;
        for (size_t x = 0; x < width; x++) narrow(result + Lanes * x + 4 * line, row + 4 * x, 4);
    }
}
