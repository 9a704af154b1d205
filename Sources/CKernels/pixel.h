#pragma once

#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a pixel's fourth byte is taken for its highest bits");

static inline uint32_t bb_load_pixel(const uint8_t *bytes) {
    uint32_t pixel;
    memcpy(&pixel, bytes, sizeof pixel);
    return pixel;
}

static inline void bb_store_pixel(uint32_t pixel, uint8_t *bytes) {
    memcpy(bytes, &pixel, sizeof pixel);
}

/// Two bytes, in bits 0 to 7 and 16 to 23, each times `factor` ÷ 255, rounded to the nearest. Exact for all bytes.
static inline uint32_t bb_products(uint32_t pair, uint32_t factor) {
    uint32_t products = pair * factor + 0x00800080;
    return ((products + ((products >> 8) & 0x00FF00FF)) >> 8) & 0x00FF00FF;
}

/// The first three bytes times the fourth ÷ 255; the fourth stays, being 255 times itself ÷ 255.
/// Two at a time, because compilers make vector code of this, but not of single bytes.
static inline uint32_t bb_multiplied_by_fourth(uint32_t pixel) {
    uint32_t fourth = pixel >> 24;
    uint32_t first_and_third = bb_products(pixel & 0x00FF00FF, fourth);
    uint32_t second_and_fourth = bb_products((pixel >> 8 & 0x000000FF) | 0x00FF0000, fourth);
    return first_and_third | second_and_fourth << 8;
}

/// RGBA to BGRA, and back.
static inline uint32_t bb_red_and_blue_swapped(uint32_t pixel) {
    uint32_t first_and_third = pixel & 0x00FF00FF;
    return (pixel & 0xFF00FF00) | first_and_third << 16 | first_and_third >> 16;
}
