// Included once for each instruction set, with these defined:
//   BB_TARGET            the attribute of the functions
//   BB_BLEND_PIXELS      how many pixels are worked on at once, twice in a row
//   BB_LOWER(narrow)     half of the bytes, widened; the other half is BB_UPPER(narrow)
//   BB_JOINED(one, two)  the bytes of both halves
//   BB_ALPHAS(wide)      each component replaced by the alpha of its pixel
//   BB_DOUBLED           2 for each colour, 1 for each alpha
//   BB_BLEND_ROW         the name of the function that is made
//
// Components are integers from 0 to 255 in 16 bits. A mode gives 255 times what it means. That stays below 65,026 for
// premultiplied pixels; sums on the way there may overflow and come back. So each byte is rounded once, exactly.

#include "blend_kernels.h"

#include <string.h>

typedef uint16_t Wide __attribute__((vector_size(8 * BB_BLEND_PIXELS)));
typedef uint32_t Wider __attribute__((vector_size(16 * BB_BLEND_PIXELS)));
typedef uint8_t Narrow __attribute__((vector_size(8 * BB_BLEND_PIXELS)));

#define BB_INLINE __attribute__((always_inline)) BB_TARGET static inline

/// Divided by 255, to the nearest. Exact up to 255 × 255.
BB_INLINE Wide quotient(Wide product) {
    return __builtin_convertvector((__builtin_convertvector(product + 128, Wider) * 257) >> 16, Wide);
}

BB_INLINE Wide least(Wide one, Wide other) { return __builtin_elementwise_min(one, other); }
BB_INLINE Wide most(Wide one, Wide other) { return __builtin_elementwise_max(one, other); }

/// What is seen of either where the other is not.
BB_INLINE Wide apart(Wide s, Wide d, Wide s_alpha, Wide d_alpha) { return s * (255 - d_alpha) + d * (255 - s_alpha); }

/// The mode hard light; overlay is the same with source and destination exchanged.
BB_INLINE Wide hard_light(Wide s, Wide d, Wide s_alpha, Wide d_alpha) {
    Wide is_dark = (Wide)(s + s <= s_alpha);
    Wide multiplied = 2 * s * d, screened = s_alpha * d_alpha - 2 * (d_alpha - d) * (s_alpha - s);
    return apart(s, d, s_alpha, d_alpha) + ((multiplied & is_dark) | (screened & ~is_dark));
}

BB_INLINE Wide blended(BBBlendMode mode, Wide s, Wide d, Wide s_alpha, Wide d_alpha) {
    switch (mode) {
    case BBBlendSource: return s * 255;
    case BBBlendSourceOver: return s * 255 + d * (255 - s_alpha);
    case BBBlendDestinationOver: return d * 255 + s * (255 - d_alpha);
    case BBBlendSourceIn: return s * d_alpha;
    case BBBlendDestinationIn: return d * s_alpha;
    case BBBlendSourceOut: return s * (255 - d_alpha);
    case BBBlendDestinationOut: return d * (255 - s_alpha);
    case BBBlendSourceAtop: return s * d_alpha + d * (255 - s_alpha);
    case BBBlendDestinationAtop: return d * s_alpha + s * (255 - d_alpha);
    case BBBlendXor: return apart(s, d, s_alpha, d_alpha);
    case BBBlendPlus: return least(s + d, (Wide){} + 255) * 255;
    case BBBlendMultiply: return s * d + apart(s, d, s_alpha, d_alpha);
    case BBBlendScreen: return (s + d) * 255 - s * d;
    case BBBlendOverlay: return hard_light(d, s, d_alpha, s_alpha);
    case BBBlendDarken: return (s + d) * 255 - most(s * d_alpha, d * s_alpha);
    case BBBlendLighten: return (s + d) * 255 - least(s * d_alpha, d * s_alpha);
    case BBBlendHardLight: return hard_light(s, d, s_alpha, d_alpha);
    case BBBlendDifference: return (s + d) * 255 - least(s * d_alpha, d * s_alpha) * (Wide){BB_DOUBLED};
    case BBBlendExclusion: return (s + d) * 255 - s * d * (Wide){BB_DOUBLED};
    default: return (Wide){};
    }
}

