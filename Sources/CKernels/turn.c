#include "CKernels.h"
#include "pixel.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// A tile is made of one cache line of each of its source rows, so that every line is fetched once and used up, and has
/// few enough rows of the destination that all of them are being written at once.
enum { TileWidth = 64, TileHeight = 16, BlockSide = 4 };

static inline size_t smaller(size_t first, size_t second) {
    return first < second ? first : second;
}

static void transpose_pixels(const uint8_t *source, ptrdiff_t source_step, uint8_t *destination,
                             ptrdiff_t destination_step, size_t width, size_t height) {
    for (size_t y = 0; y < height; y++) {
        uint8_t *row = destination + (ptrdiff_t)y * destination_step;
        for (size_t x = 0; x < width; x++) {
            bb_store_pixel(bb_load_pixel(source + (ptrdiff_t)x * source_step + 4 * (ptrdiff_t)y), row + 4 * x);
        }
    }
}

/// Four rows of four pixels.
static inline void transpose_block(const uint8_t *source, ptrdiff_t source_step, uint8_t *destination,
                                   ptrdiff_t destination_step) {
#if defined(__SSE2__)
    __m128i first = _mm_loadu_si128((const __m128i *)source);
    __m128i second = _mm_loadu_si128((const __m128i *)(source + source_step));
    __m128i third = _mm_loadu_si128((const __m128i *)(source + 2 * source_step));
    __m128i fourth = _mm_loadu_si128((const __m128i *)(source + 3 * source_step));
    __m128i upper_left = _mm_unpacklo_epi32(first, second), upper_right = _mm_unpackhi_epi32(first, second);
    __m128i lower_left = _mm_unpacklo_epi32(third, fourth), lower_right = _mm_unpackhi_epi32(third, fourth);
    _mm_storeu_si128((__m128i *)destination, _mm_unpacklo_epi64(upper_left, lower_left));
    _mm_storeu_si128((__m128i *)(destination + destination_step), _mm_unpackhi_epi64(upper_left, lower_left));
    _mm_storeu_si128((__m128i *)(destination + 2 * destination_step), _mm_unpacklo_epi64(upper_right, lower_right));
    _mm_storeu_si128((__m128i *)(destination + 3 * destination_step), _mm_unpackhi_epi64(upper_right, lower_right));
#else
    transpose_pixels(source, source_step, destination, destination_step, BlockSide, BlockSide);
#endif
}

static void transpose_tile(const uint8_t *source, ptrdiff_t source_step, uint8_t *destination,
                           ptrdiff_t destination_step, size_t width, size_t height) {
    size_t inner_width = width - width % BlockSide, inner_height = height - height % BlockSide;
    for (size_t x = 0; x < inner_width; x += BlockSide) {
        const uint8_t *rows = source + (ptrdiff_t)x * source_step;
        for (size_t y = 0; y < inner_height; y += BlockSide) {
            transpose_block(rows + 4 * y, source_step, destination + (ptrdiff_t)y * destination_step + 4 * x,
                            destination_step);
        }
    }
    transpose_pixels(source + (ptrdiff_t)inner_width * source_step, source_step, destination + 4 * inner_width,
                     destination_step, width - inner_width, inner_height);
    transpose_pixels(source + 4 * inner_height, source_step, destination + (ptrdiff_t)inner_height * destination_step,
                     destination_step, width, height - inner_height);
}

void bb_transpose(const uint8_t *source, ptrdiff_t source_step, uint8_t *destination, ptrdiff_t destination_step,
                  size_t width, size_t height) {
    for (size_t y = 0; y < height; y += TileHeight) {
        for (size_t x = 0; x < width; x += TileWidth) {
            transpose_tile(source + (ptrdiff_t)x * source_step + 4 * y, source_step,
                           destination + (ptrdiff_t)y * destination_step + 4 * x, destination_step,
                           smaller(width - x, TileWidth), smaller(height - y, TileHeight));
        }
    }
}

void bb_mirror_row(const uint8_t *source, uint8_t *destination, size_t pixel_count) {
    const uint8_t *end = source + 4 * pixel_count;
    for (size_t i = 0; i < pixel_count; i++) {
        bb_store_pixel(bb_load_pixel(end - 4 - 4 * i), destination + 4 * i);
    }
}
