#include "CKernels.h"
#include "pixel.h"

/// The parts that four pixels have of one between them; together 256.
typedef struct {
    uint32_t upper_left, upper_right, lower_left, lower_right;
} Shares;

/// From how far right and down it lies, in 256ths. What rounding leaves goes to the first, which has the most room.
static inline Shares shares_at(uint32_t right, uint32_t down) {
    Shares shares;
    shares.lower_right = (right * down + 128) >> 8;
    shares.upper_right = right - shares.lower_right;
    shares.lower_left = down - shares.lower_right;
    shares.upper_left = 256 - right - down + shares.lower_right;
    return shares;
}

/// Two bytes of each pixel at once: no sum is more than 255 × 256 + 128, so that it does not reach the other.
static inline uint32_t mixed_pair(const uint32_t pixels[4], Shares shares, int shift) {
    const uint32_t mask = 0x00FF00FF;
    uint32_t sums = (pixels[0] >> shift & mask) * shares.upper_left + (pixels[1] >> shift & mask) * shares.upper_right
        + (pixels[2] >> shift & mask) * shares.lower_left + (pixels[3] >> shift & mask) * shares.lower_right;
    return (sums + 0x00800080) >> 8 & mask;
}

static inline uint32_t mixed(const uint32_t pixels[4], Shares shares) {
    return mixed_pair(pixels, shares, 0) | mixed_pair(pixels, shares, 8) << 8;
}

static inline bool is_inside(BBPicture picture, int64_t column, int64_t row) {
    return column >= 0 && row >= 0 && (uint64_t)column < picture.width && (uint64_t)row < picture.height;
}

static inline const uint8_t *pixel_at(BBPicture picture, int64_t column, int64_t row) {
    return picture.pixels + (size_t)row * picture.bytes_per_row + 4 * (size_t)column;
}

/// Whether none of the four pixels around a position there is in the picture.
static inline bool is_beyond(BBPicture picture, int64_t column, int64_t row) {
    return column < -1 || row < -1 || column >= (int64_t)picture.width || row >= (int64_t)picture.height;
}

static uint32_t pixel_or_background(BBPicture picture, int64_t column, int64_t row, uint32_t background) {
    return is_inside(picture, column, row) ? bb_load_pixel(pixel_at(picture, column, row)) : background;
}

static inline uint32_t sample(BBPicture picture, int64_t x, int64_t y, uint32_t background) {
    int64_t column = x >> BB_POSITION_BITS, row = y >> BB_POSITION_BITS;
    if (is_beyond(picture, column, row)) return background;
    uint32_t pixels[4];
    if (is_inside(picture, column, row) && is_inside(picture, column + 1, row + 1)) {
        const uint8_t *upper = pixel_at(picture, column, row), *lower = upper + picture.bytes_per_row;
        pixels[0] = bb_load_pixel(upper), pixels[1] = bb_load_pixel(upper + 4);
        pixels[2] = bb_load_pixel(lower), pixels[3] = bb_load_pixel(lower + 4);
    } else {
        pixels[0] = pixel_or_background(picture, column, row, background);
        pixels[1] = pixel_or_background(picture, column + 1, row, background);
        pixels[2] = pixel_or_background(picture, column, row + 1, background);
        pixels[3] = pixel_or_background(picture, column + 1, row + 1, background);
    }
    int shift = BB_POSITION_BITS - 8;
    return mixed(pixels, shares_at((uint32_t)(x >> shift & 255), (uint32_t)(y >> shift & 255)));
}

void bb_sample_row(BBPicture picture, BBLine line, uint32_t background, uint8_t *destination, size_t pixel_count) {
    int64_t x = line.x, y = line.y;
    for (size_t i = 0; i < pixel_count; i++, x += line.x_step, y += line.y_step) {
        bb_store_pixel(sample(picture, x, y, background), destination + 4 * i);
    }
}
