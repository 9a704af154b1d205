/// libjpeg-turbo behind functions that return. Its errors leave by longjmp, which must not cross a Swift frame: every
/// call that can fail has its setjmp here. Nothing here prints or exits.
#pragma once

#include <limits.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#pragma clang assume_nonnull begin

/// A function with a setjmp stays a frame of its own.
#define BB_JPEG_CALL static inline __attribute__((noinline))

// MARK: Errors

typedef struct {
    struct jpeg_error_mgr manager; // first: libjpeg hands out its address
    jmp_buf escape;
    /// What ended the last call that failed.
    int code;
    char message[JMSG_LENGTH_MAX];
    /// The first warning, or empty.
    char warning[JMSG_LENGTH_MAX];
    /// Set while a warning would only repeat what is known.
    bool ignores_warnings;
} BBJPEGErrors;

static inline __attribute__((noreturn)) void bb_jpeg_fail(j_common_ptr codec) {
    BBJPEGErrors *errors = (BBJPEGErrors *)codec->err;
    errors->code = errors->manager.msg_code;
    errors->manager.format_message(codec, errors->message);
    longjmp(errors->escape, 1);
}

/// Levels below 0 are warnings, the others traces.
static inline void bb_jpeg_note(j_common_ptr codec, int level) {
    BBJPEGErrors *errors = (BBJPEGErrors *)codec->err;
    if (level >= 0 || errors->ignores_warnings || errors->manager.num_warnings++ > 0) return;
    errors->manager.format_message(codec, errors->warning);
}

static inline void bb_jpeg_print_nothing(j_common_ptr codec) {}

static inline struct jpeg_error_mgr *bb_jpeg_errors_begin(BBJPEGErrors *errors) {
    jpeg_std_error(&errors->manager);
    errors->manager.error_exit = bb_jpeg_fail;
    errors->manager.emit_message = bb_jpeg_note;
    errors->manager.output_message = bb_jpeg_print_nothing;
    return &errors->manager;
}

static inline bool bb_jpeg_errors_lack_memory(const BBJPEGErrors *errors) {
    return errors->code == JERR_OUT_OF_MEMORY || errors->code == JERR_NO_BACKING_STORE;
}

/// What a file of a kind is that libjpeg does not read, which is no damage of it.
typedef enum {
    BBJPEGKnownKind,
    BBJPEGDeepKind,
    BBJPEGLosslessKind,
    BBJPEGHierarchicalKind,
    BBJPEGArithmeticKind,
} BBJPEGKind;

static inline BBJPEGKind bb_jpeg_errors_kind(const BBJPEGErrors *errors) {
    int parameter = errors->manager.msg_parm.i[0];
    if (errors->code == JERR_ARITH_NOTIMPL) return BBJPEGArithmeticKind;
    if (errors->code == JERR_BAD_PRECISION) return parameter == 12 ? BBJPEGDeepKind : BBJPEGKnownKind;
    if (errors->code != JERR_SOF_UNSUPPORTED) return BBJPEGKnownKind;
    return parameter == 0xC3 || parameter == 0xCB ? BBJPEGLosslessKind : BBJPEGHierarchicalKind;
}

/// As pointers: Swift sees C's arrays as tuples.
static inline const char *bb_jpeg_errors_message(const BBJPEGErrors *errors) { return errors->message; }
static inline const char *bb_jpeg_errors_warning(const BBJPEGErrors *errors) { return errors->warning; }

// MARK: Reading

/// A decoder of bytes that may still be arriving: where they end it suspends, and goes on once it is given more.
typedef struct {
    struct jpeg_decompress_struct decoder;
    BBJPEGErrors errors;
    struct jpeg_source_mgr source;
    /// Where in the file the bytes given last begin, and how many they are.
    size_t start, given;
    /// Bytes still to be skipped that have not arrived.
    size_t owed;
    /// No bytes will follow the ones given.
    bool is_complete;
    /// Where the pixels' data begin; 0 until the header has been read.
    size_t data_start;
    /// The file ended before its picture did: in this scan, above this row of blocks.
    bool ended_early;
    int ended_in_scan;
    unsigned ended_in_row;
    /// The newest scan that has wholly arrived.
    int complete_scans;
    /// The file up to here makes sense: it can be decoded again as if it ended there. 0 while nothing has been shown.
    size_t sound_end;
    /// An output pass over a file of several scans has begun and not been ended.
    bool is_in_pass;
} BBJPEGReader;

