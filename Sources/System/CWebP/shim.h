/// libwebp, with its incremental decoder behind functions that write into pixels of ours.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

#pragma clang assume_nonnull begin

/// An incremental decoder; it keeps pointers into `config`, which therefore does not move.
typedef struct {
    WebPDecoderConfig config;
    WebPIDecoder *_Nullable decoder;
} BBWebPReader;

static inline void bb_webp_reader_destroy(BBWebPReader *reader) {
    WebPIDelete(reader->decoder);
    free(reader);
}

/// A decoder into rows of `width` × `height` pixels of four bytes; `is_scaled` where the file's have another size. NULL
/// when there is no memory.
static inline BBWebPReader *_Nullable bb_webp_reader_create(WEBP_CSP_MODE mode, int width, int height, bool is_scaled) {
    BBWebPReader *reader = (BBWebPReader *)calloc(1, sizeof(BBWebPReader));
    if (!reader) return NULL;
    if (WebPInitDecoderConfig(&reader->config)) {
        reader->config.options.use_scaling = is_scaled;
        reader->config.options.scaled_width = is_scaled ? width : 0;
        reader->config.options.scaled_height = is_scaled ? height : 0;
        reader->config.output.colorspace = mode;
        reader->config.output.width = width;
        reader->config.output.height = height;
        reader->config.output.is_external_memory = 1;
        reader->decoder = WebPIDecode(NULL, 0, &reader->config);
    }
    if (reader->decoder) return reader;
    bb_webp_reader_destroy(reader);
    return NULL;
}

/// Decodes as far as `bytes` go, which are all so far. `pixels` is the first of the rows, the same memory each time.
static inline VP8StatusCode bb_webp_reader_update(BBWebPReader *reader, const uint8_t *bytes, size_t count,
                                                  uint8_t *pixels, size_t pixel_byte_count, int bytes_per_row) {
    WebPRGBABuffer *rows = &reader->config.output.u.RGBA;
    rows->rgba = pixels;
    rows->size = pixel_byte_count;
    rows->stride = bytes_per_row;
    return WebPIUpdate(reader->decoder, bytes, count);
}

/// How many rows have been written.
static inline int bb_webp_reader_row_count(const BBWebPReader *reader) {
    int count = 0;
    return WebPIDecGetRGB(reader->decoder, &count, NULL, NULL, NULL) ? count : 0;
}

/// Gives every pixel full alpha.
static inline void bb_webp_make_opaque(uint8_t *pixels, size_t pixel_count) {
    const uint8_t full[4] = {0, 0, 0, 255};
    uint32_t alpha, pixel;
    memcpy(&alpha, full, sizeof alpha);
    for (size_t index = 0; index < pixel_count; index++) {
        memcpy(&pixel, pixels + 4 * index, sizeof pixel);
        pixel |= alpha;
        memcpy(pixels + 4 * index, &pixel, sizeof pixel);
    }
}

// MARK: Writing

typedef enum {
    BBWebPBGRA,
    BBWebPRGBA,
    /// 16 bits a component in the machine's order.
    BBWebPRGBA16,
} BBWebPPixels;

/// To the nearest of 8 bits.
static inline uint32_t bb_webp_narrow(uint16_t component) { return ((uint32_t)component * 255 + 32767) / 65535; }

/// Writes a row of straight pixels as libwebp's encoder takes them. With `is_opaque` their alpha has no meaning.
static inline void bb_webp_import_row(uint32_t *row, const void *pixels, size_t width, BBWebPPixels kind,
                                      bool is_opaque) {
    const uint8_t *bytes = (const uint8_t *)pixels;
    const uint16_t *words = (const uint16_t *)pixels;
    for (size_t x = 0; x < width; x++, bytes += 4, words += 4) {
        uint32_t first = kind == BBWebPRGBA16 ? bb_webp_narrow(words[0]) : bytes[0];
        uint32_t green = kind == BBWebPRGBA16 ? bb_webp_narrow(words[1]) : bytes[1];
        uint32_t third = kind == BBWebPRGBA16 ? bb_webp_narrow(words[2]) : bytes[2];
        uint32_t alpha = kind == BBWebPRGBA16 ? bb_webp_narrow(words[3]) : bytes[3];
        uint32_t red = kind == BBWebPBGRA ? third : first;
        uint32_t blue = kind == BBWebPBGRA ? first : third;
        row[x] = (is_opaque ? 255u : alpha) << 24 | red << 16 | green << 8 | blue;
    }
}

#pragma clang assume_nonnull end
