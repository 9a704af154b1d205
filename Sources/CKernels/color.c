#include "CKernels.h"

typedef struct {
    float red, green, blue;
} BBLight;

/// Extended Reinhard above the knee, whose slope it continues; the peak becomes exactly 1.
static float bb_bent(float light, float peak, float knee) {
    if (light >= peak) return 1;
    float room = 1 - knee;
    float above = (light - knee) / room, most = (peak - knee) / room;
    return knee + room * above * (1 + above / (most * most)) / (1 + above);
}

static BBLight bb_scaled(BBLight light, float factor) {
    return (BBLight){light.red * factor, light.green * factor, light.blue * factor};
}

/// 0 to BB_LIGHT_STEPS, whatever the light is.
static float bb_light_step(float light) {
    return light > 0 ? (light < 1 ? light * BB_LIGHT_STEPS : BB_LIGHT_STEPS) : 0;
}

static BBLight bb_with_system_gamma(BBLight light, const BBColorConversion *conversion) {
    const float *weights = conversion->luminance_weights;
    float luminance = weights[0] * light.red + weights[1] * light.green + weights[2] * light.blue;
    return bb_scaled(light, conversion->luminance_factors[(size_t)bb_light_step(luminance)]);
}

static BBLight bb_tone_mapped(BBLight light, const BBColorConversion *conversion) {
    float most = light.red > light.green ? light.red : light.green;
    most = light.blue > most ? light.blue : most;
    if (!(most > conversion->knee)) return light;
    return bb_scaled(light, bb_bent(most, conversion->peak, conversion->knee) / most);
}

static inline BBLight bb_converted(BBLight light, const BBColorConversion *conversion) {
    const float *m = conversion->matrix;
    if (conversion->luminance_factors) light = bb_with_system_gamma(light, conversion);
    light = (BBLight){
        m[0] * light.red + m[1] * light.green + m[2] * light.blue,
        m[3] * light.red + m[4] * light.green + m[5] * light.blue,
        m[6] * light.red + m[7] * light.green + m[8] * light.blue,
    };
    return conversion->peak > 1 ? bb_tone_mapped(light, conversion) : light;
}

static inline BBLight bb_light(const BBColorConversion *conversion, size_t red, size_t green, size_t blue) {
    BBLight light = {conversion->red[red], conversion->green[green], conversion->blue[blue]};
    return bb_converted(light, conversion);
}

static inline uint8_t bb_encoded(float light, const BBColorConversion *conversion) {
    return conversion->encoded[(size_t)(bb_light_step(light) + 0.5f)];
}

static uint16_t bb_encoded_wide(float light, const BBColorConversion *conversion) {
    float step = bb_light_step(light);
    size_t index = (size_t)step;
    if (index >= BB_LIGHT_STEPS) return UINT16_MAX;
    const float *values = conversion->encoded_wide + index;
    return (uint16_t)(values[0] + (values[1] - values[0]) * (step - (float)index) + 0.5f);
}

static inline size_t bb_unpremultiplied(size_t color, size_t alpha) {
    size_t straight = (color * 255 + alpha / 2) / alpha;
    return straight < 255 ? straight : 255;
}

static inline uint8_t bb_premultiplied(size_t color, size_t alpha) { return (uint8_t)((color * alpha + 127) / 255); }

static void bb_convert_translucent(const BBColorConversion *conversion, const uint8_t *source, uint8_t *destination) {
    size_t alpha = source[3];
    BBLight light = bb_light(conversion, bb_unpremultiplied(source[2], alpha), bb_unpremultiplied(source[1], alpha),
                             bb_unpremultiplied(source[0], alpha));
    destination[0] = bb_premultiplied(bb_encoded(light.blue, conversion), alpha);
    destination[1] = bb_premultiplied(bb_encoded(light.green, conversion), alpha);
    destination[2] = bb_premultiplied(bb_encoded(light.red, conversion), alpha);
    destination[3] = (uint8_t)alpha;
}

void bb_convert_colors_bgra8(const BBColorConversion *conversion, const uint8_t *source, uint8_t *destination,
                             size_t pixel_count) {
    for (size_t i = 0; i < 4 * pixel_count; i += 4) {
        if (source[i + 3] == 0) {
            for (size_t byte = i; byte < i + 4; byte++) destination[byte] = 0;
        } else if (source[i + 3] < 255) {
            bb_convert_translucent(conversion, source + i, destination + i);
        } else {
            BBLight light = bb_light(conversion, source[i + 2], source[i + 1], source[i]);
            destination[i] = bb_encoded(light.blue, conversion);
            destination[i + 1] = bb_encoded(light.green, conversion);
            destination[i + 2] = bb_encoded(light.red, conversion);
            destination[i + 3] = 255;
        }
    }
}

void bb_convert_colors_rgba8(const BBColorConversion *conversion, const uint8_t *source, uint8_t *destination,
                             size_t pixel_count) {
    for (size_t i = 0; i < 4 * pixel_count; i += 4) {
        BBLight light = bb_light(conversion, source[i], source[i + 1], source[i + 2]);
        destination[i] = bb_encoded(light.red, conversion);
        destination[i + 1] = bb_encoded(light.green, conversion);
        destination[i + 2] = bb_encoded(light.blue, conversion);
        destination[i + 3] = source[i + 3];
    }
}

void bb_convert_colors_rgba16(const BBColorConversion *conversion, const uint16_t *source, uint16_t *destination,
                              size_t pixel_count) {
    for (size_t i = 0; i < 4 * pixel_count; i += 4) {
        BBLight light = bb_light(conversion, source[i], source[i + 1], source[i + 2]);
        destination[i] = bb_encoded_wide(light.red, conversion);
        destination[i + 1] = bb_encoded_wide(light.green, conversion);
        destination[i + 2] = bb_encoded_wide(light.blue, conversion);
        destination[i + 3] = source[i + 3];
    }
}
