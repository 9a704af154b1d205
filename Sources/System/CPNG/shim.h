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

/// Warnings are about chunks that do not change the pixels.
static inline void bb_png_ignore_warning(png_structp png, const char *message) {}

// MARK: Reading

typedef struct {
    png_structp png;
    png_infop info;
    const uint8_t *_Nullable bytes;
    size_t count, position;
    /// The pass of an interlaced picture and the row in it that come next.
    int pass, pass_count;
    uint32_t row;
    /// What ended the last call that failed.
    char message[BBPNGMessageLength];
    /// It was the end of the bytes.
    bool ended_early;
    /// It was the checksum of pixel data.
    bool failed_at_checksum;
    /// How many checksums of pixel data have been read.
    unsigned data_checksum_count;
} BBPNGReader;

typedef enum {
    BBPNGDone,
    /// There is more to do.
    BBPNGMore,
    /// See `message`.
    BBPNGFailed,
} BBPNGStatus;

static inline bool bb_png_is_at_data_checksum(png_structp png) {
    const png_uint_32 image_data = 0x49444154; // IDAT
    bool is_at_checksum = (png_get_io_state(png) & PNG_IO_MASK_LOC) == PNG_IO_CHUNK_CRC;
    return is_at_checksum && png_get_io_chunk_type(png) == image_data;
}

static inline __attribute__((noreturn)) void bb_png_reader_fail(png_structp png, const char *message) {
    BBPNGReader *reader = (BBPNGReader *)png_get_error_ptr(png);
    bb_png_copy_message(reader->message, message);
    reader->failed_at_checksum = !reader->ended_early && bb_png_is_at_data_checksum(png);
    png_longjmp(png, 1);
}

static inline void bb_png_reader_take(png_structp png, png_bytep destination, size_t count) {
    BBPNGReader *reader = (BBPNGReader *)png_get_io_ptr(png);
    if (count > reader->count - reader->position) {
        reader->ended_early = true;
        png_error(png, "the file ends early");
    }
    if (bb_png_is_at_data_checksum(png)) reader->data_checksum_count++;
    memcpy(destination, reader->bytes + reader->position, count);
    reader->position += count;
}

static inline void bb_png_reader_destroy(BBPNGReader *reader) {
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

/// Of the chunks beside the picture only EXIF data are read. The sizes of pictures have a limit elsewhere; libpng's
/// own would hide what a file claims.
BB_PNG_CALL bool bb_png_reader_set_limits(BBPNGReader *reader) {
    const png_alloc_size_t largest_chunk = 8 << 20;
    const png_uint_32 most_chunks = 128;
    // What a file that ends early loses of its last bytes; libpng's own 8 KB may be the whole of a small one.
    const size_t smallest_read = 1024;
    const png_byte exif[5] = "eXIf";
    if (setjmp(png_jmpbuf(reader->png))) return false;
    png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(reader->png, largest_chunk);
    png_set_chunk_cache_max(reader->png, most_chunks);
    png_set_compression_buffer_size(reader->png, smallest_read);
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_AS_DEFAULT, exif, 1);
    return true;
}

/// NULL when there is no memory.
static inline BBPNGReader *_Nullable bb_png_reader_create(void) {
    BBPNGReader *reader = (BBPNGReader *)calloc(1, sizeof(BBPNGReader));
    if (!reader) return NULL;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, bb_png_reader_fail, bb_png_ignore_warning);
    if (reader->png) reader->info = png_create_info_struct(reader->png);
    if (reader->info && bb_png_reader_set_limits(reader)) {
        png_set_read_fn(reader->png, reader, bb_png_reader_take);
        return reader;
    }
    bb_png_reader_destroy(reader);
    return NULL;
}

/// Gives the whole file, which must stay until the reader is not called any more.
static inline void bb_png_reader_give(BBPNGReader *reader, const uint8_t *_Nullable bytes, size_t count) {
    reader->bytes = bytes;
    reader->count = count;
}

/// Reads up to the pixels.
BB_PNG_CALL bool bb_png_reader_read_header(BBPNGReader *reader) {
    if (setjmp(png_jmpbuf(reader->png))) return false;
    png_read_info(reader->png, reader->info);
    return true;
}

/// Settles the pixels: four components with straight alpha, red or blue first, with `keeps_16_bits` those of files
/// that have them in the machine's order. False as well when rows would not have that size.
BB_PNG_CALL bool bb_png_reader_start(BBPNGReader *reader, bool begins_with_blue, bool keeps_16_bits) {
    const png_uint_32 opaque = 0xFFFF;
    png_structp png = reader->png;
    if (setjmp(png_jmpbuf(png))) return false;
    bool has_16_bits = keeps_16_bits && png_get_bit_depth(png, reader->info) == 16;
    png_set_expand(png);
    if (!has_16_bits) png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, opaque, PNG_FILLER_AFTER);
    if (begins_with_blue) png_set_bgr(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (has_16_bits) png_set_swap(png);
#endif
    reader->pass_count = png_set_interlace_handling(png);
    png_read_update_info(png, reader->info);
    size_t bytes_per_row = (size_t)png_get_image_width(png, reader->info) * (has_16_bits ? 8 : 4);
    return png_get_rowbytes(png, reader->info) == bytes_per_row;
}

/// Writes the next rows, at most `limit`; `pixels` is the first row of the whole picture. An early pass of an
/// interlaced picture paints blocks, so that the picture is whole after each.
BB_PNG_CALL BBPNGStatus bb_png_reader_read_rows(BBPNGReader *reader, uint8_t *pixels, size_t bytes_per_row,
                                                uint32_t limit) {
    uint32_t height = png_get_image_height(reader->png, reader->info);
    if (setjmp(png_jmpbuf(reader->png))) return BBPNGFailed;
    for (uint32_t count = 0; count < limit && reader->pass < reader->pass_count; count++) {
        uint8_t *row = pixels + reader->row * bytes_per_row;
        bool is_interlaced = reader->pass_count > 1;
        png_read_row(reader->png, is_interlaced ? NULL : row, is_interlaced ? row : NULL);
        if (++reader->row < height) continue;
        reader->row = 0;
        reader->pass++;
    }
    return reader->pass == reader->pass_count ? BBPNGDone : BBPNGMore;
}

/// Reads what follows the pixels, the checksum of the last of them above all.
BB_PNG_CALL bool bb_png_reader_finish(BBPNGReader *reader) {
    if (setjmp(png_jmpbuf(reader->png))) return false;
    png_read_end(reader->png, NULL);
    return true;
}

/// As a pointer: Swift sees C's arrays as tuples.
static inline const char *bb_png_reader_message(const BBPNGReader *reader) { return reader->message; }

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