typedef enum {
    /// The call is done.
    BBJPEGDone,
    /// There is more to do, and the bytes for it are there.
    BBJPEGMore,
    /// More bytes are needed.
    BBJPEGSuspended,
    /// See `errors`.
    BBJPEGFailed,
} BBJPEGStatus;

static inline void bb_jpeg_source_begin(j_decompress_ptr decoder) {}

/// Suspends; or, where the file ends before the picture, ends the picture as the standard says.
static inline boolean bb_jpeg_source_fill(j_decompress_ptr decoder) {
    static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};
    BBJPEGReader *reader = (BBJPEGReader *)decoder;
    if (!reader->is_complete || reader->data_start == 0) return FALSE;
    if (!reader->ended_early) {
        reader->ended_early = true;
        reader->ended_in_scan = decoder->input_scan_number;
        reader->ended_in_row = decoder->input_iMCU_row;
        reader->errors.ignores_warnings = true;
    }
    reader->source.next_input_byte = end_of_image;
    reader->source.bytes_in_buffer = sizeof end_of_image;
    return TRUE;
}

static inline void bb_jpeg_source_skip(j_decompress_ptr decoder, long count) {
    BBJPEGReader *reader = (BBJPEGReader *)decoder;
    if (count <= 0) return;
    size_t present = reader->source.bytes_in_buffer;
    size_t now = (size_t)count < present ? (size_t)count : present;
    reader->source.next_input_byte += now;
    reader->source.bytes_in_buffer -= now;
    reader->owed = (size_t)count - now;
}

/// NULL when there is no memory.
BB_JPEG_CALL BBJPEGReader *_Nullable bb_jpeg_reader_create(void) {
    BBJPEGReader *reader = (BBJPEGReader *)calloc(1, sizeof(BBJPEGReader));
    if (!reader) return NULL;
    reader->decoder.err = bb_jpeg_errors_begin(&reader->errors);
    if (setjmp(reader->errors.escape)) {
        jpeg_destroy_decompress(&reader->decoder);
        free(reader);
        return NULL;
    }
    jpeg_create_decompress(&reader->decoder);
    reader->source.init_source = bb_jpeg_source_begin;
    reader->source.fill_input_buffer = bb_jpeg_source_fill;
    reader->source.skip_input_data = bb_jpeg_source_skip;
    reader->source.resync_to_restart = jpeg_resync_to_restart;
    reader->source.term_source = bb_jpeg_source_begin;
    reader->decoder.src = &reader->source;
    return reader;
}

static inline void bb_jpeg_reader_destroy(BBJPEGReader *reader) {
    jpeg_destroy_decompress(&reader->decoder);
    free(reader);
}

/// How many bytes of the file have been used up.
static inline size_t bb_jpeg_reader_position(const BBJPEGReader *reader) {
    return reader->start + (reader->given - reader->source.bytes_in_buffer);
}

/// Gives the bytes from `bb_jpeg_reader_position` on. They must stay until `bb_jpeg_reader_take_back`.
static inline void bb_jpeg_reader_give(BBJPEGReader *reader, const uint8_t *_Nullable bytes, size_t count,
                                       bool is_complete) {
    reader->start = bb_jpeg_reader_position(reader);
    reader->given = count;
    reader->is_complete = is_complete;
    reader->source.next_input_byte = bytes;
    reader->source.bytes_in_buffer = count;
    size_t owed = reader->owed;
    reader->owed = 0;
    bb_jpeg_source_skip(&reader->decoder, owed < LONG_MAX ? (long)owed : LONG_MAX);
}

/// Forgets the bytes; what was not used up must be given again.
static inline void bb_jpeg_reader_take_back(BBJPEGReader *reader) {
    reader->start = bb_jpeg_reader_position(reader);
    reader->given = 0;
    reader->source.next_input_byte = NULL;
    reader->source.bytes_in_buffer = 0;
}

/// Reads up to the first data of the picture.
BB_JPEG_CALL BBJPEGStatus bb_jpeg_reader_read_header(BBJPEGReader *reader) {
    if (setjmp(reader->errors.escape)) return BBJPEGFailed;
    if (jpeg_read_header(&reader->decoder, TRUE) == JPEG_SUSPENDED) return BBJPEGSuspended;
    reader->data_start = bb_jpeg_reader_position(reader);
    return BBJPEGDone;
}

/// The most that an honest file of this size makes libjpeg keep: every coefficient, and working rows.
static inline long bb_jpeg_reader_memory_limit(const BBJPEGReader *reader) {
    const double working_memory = 64 << 20;
    const struct jpeg_decompress_struct *decoder = &reader->decoder;
    double samples = (double)decoder->image_width * decoder->image_height * decoder->num_components;
    double limit = samples * sizeof(JCOEF) + working_memory;
    return limit < (double)LONG_MAX ? (long)limit : LONG_MAX;
}

