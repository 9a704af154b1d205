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
        uint8_t *pixel = pixels + i, alpha = pixel[3], blue = pixel[0], green = pixel[1], red = pixel[2];
        if (alpha == 0) continue;
        if (alpha < 255) blue = bb_straight(blue, alpha), green = bb_straight(green, alpha), red = bb_straight(red, alpha);
        Components colors = plan.blue * curve[blue] + plan.green * curve[green] + plan.red * curve[red];
        store(colors * alpha, alpha, pixel);
    }
}

void bb_look_up_components(const uint8_t *blue, const uint8_t *green, const uint8_t *red, uint8_t *pixels,
                           size_t pixel_count) {
    for (size_t i = 0; i < 4 * pixel_count; i += 4) {
        uint8_t *pixel = pixels + i, alpha = pixel[3];
        if (alpha == 0) continue;
        if (alpha < 255) {
            for (int color = 0; color < 3; color++) pixel[color] = bb_straight(pixel[color], alpha);
        }
        pixel[0] = blue[pixel[0]];
        pixel[1] = green[pixel[1]];
        pixel[2] = red[pixel[2]];
        if (alpha < 255) bb_store_pixel(bb_multiplied_by_fourth(bb_load_pixel(pixel)), pixel);
    }
}
