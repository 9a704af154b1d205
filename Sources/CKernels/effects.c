#include "CKernels.h"
#include "pixel.h"

#include <math.h>

static inline int32_t clamped(int32_t value, int32_t highest) {
    return value < 0 ? 0 : value > highest ? highest : value;
}

/// The grey of a colour, with the weights of Rec. 709 in 256ths.
static inline int32_t luma(int32_t blue, int32_t green, int32_t red) {
    return (19 * blue + 183 * green + 54 * red + 128) >> 8;
}

static inline int32_t saturated(int32_t value, int32_t grey, int32_t alpha, int32_t saturation) {
    return clamped(grey + ((saturation * (value - grey) + 128) >> 8), alpha);
}

/// The colour, whose alpha is `strength`, over a component of a pixel, within the pixel's shape; rounded to the nearest.
static inline uint32_t tinted(int32_t value, uint32_t alpha, uint32_t component, uint32_t strength) {
    return ((uint32_t)value * (255 - strength) * 255 + component * strength * alpha + 32512) / 65025;
}

void bb_saturate_and_tint(uint8_t *pixels, size_t pixel_count, int32_t saturation, BBColor tint) {
    for (size_t i = 0; i < pixel_count; i++) {
        uint32_t pixel = bb_load_pixel(pixels + 4 * i), alpha = pixel >> 24;
        int32_t blue = pixel & 255, green = pixel >> 8 & 255, red = pixel >> 16 & 255, all = (int32_t)alpha;
        int32_t grey = luma(blue, green, red);
        uint32_t first = tinted(saturated(blue, grey, all, saturation), alpha, tint.blue, tint.alpha);
        uint32_t second = tinted(saturated(green, grey, all, saturation), alpha, tint.green, tint.alpha);
        uint32_t third = tinted(saturated(red, grey, all, saturation), alpha, tint.red, tint.alpha);
        bb_store_pixel(first | second << 8 | third << 16 | alpha << 24, pixels + 4 * i);
    }
}

/// What a component has more than those around it, at its own alpha, is added `amount` 256ths of once more.
static inline uint32_t sharpened(int32_t value, int32_t blurred, float scale, int32_t alpha, int32_t amount,
                                 int32_t threshold) {
    int32_t difference = value - (int32_t)((float)blurred * scale + 0.5f);
    int32_t size = difference < 0 ? -difference : difference;
    int32_t added = size < threshold ? 0 : (difference * amount + 128) >> 8;
    return (uint32_t)clamped(value + added, alpha);
}

void bb_sharpen(const uint8_t *source, uint8_t *pixels, size_t pixel_count, int32_t amount, int32_t threshold) {
    for (size_t i = 0; i < pixel_count; i++) {
        uint32_t sharp = bb_load_pixel(source + 4 * i), soft = bb_load_pixel(pixels + 4 * i);
        int32_t alpha = (int32_t)(sharp >> 24), soft_alpha = (int32_t)(soft >> 24);
        float scale = (float)alpha / (float)(soft_alpha > 0 ? soft_alpha : 1);
        uint32_t result = sharp & 0xFF000000;
        for (int shift = 0; shift < 24; shift += 8) {
            int32_t value = sharp >> shift & 255, blurred = soft >> shift & 255;
            result |= sharpened(value, blurred, scale, alpha, amount, threshold) << shift;
        }
        bb_store_pixel(result, pixels + 4 * i);
    }
}

typedef struct {
    uint64_t components[4];
} Sums;

static inline void add_pixels(Sums *sums, const uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 4; k++) sums->components[k] += pixels[4 * i + (size_t)k];
    }
}

static inline uint32_t mean(Sums sums, uint64_t count) {
    uint32_t pixel = 0;
    for (int k = 0; k < 4; k++) pixel |= (uint32_t)((sums.components[k] + count / 2) / count) << 8 * k;
    return pixel;
}

/// Everything in `width` columns and `height` rows becomes its mean.
static inline void flatten_block(uint8_t *pixels, size_t bytes_per_row, size_t width, size_t height) {
    Sums sums = {{0, 0, 0, 0}};
    for (size_t y = 0; y < height; y++) add_pixels(&sums, pixels + y * bytes_per_row, width);
    uint32_t pixel = mean(sums, (uint64_t)width * height);
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) bb_store_pixel(pixel, pixels + y * bytes_per_row + 4 * x);
    }
}

void bb_pixelate(uint8_t *pixels, size_t bytes_per_row, size_t width, size_t height, size_t block_width) {
    for (size_t x = 0; x < width; x += block_width) {
        size_t count = width - x < block_width ? width - x : block_width;
        flatten_block(pixels + 4 * x, bytes_per_row, count, height);
    }
}

void bb_sum_pixels(const uint8_t *pixels, size_t pixel_count, uint64_t *sums) {
    Sums total = {{0, 0, 0, 0}};
    add_pixels(&total, pixels, pixel_count);
    for (int k = 0; k < 4; k++) sums[k] += total.components[k];
}

/// How much of the colour a pixel has, from 0 to 256.
static inline uint32_t coverage(BBVignette vignette, float x, float squared_y) {
    float distance = sqrtf(x * x + squared_y);
    float t = (distance - vignette.start) * vignette.slope;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return (uint32_t)(vignette.strength * t * t * (3 - 2 * t) * 256 + 0.5f);
}

static inline uint32_t mixed(uint32_t below, uint32_t component, uint32_t alpha, uint32_t amount) {
    return (below * 255 * (256 - amount) + component * alpha * amount + 32640) / 65280;
}

void bb_vignette_row(uint8_t *pixels, size_t width, BBVignette vignette, float y, BBColor color) {
    float step = vignette.reach * 2 / (float)width;
    for (size_t i = 0; i < width; i++) {
        float x = ((float)i + 0.5f) * step - vignette.reach;
        uint32_t amount = coverage(vignette, x, y * y), pixel = bb_load_pixel(pixels + 4 * i), alpha = pixel >> 24;
        uint32_t blue = mixed(pixel & 255, color.blue, alpha, amount);
        uint32_t green = mixed(pixel >> 8 & 255, color.green, alpha, amount);
        uint32_t red = mixed(pixel >> 16 & 255, color.red, alpha, amount);
        bb_store_pixel(blue | green << 8 | red << 16 | alpha << 24, pixels + 4 * i);
    }
}