/// Settles the pixels and the scale, which cannot change afterwards. Smoothing is off: it costs as much as a pass over
/// the picture again, and would make the last rows of a damaged file depend on how its bytes arrived.
BB_JPEG_CALL BBJPEGStatus bb_jpeg_reader_start(BBJPEGReader *reader, J_COLOR_SPACE pixels, unsigned eighths) {
    j_decompress_ptr decoder = &reader->decoder;
    if (setjmp(reader->errors.escape)) return BBJPEGFailed;
    decoder->out_color_space = pixels;
    decoder->scale_num = eighths;
    decoder->scale_denom = 8;
    decoder->do_block_smoothing = FALSE;
    decoder->buffered_image = jpeg_has_multiple_scans(decoder);
    decoder->mem->max_memory_to_use = bb_jpeg_reader_memory_limit(reader);
    return jpeg_start_decompress(decoder) ? BBJPEGDone : BBJPEGSuspended;
}

/// Remembers that all went well so far. A marker that has been read belongs to what comes next.
static inline void bb_jpeg_reader_note_sound_end(BBJPEGReader *reader) {
    const size_t marker_length = 2;
    if (reader->ended_early) return;
    reader->sound_end = bb_jpeg_reader_position(reader) - (reader->decoder.unread_marker ? marker_length : 0);
}

/// Takes in scans, at most `steps` rows of blocks or markers. Done: the file is at its end.
BB_JPEG_CALL BBJPEGStatus bb_jpeg_reader_take_in(BBJPEGReader *reader, unsigned steps) {
    if (setjmp(reader->errors.escape)) return BBJPEGFailed;
    for (unsigned step = 0; step < steps; step++) {
        int event = jpeg_consume_input(&reader->decoder);
        if (event == JPEG_SUSPENDED) return BBJPEGSuspended;
        if (event == JPEG_REACHED_EOI) return BBJPEGDone;
        if (event == JPEG_REACHED_SOS) continue;
        if (event == JPEG_SCAN_COMPLETED) reader->complete_scans = reader->decoder.input_scan_number;
        bb_jpeg_reader_note_sound_end(reader);
    }
    return BBJPEGMore;
}

/// Begins a pass over what has been taken in, up to and with `scan`, which must be complete.
BB_JPEG_CALL BBJPEGStatus bb_jpeg_reader_begin_pass(BBJPEGReader *reader, int scan) {
    if (setjmp(reader->errors.escape)) return BBJPEGFailed;
    if (reader->is_in_pass && !jpeg_finish_output(&reader->decoder)) return BBJPEGSuspended;
    reader->is_in_pass = true;
    return jpeg_start_output(&reader->decoder, scan) ? BBJPEGDone : BBJPEGSuspended;
}

/// Writes the next rows, at most `limit`; `pixels` is the first row of the whole picture. Done: it has all of them.
BB_JPEG_CALL BBJPEGStatus bb_jpeg_reader_read_rows(BBJPEGReader *reader, uint8_t *pixels, size_t bytes_per_row,
                                                   unsigned limit) {
    j_decompress_ptr decoder = &reader->decoder;
    if (setjmp(reader->errors.escape)) return BBJPEGFailed;
    unsigned end = decoder->output_height - decoder->output_scanline;
    end = decoder->output_scanline + (limit < end ? limit : end);
    while (decoder->output_scanline < end) {
        JSAMPROW rows[16];
        unsigned count = 0;
        for (unsigned row = decoder->output_scanline; row < end && count < 16; row++)
            rows[count++] = pixels + row * bytes_per_row;
        if (jpeg_read_scanlines(decoder, rows, count) == 0) return BBJPEGSuspended;
        bb_jpeg_reader_note_sound_end(reader);
    }
    return end == decoder->output_height ? BBJPEGDone : BBJPEGMore;
}

// MARK: Writing

/// An encoder into memory that grows.
typedef struct {
    struct jpeg_compress_struct encoder;
    BBJPEGErrors errors;
    struct jpeg_destination_mgr destination;
    uint8_t *_Nullable bytes;
    size_t count, capacity;
} BBJPEGWriter;

static inline void bb_jpeg_destination_continue(BBJPEGWriter *writer) {
    writer->destination.next_output_byte = writer->bytes + writer->count;
    writer->destination.free_in_buffer = writer->capacity - writer->count;
}

