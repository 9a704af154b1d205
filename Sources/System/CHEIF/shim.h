/// libheif, versions 1.15 to 1.19, behind functions that are the same for all of them. It leaves by errors, never by a
/// jump, so that Swift may call it itself wherever its versions agree.
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libheif/heif.h>

#pragma clang assume_nonnull begin

// MARK: Reading

/// One context over bytes of which some may be missing. libheif reads all parts of a file before it says anything of it,
/// so it is shown a whole one: what is missing is zero, in a box of data behind the last box that has begun.
typedef struct {
    struct heif_context *context;
    const uint8_t *_Nullable bytes;
    int64_t count, position;
    /// Where the file ends for libheif.
    int64_t end;
    /// Where that box of data begins, or a negative number where nothing is missing.
    int64_t gap;
    /// Whether something has been read that is not there.
    bool has_met_end;
} BBHEIFReader;

static inline int64_t bb_heif_position(void *data) { return ((BBHEIFReader *)data)->position; }

/// A size of 0 is one up to the end of the file.
static inline void bb_heif_fill_gap(const BBHEIFReader *reader, uint8_t *destination, size_t start, size_t end) {
    static const char header[8] = {0, 0, 0, 0, 'm', 'd', 'a', 't'};
    for (size_t i = start; reader->gap >= 0 && i < end && i < start + 64; i++) {
        int64_t offset = reader->position + (int64_t)i - reader->gap;
        if (offset >= 0 && offset < 8) destination[i] = (uint8_t)header[offset];
    }
}

static inline int bb_heif_read(void *destination, size_t size, void *data) {
    BBHEIFReader *reader = (BBHEIFReader *)data;
    if (reader->position < 0 || reader->position > reader->end) return 1;
    if (size > (size_t)(reader->end - reader->position)) return 1;
    size_t there = 0;
    if (reader->bytes && reader->position < reader->count) there = (size_t)(reader->count - reader->position);
    if (there > size) there = size;
    if (there) memcpy(destination, reader->bytes + reader->position, there);
    if (size > there) {
        memset((uint8_t *)destination + there, 0, size - there);
        bb_heif_fill_gap(reader, (uint8_t *)destination, there, size);
        reader->has_met_end = true;
    }
    reader->position += (int64_t)size;
    return 0;
}

static inline int bb_heif_seek(int64_t position, void *data) {
    ((BBHEIFReader *)data)->position = position;
    return 0;
}

static inline enum heif_reader_grow_status bb_heif_wait(int64_t size, void *data) {
    bool is_there = size <= ((BBHEIFReader *)data)->end;
    return is_there ? heif_reader_grow_status_size_reached : heif_reader_grow_status_size_beyond_eof;
}

static const struct heif_reader bb_heif_functions = {
    .reader_api_version = 1,
    .get_position = bb_heif_position,
    .read = bb_heif_read,
    .seek = bb_heif_seek,
    .wait_for_file_size = bb_heif_wait,
};

static inline void bb_heif_reader_destroy(BBHEIFReader *_Nullable reader) {
    if (!reader) return;
    heif_context_free(reader->context);
    free(reader);
}

/// Null without memory.
static inline BBHEIFReader *_Nullable bb_heif_reader_create(void) {
    BBHEIFReader *reader = (BBHEIFReader *)calloc(1, sizeof(BBHEIFReader));
    if (!reader) return NULL;
    reader->context = heif_context_alloc();
    if (reader->context) return reader;
    free(reader);
    return NULL;
}

static inline struct heif_error bb_heif_parse(BBHEIFReader *reader) {
    return heif_context_read_from_reader(reader->context, &bb_heif_functions, reader, NULL);
}

/// Turned, mirrored and cut as the file wants it; RGBA of 8 bits, or of as many as the file has, in 16.
static inline struct heif_error bb_heif_decode(
    const struct heif_image_handle *handle, bool is_deep, struct heif_image *_Nullable *_Nonnull result
) {
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    if (options) options->convert_hdr_to_8bit = !is_deep;
    enum heif_chroma layout = is_deep ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RGBA;
    struct heif_error error = heif_decode_image(handle, result, heif_colorspace_RGB, layout, options);
    heif_decoding_options_free(options);
    return error;
}

/// Components of `depth` bits become ones of 16.
static inline void bb_heif_widen(const uint8_t *source, uint16_t *destination, size_t count, int depth) {
    for (size_t i = 0; i < count; i++) {
        uint16_t value;
        memcpy(&value, source + 2 * i, 2);
        unsigned wide = (unsigned)value << (16 - depth);
        destination[i] = (uint16_t)(wide | wide >> depth);
    }
}

// MARK: Writing

/// The bytes of a file that is being written.
typedef struct {
    uint8_t *_Nullable bytes;
    size_t count;
    bool lacks_memory;
} BBHEIFOutput;

static inline struct heif_error bb_heif_write(
    struct heif_context *_Nullable context, const void *_Nullable data, size_t size, void *_Nullable output_data
) {
    BBHEIFOutput *output = (BBHEIFOutput *)output_data;
    struct heif_error error = {heif_error_Ok, heif_suberror_Unspecified, "Success"};
    uint8_t *bytes = (uint8_t *)realloc(output->bytes, output->count + size);
    if (bytes) {
        memcpy(bytes + output->count, data, size);
        output->bytes = bytes;
        output->count += size;
    } else {
        output->lacks_memory = true;
        error.code = heif_error_Memory_allocation_error;
    }
    return error;
}

static inline struct heif_error bb_heif_finish(struct heif_context *context, BBHEIFOutput *output) {
    struct heif_writer writer = {1, bb_heif_write};
    return heif_context_write(context, &writer, output);
}

typedef struct {
    /// Of EXIF; written as turns and mirrors.
    int orientation;
    bool has_alpha;
    bool is_lossless;
    int primaries, transfer;
} BBHEIFDescription;

static inline struct heif_error bb_heif_encode(
    struct heif_context *context, struct heif_image *image, struct heif_encoder *encoder,
    BBHEIFDescription description, struct heif_image_handle *_Nullable *_Nonnull handle
) {
    struct heif_encoding_options *options = heif_encoding_options_alloc();
    struct heif_color_profile_nclx *profile = heif_nclx_color_profile_alloc();
    if (options) {
        options->save_alpha_channel = description.has_alpha;
        options->image_orientation = (enum heif_orientation)description.orientation;
    }
    if (options && profile) {
        heif_nclx_color_profile_set_color_primaries(profile, (uint16_t)description.primaries);
        heif_nclx_color_profile_set_transfer_characteristics(profile, (uint16_t)description.transfer);
        profile->matrix_coefficients = description.is_lossless ? heif_matrix_coefficients_RGB_GBR
                                                               : heif_matrix_coefficients_ITU_R_BT_601_6;
        profile->full_range_flag = 1;
        options->output_nclx_profile = profile;
        heif_image_set_nclx_color_profile(image, profile);
        options->macOS_compatibility_workaround_no_nclx_profile = 0;
    }
    struct heif_error error = heif_context_encode_image(context, image, encoder, options, handle);
    heif_nclx_color_profile_free(profile);
    heif_encoding_options_free(options);
    return error;
}

#pragma clang assume_nonnull end
