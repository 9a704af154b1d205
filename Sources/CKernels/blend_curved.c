#include "blend_kernels.h"

#include <math.h>

// Components and alphas from 0 to 1, premultiplied. Each function gives the product of both alphas with what the mode
// makes of the two colours.

static inline float color_dodge(float s, float d, float s_alpha, float d_alpha) {
    if (d <= 0) return 0;
    if (s >= s_alpha) return s_alpha * d_alpha;
    return fminf(s_alpha * d_alpha, d * s_alpha * s_alpha / (s_alpha - s));
}

static inline float color_burn(float s, float d, float s_alpha, float d_alpha) {
    if (d >= d_alpha) return s_alpha * d_alpha;
    if (s <= 0) return 0;
    return s_alpha * d_alpha - fminf(s_alpha * d_alpha, (d_alpha - d) * s_alpha * s_alpha / s);
}

/// The curve of the standard towards which a light source bends.
static inline float softened(float color) {
    return color <= 0.25f ? ((16 * color - 12) * color + 4) * color : sqrtf(color);
}

static inline float soft_light(float s, float d, float s_alpha, float d_alpha) {
    if (s_alpha <= 0 || d_alpha <= 0) return 0;
    float source = s / s_alpha, color = d / d_alpha;
    float change = source <= 0.5f ? color * (1 - color) : softened(color) - color;
    return s_alpha * d_alpha * (color + (2 * source - 1) * change);
}

static inline float overlapping(BBBlendMode mode, float s, float d, float s_alpha, float d_alpha) {
    switch (mode) {
    case BBBlendColorDodge: return color_dodge(s, d, s_alpha, d_alpha);
    case BBBlendColorBurn: return color_burn(s, d, s_alpha, d_alpha);
    default: return soft_light(s, d, s_alpha, d_alpha);
    }
}

/// At most `limit`, so that no rounding makes a colour exceed its alpha.
static inline uint8_t byte(float value, uint8_t limit) {
    float rounded = value * 255 + 0.5f;
    return rounded >= (float)limit ? limit : rounded > 0 ? (uint8_t)rounded : 0;
}

static inline void blend_pixel(BBBlendMode mode, float opacity, const uint8_t *source, uint8_t *destination) {
    float s_alpha = source[3] * (opacity / 255), d_alpha = destination[3] / 255.0f;
    uint8_t alpha = byte(s_alpha + d_alpha - s_alpha * d_alpha, 255);
    for (int i = 0; i < 3; i++) {
        float s = source[i] * (opacity / 255), d = destination[i] / 255.0f;
        float apart = s * (1 - d_alpha) + d * (1 - s_alpha);
        destination[i] = byte(apart + overlapping(mode, s, d, s_alpha, d_alpha), alpha);
    }
    destination[3] = alpha;
}

void bb_blend_row_curved(BBBlendMode mode, uint8_t opacity, const uint8_t *source, uint8_t *destination,
                         size_t pixel_count) {
    for (size_t i = 0; i < 4 * pixel_count; i += 4) {
        blend_pixel(mode, opacity / 255.0f, source + i, destination + i);
    }
}
