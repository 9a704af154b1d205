#include "CKernels.h"
#include "pixel.h"
#include "straight.h"

typedef float Components __attribute__((vector_size(16)));
typedef int32_t Levels __attribute__((vector_size(16)));
typedef uint8_t Bytes __attribute__((vector_size(4)));

/// What one unit of blue, green and red becomes. The alpha of what they become is none.
typedef struct {
    Components blue, green, red;
} Columns;

static Columns columns(const float *m) {
    return (Columns){{m[8], m[5], m[2], 0}, {m[7], m[4], m[1], 0}, {m[6], m[3], m[0], 0}};
}

/// To the nearest; colours are kept between 0 and alpha.
static inline void store(Components colors, uint8_t alpha, uint8_t *pixel) {
    Components none = {0}, most = none + (float)alpha;
    Components clamped = __builtin_elementwise_min(__builtin_elementwise_max(colors, none), most);
    Levels levels = __builtin_convertvector(clamped + 0.5f, Levels);
    levels[3] = alpha;
    Bytes bytes = __builtin_convertvector(levels, Bytes);
    memcpy(pixel, &bytes, sizeof bytes);
}

void bb_transform_colors(const float *matrix, uint8_t *pixels, size_t pixel_count) {
    const Columns plan = columns(matrix);
    for (size_t i = 0; i < 4 * pixel_count; i += 4) {
        uint8_t *pixel = pixels + i;
        store(plan.blue * pixel[0] + plan.green * pixel[1] + plan.red * pixel[2], pixel[3], pixel);
    }
}

void bb_adjust_colors(const float *curve, const float *matrix, uint8_t *pixels, size_t pixel_count) {
    const Columns plan = columns(matrix);
    for (size_t i = 0; i < 4 * pixel_count; i += 4) {
        uint32_t pixel = bb_load_pixel(pixels + i), color = pixel;
        if (pixel < 0x01000000) continue;
        if (pixel < 0xFF000000) color = bb_straight_pixel(pixel);
        Components colors = plan.blue * curve[color & 255] + plan.green * curve[color >> 8 & 255] +
                            plan.red * curve[color >> 16 & 255];
        store(colors * (float)(pixel >> 24), (uint8_t)(pixel >> 24), pixels + i);
    }
}

void bb_look_up_components(const uint8_t *blue, const uint8_t *green, const uint8_t *red, uint8_t *pixels,
                           size_t pixel_count) {
    for (size_t i = 0; i < 4 * pixel_count; i += 4) {
        uint32_t pixel = bb_load_pixel(pixels + i), color = pixel;
        if (pixel < 0x01000000) continue;
        if (pixel < 0xFF000000) color = bb_straight_pixel(pixel);
        uint32_t result = blue[color & 255] | (uint32_t)green[color >> 8 & 255] << 8 |
                          (uint32_t)red[color >> 16 & 255] << 16 | (pixel & 0xFF000000);
        bb_store_pixel(pixel < 0xFF000000 ? bb_multiplied_by_fourth(result) : result, pixels + i);
    }
}
