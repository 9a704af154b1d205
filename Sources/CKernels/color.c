#include "CKernels.h"

/// Light of red, green and blue, and the luminance that it had before the matrix.
typedef float BBLight __attribute__((vector_size(16)));
typedef int32_t BBSteps __attribute__((vector_size(16)));

/// What one unit of each of the three lights becomes.
typedef struct {
    BBLight red, green, blue;
} BBColumns;

static BBColumns bb_columns(const BBColorConversion *conversion) {
    const float *m = conversion->matrix, *weights = conversion->luminance_weights;
    return (BBColumns){
        {m[0], m[3], m[6], weights[0]},
        {m[1], m[4], m[7], weights[1]},
        {m[2], m[5], m[8], weights[2]},
    };
}

static inline BBLight bb_clamped(BBLight light) {
    BBLight none = {0, 0, 0, 0}, most = {1, 1, 1, 1};
    return __builtin_elementwise_min(__builtin_elementwise_max(light, none), most);
}

/// Extended Reinhard above the knee, whose slope it continues; the peak becomes exactly 1.
static float bb_bent(float light, float peak, float knee) {
    if (light >= peak) return 1;
    float room = 1 - knee;
    float above = (light - knee) / room, most = (peak - knee) / room;
    return knee + room * above * (1 + above / (most * most)) / (1 + above);
}

/// The factor depends on the luminance before the matrix, but to grow before it and behind it is the same.
static inline BBLight bb_with_system_gamma(BBLight light, const float *luminance_factors) {
    return light * luminance_factors[(size_t)(bb_clamped(light)[3] * BB_LIGHT_STEPS)];
}

static inline BBLight bb_tone_mapped(BBLight light, float peak, float knee) {
    float most = light[0] > light[1] ? light[0] : light[1];
    most = light[2] > most ? light[2] : most;
    return most > knee ? light * (bb_bent(most, peak, knee) / most) : light;
}

static inline BBLight bb_converted(const BBColorConversion *conversion, BBColumns columns, size_t red, size_t green,
                                   size_t blue) {
    BBLight light = columns.red * conversion->red[red] + columns.green * conversion->green[green] +
                    columns.blue * conversion->blue[blue];
    if (conversion->luminance_factors) light = bb_with_system_gamma(light, conversion->luminance_factors);
    if (conversion->peak > 1) light = bb_tone_mapped(light, conversion->peak, conversion->knee);
    return bb_clamped(light) * BB_LIGHT_STEPS;
}

static inline BBSteps bb_nearest_steps(BBLight light) { return __builtin_convertvector(light + 0.5f, BBSteps); }

static inline uint16_t bb_encoded_wide(float light, const float *encoded) {
    size_t index = (size_t)light;
    if (index >= BB_LIGHT_STEPS) return UINT16_MAX;
    const float *values = encoded + index;
    return (uint16_t)(values[0] + (values[1] - values[0]) * (light - (float)index) + 0.5f);
}

static inline size_t bb_unpremultiplied(size_t color, size_t alpha) {
    size_t straight = (color * 255 + alpha / 2) / alpha;
    return straight < 255 ? straight : 255;
}

static inline uint8_t bb_premultiplied(size_t color, size_t alpha) { return (uint8_t)((color * alpha + 127) / 255); }

static void bb_convert_translucent(const BBColorConversion *conversion, BBColumns columns, const uint8_t *source,
                                   uint8_t *destination) {
    size_t alpha = source[3];
    BBSteps steps = bb_nearest_steps(
        bb_converted(conversion, columns, bb_unpremultiplied(source[2], alpha), bb_unpremultiplied(source[1], alpha),
                     bb_unpremultiplied(source[0], alpha)));
    for (int color = 0; color < 3; color++)
        destination[color] = bb_premultiplied(conversion->encoded[steps[2 - color]], alpha);
    destination[3] = (uint8_t)alpha;
}

void bb_convert_colors_bgra8(const BBColorConversion *conversion, const uint8_t *source, uint8_t *destination,
                             size_t pixel_count) {
    const BBColumns columns = bb_columns(conversion);
    const BBColorConversion plan = *conversion;
    for (size_t i = 0; i < 4 * pixel_count; i += 4) {
        if (source[i + 3] == 0) {
            for (size_t byte = i; byte < i + 4; byte++) destination[byte] = 0;
        } else if (source[i + 3] < 255) {
            bb_convert_translucent(&plan, columns, source + i, destination + i);
        } else {
            BBSteps steps = bb_nearest_steps(bb_converted(&plan, columns, source[i + 2], source[i + 1], source[i]));
            destination[i] = plan.encoded[steps[2]];
            destination[i + 1] = plan.encoded[steps[1]];
            destination[i + 2] = plan.encoded[steps[0]];
            destination[i + 3] = 255;
        }
    }
}

void bb_convert_colors_rgba8(const BBColorConversion *conversion, const uint8_t *source, uint8_t *destination,
                             size_t pixel_count) {
    const BBColumns columns = bb_columns(conversion);
    const BBColorConversion plan = *conversion;
    for (size_t i = 0; i < 4 * pixel_count; i += 4) {
        BBSteps steps = bb_nearest_steps(bb_converted(&plan, columns, source[i], source[i + 1], source[i + 2]));
        uint8_t alpha = source[i + 3];
        for (int color = 0; color < 3; color++) destination[i + color] = plan.encoded[steps[color]];
        destination[i + 3] = alpha;
    }
}

void bb_convert_colors_rgba16(const BBColorConversion *conversion, const uint16_t *source, uint16_t *destination,
                              size_t pixel_count) {
    const BBColumns columns = bb_columns(conversion);
    const BBColorConversion plan = *conversion;
    for (size_t i = 0; i < 4 * pixel_count; i += 4) {
        BBLight light = bb_converted(&plan, columns, source[i], source[i + 1], source[i + 2]);
        uint16_t alpha = source[i + 3];
        for (int color = 0; color < 3; color++)
            destination[i + color] = bb_encoded_wide(light[color], plan.encoded_wide);
        destination[i + 3] = alpha;
    }
}
