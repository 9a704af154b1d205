/// libpng behind functions that return. Its errors leave by longjmp, which must not cross a Swift frame: every call
/// that can fail has its setjmp here. Nothing here prints or exits.
#pragma once

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#pragma clang assume_nonnull begin

/// A function with a setjmp stays a frame of its own.
#define BB_PNG_CALL static inline __attribute__((noinline))

enum { BBPNGMessageLength = 160 };

static inline void bb_png_copy_message(char *destination, const char *message) {
    strncpy(destination, message, BBPNGMessageLength - 1);
}

typedef struct {
    png_structp png;
    png_infop info;
    /// The first row of the whole picture, during a call.
    uint8_t *_Nullable pixels;
    size_t bytes_per_row;
    bool begins_with_blue, keeps_16_bits;
    bool is_interlaced;
    /// Rows written in the newest pass.
    uint32_t row_count;
    bool covers_picture;
    /// What ended the call that failed, and what libpng only warned of.
    char message[BBPNGMessageLength], warning[BBPNGMessageLength];
} BBPNGReader;

static inline __attribute__((noreturn)) void bb_png_reader_fail(png_structp png, const char *message) {
    BBPNGReader *reader = (BBPNGReader *)png_get_error_ptr(png);
    bb_png_copy_message(reader->message, message);
    png_longjmp(png, 1);
}

/// Damaged pixels are no more than a warning in libpng.
static inline void bb_png_reader_warn(png_structp png, const char *message) {
    BBPNGReader *reader = (BBPNGReader *)png_get_error_ptr(png);
    bb_png_copy_message(reader->warning, message);
}

/// Settles the pixels: four components with straight alpha, red or blue first, with `keeps_16_bits` those of files
/// that have them in the machine's order.
static inline void bb_png_reader_begin(png_structp png, png_infop info) {
    const png_uint_32 opaque = 0xFFFF;
    BBPNGReader *reader = (BBPNGReader *)png_get_progressive_ptr(png);
    bool has_16_bits = reader->keeps_16_bits && png_get_bit_depth(png, info) == 16;
    png_set_expand(png);
    if (!has_16_bits) png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, opaque, PNG_FILLER_AFTER);
    if (reader->begins_with_blue) png_set_bgr(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (has_16_bits) png_set_swap(png);
#endif
    reader->is_interlaced = png_set_interlace_handling(png) > 1;
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != reader->bytes_per_row) png_error(png, "rows of another length");
}

/// An early pass of an interlaced picture paints blocks, so that the picture is whole after each; it is also called for
/// rows that a pass leaves as they are, without pixels.
static inline void bb_png_reader_put_row(png_structp png, png_bytep _Nullable row, png_uint_32 index, int pass) {
    BBPNGReader *reader = (BBPNGReader *)png_get_progressive_ptr(png);
    if (row) png_progressive_combine_row(png, reader->pixels + index * reader->bytes_per_row, row);
    reader->row_count = index + 1;
    if (reader->row_count == png_get_image_height(png, reader->info)) reader->covers_picture = true;
}

static inline void bb_png_reader_end(png_structp png, png_infop info) {}

static inline void bb_png_reader_destroy(BBPNGReader *reader) {
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

/// It is given no chunks that do not change the pixels. The sizes of pictures have a limit elsewhere; libpng's own would
/// hide what a file claims.
BB_PNG_CALL bool bb_png_reader_set_up(BBPNGReader *reader) {
    if (setjmp(png_jmpbuf(reader->png))) return false;
    png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_progressive_read_fn(reader->png, reader, bb_png_reader_begin, bb_png_reader_put_row, bb_png_reader_end);
    return true;
}

/// NULL when there is no memory.
static inline BBPNGReader *_Nullable bb_png_reader_create(bool begins_with_blue, bool keeps_16_bits) {
    BBPNGReader *reader = (BBPNGReader *)calloc(1, sizeof(BBPNGReader));
    if (!reader) return NULL;
    reader->begins_with_blue = begins_with_blue;
    reader->keeps_16_bits = keeps_16_bits;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, bb_png_reader_fail, bb_png_reader_warn);
    if (reader->png) reader->info = png_create_info_struct(reader->png);
    if (reader->info && bb_png_reader_set_up(reader)) return reader;
    bb_png_reader_destroy(reader);
    return NULL;
}

/// Goes on with the next bytes of the file, and writes the rows that come out; `pixels` is the first row of the picture.
BB_PNG_CALL bool bb_png_reader_take(BBPNGReader *reader, const uint8_t *bytes, size_t count, uint8_t *pixels,
                                    size_t bytes_per_row) {
    reader->pixels = pixels;
    reader->bytes_per_row = bytes_per_row;
    bool is_taken = false;
    if (!setjmp(png_jmpbuf(reader->png))) {
        png_process_data(reader->png, reader->info, (png_bytep)bytes, count);
        is_taken = true;
    }
    reader->pixels = NULL;
    return is_taken;
}

/// The pass that comes next, 7 behind the last.
static inline unsigned bb_png_reader_pass(const BBPNGReader *reader) {
    return reader->is_interlaced ? png_get_current_pass_number(reader->png) : 0;
}

static inline bool bb_png_reader_has_all_rows(const BBPNGReader *reader) {
    return reader->is_interlaced ? bb_png_reader_pass(reader) >= 7 : reader->covers_picture;
}

/// As pointers: Swift sees C's arrays as tuples.
static inline const char *bb_png_reader_message(const BBPNGReader *reader) { return reader->message; }
static inline const char *bb_png_reader_warning(const BBPNGReader *reader) { return reader->warning; }

#pragma clang assume_nonnull end