/// Called with the memory full, whatever `free_in_buffer` says.
static inline boolean bb_jpeg_destination_grow(j_compress_ptr encoder) {
    BBJPEGWriter *writer = (BBJPEGWriter *)encoder;
    const size_t smallest = 64 << 10;
    size_t capacity = writer->capacity ? 2 * writer->capacity : smallest;
    uint8_t *bytes = (uint8_t *)realloc(writer->bytes, capacity);
    if (!bytes) ERREXIT1(encoder, JERR_OUT_OF_MEMORY, 0);
    writer->count = writer->capacity;
    writer->bytes = bytes;
    writer->capacity = capacity;
    bb_jpeg_destination_continue(writer);
    return TRUE;
}

static inline void bb_jpeg_destination_begin(j_compress_ptr encoder) { bb_jpeg_destination_grow(encoder); }

static inline void bb_jpeg_destination_end(j_compress_ptr encoder) {
    BBJPEGWriter *writer = (BBJPEGWriter *)encoder;
    writer->count = writer->capacity - writer->destination.free_in_buffer;
}

/// NULL when there is no memory.
BB_JPEG_CALL BBJPEGWriter *_Nullable bb_jpeg_writer_create(void) {
    BBJPEGWriter *writer = (BBJPEGWriter *)calloc(1, sizeof(BBJPEGWriter));
    if (!writer) return NULL;
    writer->encoder.err = bb_jpeg_errors_begin(&writer->errors);
    if (setjmp(writer->errors.escape)) {
        jpeg_destroy_compress(&writer->encoder);
        free(writer);
        return NULL;
    }
    jpeg_create_compress(&writer->encoder);
    writer->destination.init_destination = bb_jpeg_destination_begin;
    writer->destination.empty_output_buffer = bb_jpeg_destination_grow;
    writer->destination.term_destination = bb_jpeg_destination_end;
    writer->encoder.dest = &writer->destination;
    return writer;
}

static inline void bb_jpeg_writer_destroy(BBJPEGWriter *writer) {
    jpeg_destroy_compress(&writer->encoder);
    free(writer->bytes);
    free(writer);
}

typedef struct {
    unsigned width, height;
    /// Four bytes, the fourth ignored.
    J_COLOR_SPACE pixels;
    /// From 1 to 100.
    int quality;
    bool keeps_full_chroma, is_progressive;
    /// Dots an inch; 0 where nothing is said.
    uint16_t horizontal_density, vertical_density;
} BBJPEGSettings;

/// Begins a file: markers may follow, then rows.
BB_JPEG_CALL bool bb_jpeg_writer_start(BBJPEGWriter *writer, BBJPEGSettings settings) {
    j_compress_ptr encoder = &writer->encoder;
    if (setjmp(writer->errors.escape)) return false;
    encoder->image_width = settings.width;
    encoder->image_height = settings.height;
    encoder->input_components = 4;
    encoder->in_color_space = settings.pixels;
    jpeg_set_defaults(encoder);
    jpeg_set_quality(encoder, settings.quality, TRUE);
    encoder->optimize_coding = TRUE;
    encoder->comp_info[0].h_samp_factor = settings.keeps_full_chroma ? 1 : 2;
    encoder->comp_info[0].v_samp_factor = settings.keeps_full_chroma ? 1 : 2;
    if (settings.is_progressive) jpeg_simple_progression(encoder);
    if (settings.horizontal_density && settings.vertical_density) {
        encoder->density_unit = 1; // dots an inch
        encoder->X_density = settings.horizontal_density;
        encoder->Y_density = settings.vertical_density;
    }
    jpeg_start_compress(encoder, TRUE);
    return true;
}

/// The most that one marker holds.
#define BB_JPEG_LONGEST_MARKER 65533

BB_JPEG_CALL bool bb_jpeg_writer_write_marker(BBJPEGWriter *writer, int marker, const uint8_t *bytes, unsigned count) {
    if (setjmp(writer->errors.escape)) return false;
    jpeg_write_marker(&writer->encoder, marker, bytes, count);
    return true;
}

BB_JPEG_CALL bool bb_jpeg_writer_write_row(BBJPEGWriter *writer, const uint8_t *pixels) {
    if (setjmp(writer->errors.escape)) return false;
    JSAMPROW row = (JSAMPROW)pixels;
    return jpeg_write_scanlines(&writer->encoder, &row, 1) == 1;
}

/// Afterwards `bytes` and `count` are the file.
BB_JPEG_CALL bool bb_jpeg_writer_finish(BBJPEGWriter *writer) {
    if (setjmp(writer->errors.escape)) return false;
    jpeg_finish_compress(&writer->encoder);
    return true;
}

#pragma clang assume_nonnull end
