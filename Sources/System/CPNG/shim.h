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

// MARK: Reading

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

// MARK: Writing

/// An encoder into memory that grows.
typedef struct {
    png_structp png;
    png_infop info;
    uint8_t *_Nullable bytes;
    size_t count, capacity;
    char message[BBPNGMessageLength];
    bool lacks_memory;
} BBPNGWriter;

static inline __attribute__((noreturn)) void bb_png_writer_fail(png_structp png, const char *message) {
    BBPNGWriter *writer = (BBPNGWriter *)png_get_error_ptr(png);
    bb_png_copy_message(writer->message, message);
    png_longjmp(png, 1);
}

static inline void bb_png_writer_put(png_structp png, png_bytep source, size_t count) {
    BBPNGWriter *writer = (BBPNGWriter *)png_get_io_ptr(png);
    if (count > writer->capacity - writer->count) {
        const size_t smallest = 64 << 10;
        size_t capacity = 2 * writer->capacity + count + smallest;
        uint8_t *bytes = (uint8_t *)realloc(writer->bytes, capacity);
        if (!bytes) {
            writer->lacks_memory = true;
            png_error(png, "out of memory");
        }
        writer->bytes = bytes;
        writer->capacity = capacity;
    }
    memcpy(writer->bytes + writer->count, source, count);
    writer->count += count;
}

static inline void bb_png_ignore_warning(png_structp png, const char *message) {}

static inline void bb_png_writer_flush(png_structp png) {}

static inline void bb_png_writer_destroy(BBPNGWriter *writer) {
    png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->bytes);
    free(writer);
}

/// NULL when there is no memory.
static inline BBPNGWriter *_Nullable bb_png_writer_create(void) {
    BBPNGWriter *writer = (BBPNGWriter *)calloc(1, sizeof(BBPNGWriter));
    if (!writer) return NULL;
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, bb_png_writer_fail, bb_png_ignore_warning);
    if (writer->png) writer->info = png_create_info_struct(writer->png);
    if (writer->info) {
        png_set_write_fn(writer->png, writer, bb_png_writer_put, bb_png_writer_flush);
        return writer;
    }
    bb_png_writer_destroy(writer);
    return NULL;
}

/// What the rows to be written are: four components of `bit_depth` bits in the machine's order.
typedef struct {
    uint32_t width, height;
    int bit_depth;
    bool begins_with_blue;
    /// The fourth component has no meaning and is left out.
    bool is_opaque;
} BBPNGRows;

/// The filters that cost least give files within a few per cent of the smallest.
BB_PNG_CALL bool bb_png_writer_start(BBPNGWriter *writer, BBPNGRows rows) {
    const int compression = 6;
    png_structp png = writer->png;
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(png, writer->info, rows.width, rows.height, rows.bit_depth,
                 rows.is_opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, compression);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FAST_FILTERS);
    png_write_info(png, writer->info);
    if (rows.is_opaque) png_set_filler(png, 0, PNG_FILLER_AFTER);
    if (rows.begins_with_blue) png_set_bgr(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (rows.bit_depth == 16) png_set_swap(png);
#endif
    return true;
}

BB_PNG_CALL bool bb_png_writer_write_row(BBPNGWriter *writer, const uint8_t *pixels) {
    if (setjmp(png_jmpbuf(writer->png))) return false;
    png_write_row(writer->png, pixels);
    return true;
}

/// Afterwards `bytes` and `count` are the file.
BB_PNG_CALL bool bb_png_writer_finish(BBPNGWriter *writer) {
    if (setjmp(png_jmpbuf(writer->png))) return false;
    png_write_end(writer->png, writer->info);
    return true;
}

static inline const char *bb_png_writer_message(const BBPNGWriter *writer) { return writer->message; }

#pragma clang assume_nonnull end