/// Where a transparent source changes nothing, opacity mixes what was there with what comes out: exact to one. The other
/// modes get a source that is more transparent.
BB_INLINE bool leaves_destination(BBBlendMode mode) {
    switch (mode) {
    case BBBlendClear:
    case BBBlendSource:
    case BBBlendSourceIn:
    case BBBlendDestinationIn:
    case BBBlendSourceOut:
    case BBBlendDestinationAtop:
    case BBBlendPlus: return false;
    default: return true;
    }
}

BB_INLINE Wide blended_with_opacity(BBBlendMode mode, Wide opacity, Wide s, Wide d) {
    if (!leaves_destination(mode)) s = quotient(s * opacity);
    Wide result = quotient(blended(mode, s, d, BB_ALPHAS(s), BB_ALPHAS(d)));
    return leaves_destination(mode) ? quotient(d * (255 - opacity) + result * opacity) : result;
}

BB_INLINE void blend_block(BBBlendMode mode, Wide opacity, const uint8_t *source, uint8_t *destination) {
    Narrow s, d;
    memcpy(&s, source, sizeof s);
    memcpy(&d, destination, sizeof d);
    Wide lower = blended_with_opacity(mode, opacity, BB_LOWER(s), BB_LOWER(d));
    Wide upper = blended_with_opacity(mode, opacity, BB_UPPER(s), BB_UPPER(d));
    Narrow result = BB_JOINED(lower, upper);
    memcpy(destination, &result, sizeof result);
}

/// Inlined for each mode.
BB_INLINE void run(BBBlendMode mode, uint8_t opacity, const uint8_t *source, uint8_t *destination, size_t pixel_count) {
    const Wide opacities = (Wide){} + opacity;
    size_t i = 0, end = 4 * pixel_count;
    for (; i + sizeof(Narrow) <= end; i += sizeof(Narrow)) {
        blend_block(mode, opacities, source + i, destination + i);
    }
    if (i == end) return;
    uint8_t last_source[sizeof(Narrow)] = {0}, last_destination[sizeof(Narrow)] = {0};
    memcpy(last_source, source + i, end - i);
    memcpy(last_destination, destination + i, end - i);
    blend_block(mode, opacities, last_source, last_destination);
    memcpy(destination + i, last_destination, end - i);
}

#define BB_BLEND_CASE(mode)                                                                                            \
    case mode: run(mode, opacity, source, destination, pixel_count); break

BB_TARGET void BB_BLEND_ROW(BBBlendMode mode, uint8_t opacity, const uint8_t *source, uint8_t *destination,
                            size_t pixel_count) {
    switch (mode) {
        BB_BLEND_CASE(BBBlendClear);
        BB_BLEND_CASE(BBBlendSource);
        BB_BLEND_CASE(BBBlendSourceOver);
        BB_BLEND_CASE(BBBlendDestinationOver);
        BB_BLEND_CASE(BBBlendSourceIn);
        BB_BLEND_CASE(BBBlendDestinationIn);
        BB_BLEND_CASE(BBBlendSourceOut);
        BB_BLEND_CASE(BBBlendDestinationOut);
        BB_BLEND_CASE(BBBlendSourceAtop);
        BB_BLEND_CASE(BBBlendDestinationAtop);
        BB_BLEND_CASE(BBBlendXor);
        BB_BLEND_CASE(BBBlendPlus);
        BB_BLEND_CASE(BBBlendMultiply);
        BB_BLEND_CASE(BBBlendScreen);
        BB_BLEND_CASE(BBBlendOverlay);
        BB_BLEND_CASE(BBBlendDarken);
        BB_BLEND_CASE(BBBlendLighten);
        BB_BLEND_CASE(BBBlendHardLight);
        BB_BLEND_CASE(BBBlendDifference);
        BB_BLEND_CASE(BBBlendExclusion);
    default: break;
    }
}
