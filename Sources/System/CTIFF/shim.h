/// libtiff over bytes in memory. Nothing here prints; where libtiff is 4.5 or newer nothing is shared between files.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiffio.h>

#pragma clang assume_nonnull begin

enum { BBTIFFMessageLength = 200 };

/// `TIFFClientOpenExt` came with 4.5.
#define BB_TIFF_HAS_OPEN_OPTIONS (TIFFLIB_VERSION >= 20221213)

typedef struct {
    TIFF *_Nullable tiff;
    /// A file that is read.
    const uint8_t *_Nullable bytes;
    /// A file that is written.
    uint8_t *_Nullable written;
    uint64_t count, capacity, position;
    /// What libtiff said first.
    char message[BBTIFFMessageLength];
    bool lacks_memory;
} BBTIFFFile;

// MARK: Bytes

static inline tmsize_t bb_tiff_io_read(thandle_t handle, void *destination, tmsize_t count) {
    BBTIFFFile *file = (BBTIFFFile *)handle;
    const uint8_t *bytes = file->bytes ? file->bytes : file->written;
    if (!bytes || count < 0 || file->position >= file->count) return 0;
    uint64_t available = file->count - file->position;
    uint64_t taken = (uint64_t)count < available ? (uint64_t)count : available;
    memcpy(destination, bytes + file->position, taken);
    file->position += taken;
    return (tmsize_t)taken;
}

static inline bool bb_tiff_make_room(BBTIFFFile *file, uint64_t needed) {
    if (needed <= file->capacity) return true;
    uint64_t capacity = needed + needed / 2 + 4096;
    uint8_t *grown = capacity > SIZE_MAX / 2 ? NULL : (uint8_t *)realloc(file->written, capacity);
    file->lacks_memory = !grown;
    if (!grown) return false;
    memset(grown + file->capacity, 0, capacity - file->capacity);
    file->written = grown;
    file->capacity = capacity;
    return true;
}

static inline tmsize_t bb_tiff_io_write(thandle_t handle, void *source, tmsize_t count) {
    BBTIFFFile *file = (BBTIFFFile *)handle;
    if (file->bytes || count < 0 || file->position > UINT64_MAX / 4) return 0;
    uint64_t end = file->position + (uint64_t)count;
    if (!bb_tiff_make_room(file, end)) return 0;
    memcpy(file->written + file->position, source, (size_t)count);
    file->position = end;
    if (end > file->count) file->count = end;
    return count;
}

static inline toff_t bb_tiff_io_seek(thandle_t handle, toff_t offset, int whence) {
    BBTIFFFile *file = (BBTIFFFile *)handle;
    if (whence == SEEK_SET) file->position = offset;
    if (whence == SEEK_CUR) file->position += offset;
    if (whence == SEEK_END) file->position = file->count + offset;
    return file->position;
}

static inline int bb_tiff_io_close(thandle_t handle) { return 0; }
static inline toff_t bb_tiff_io_size(thandle_t handle) { return ((BBTIFFFile *)handle)->count; }

static inline int bb_tiff_io_map(thandle_t handle, void *_Nullable *_Nonnull base, toff_t *size) {
    BBTIFFFile *file = (BBTIFFFile *)handle;
    if (!file->bytes) return 0;
    *base = (void *)file->bytes;
    *size = file->count;
    return 1;
}

static inline void bb_tiff_io_unmap(thandle_t handle, void *base, toff_t size) {}

// MARK: Opening

#if BB_TIFF_HAS_OPEN_OPTIONS
static inline int bb_tiff_keep_error(TIFF *tiff, void *user, const char *module, const char *format, va_list values) {
    BBTIFFFile *file = (BBTIFFFile *)user;
    if (!file->message[0]) vsnprintf(file->message, BBTIFFMessageLength, format, values);
    return 1;
}

static inline int bb_tiff_ignore(TIFF *tiff, void *user, const char *module, const char *format, va_list values) {
    return 1;
}

static inline TIFF *_Nullable bb_tiff_open_client(BBTIFFFile *file, const char *mode, tmsize_t largest_block) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options) return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, bb_tiff_keep_error, file);
    TIFFOpenOptionsSetWarningHandlerExtR(options, bb_tiff_ignore, file);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, largest_block);
    TIFF *tiff = TIFFClientOpenExt(
        "memory", mode, file, bb_tiff_io_read, bb_tiff_io_write, bb_tiff_io_seek, bb_tiff_io_close, bb_tiff_io_size,
        bb_tiff_io_map, bb_tiff_io_unmap, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}
#else
/// Older ones have only handlers for the whole process, which are silenced; the reasons are lost.
static inline TIFF *_Nullable bb_tiff_open_client(BBTIFFFile *file, const char *mode, tmsize_t largest_block) {
    TIFFSetErrorHandler(NULL);
    TIFFSetWarningHandler(NULL);
    return TIFFClientOpen(
        "memory", mode, file, bb_tiff_io_read, bb_tiff_io_write, bb_tiff_io_seek, bb_tiff_io_close, bb_tiff_io_size,
        bb_tiff_io_map, bb_tiff_io_unmap);
}
#endif

static inline void bb_tiff_destroy(BBTIFFFile *file) {
    if (file->tiff) TIFFClose(file->tiff);
    free(file->written);
    free(file);
}

/// For reading bytes that must stay until the file is destroyed. Opens nothing yet; NULL when there is no memory.
static inline BBTIFFFile *_Nullable bb_tiff_create_reader(const uint8_t *bytes, size_t count) {
    BBTIFFFile *file = (BBTIFFFile *)calloc(1, sizeof(BBTIFFFile));
    if (!file) return NULL;
    file->bytes = bytes;
    file->count = count;
    return file;
}

/// Reads the first directory, and then the one at `offset`. No block that libtiff takes for itself is larger than said.
static inline bool bb_tiff_open(BBTIFFFile *file, uint64_t offset, size_t largest_block) {
    file->tiff = bb_tiff_open_client(file, "r", (tmsize_t)largest_block);
    if (!file->tiff) return false;
    return TIFFCurrentDirOffset(file->tiff) == offset || TIFFSetSubDirectory(file->tiff, offset);
}

static inline BBTIFFFile *_Nullable bb_tiff_create_writer(bool is_big) {
    BBTIFFFile *file = (BBTIFFFile *)calloc(1, sizeof(BBTIFFFile));
    if (!file) return NULL;
    file->tiff = bb_tiff_open_client(file, is_big ? "w8" : "w", 0);
    if (file->tiff) return file;
    bb_tiff_destroy(file);
    return NULL;
}

/// Writes what is left. The bytes stay until the file is destroyed.
static inline bool bb_tiff_finish_writing(BBTIFFFile *file) {
    if (!file->tiff || !TIFFFlush(file->tiff)) return false;
    TIFFClose(file->tiff);
    file->tiff = NULL;
    return !file->lacks_memory && !file->message[0];
}

static inline const char *bb_tiff_message(BBTIFFFile *file) {
    return file->message[0] ? file->message : "it cannot be read";
}

// MARK: Fields

static inline uint16_t bb_tiff_get16(BBTIFFFile *file, uint32_t tag, uint16_t otherwise) {
    uint16_t value = 0;
    return TIFFGetFieldDefaulted(file->tiff, tag, &value) ? value : otherwise;
}

static inline uint32_t bb_tiff_get32(BBTIFFFile *file, uint32_t tag, uint32_t otherwise) {
    uint32_t value = 0;
    return TIFFGetFieldDefaulted(file->tiff, tag, &value) ? value : otherwise;
}

/// A profile.
static inline const uint8_t *_Nullable bb_tiff_get_bytes(BBTIFFFile *file, uint32_t tag, uint32_t *count) {
    const uint8_t *bytes = NULL;
    return TIFFGetField(file->tiff, tag, count, &bytes) ? bytes : NULL;
}

static inline const uint16_t *_Nullable bb_tiff_get_extra_samples(BBTIFFFile *file, uint16_t *count) {
    const uint16_t *kinds = NULL;
    return TIFFGetFieldDefaulted(file->tiff, TIFFTAG_EXTRASAMPLES, count, &kinds) ? kinds : NULL;
}

/// Each has as many values as there are numbers of colours.
static inline bool bb_tiff_get_palette(
    BBTIFFFile *file, const uint16_t *_Nullable *_Nonnull red, const uint16_t *_Nullable *_Nonnull green,
    const uint16_t *_Nullable *_Nonnull blue) {
    return TIFFGetField(file->tiff, TIFFTAG_COLORMAP, red, green, blue);
}

/// YCbCr that JPEG has made smaller comes as RGB.
static inline void bb_tiff_ask_for_rgb(BBTIFFFile *file) {
    TIFFSetField(file->tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
}

static inline bool bb_tiff_set16(BBTIFFFile *file, uint32_t tag, int value) {
    return TIFFSetField(file->tiff, tag, value);
}
static inline bool bb_tiff_set32(BBTIFFFile *file, uint32_t tag, uint32_t value) {
    return TIFFSetField(file->tiff, tag, value);
}
static inline bool bb_tiff_set_float(BBTIFFFile *file, uint32_t tag, double value) {
    return TIFFSetField(file->tiff, tag, value);
}
static inline bool bb_tiff_set_bytes(BBTIFFFile *file, uint32_t tag, uint32_t count, const void *bytes) {
    return TIFFSetField(file->tiff, tag, count, bytes);
}
static inline bool bb_tiff_set_straight_alpha(BBTIFFFile *file) {
    uint16_t kind = EXTRASAMPLE_UNASSALPHA;
    return TIFFSetField(file->tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
}

// MARK: Pixels

/// Some rows as words of alpha, blue, green and red, premultiplied, the first stored row first, whatever the
/// orientation.
static inline bool bb_tiff_read_words(BBTIFFFile *file, uint32_t row, uint32_t width, uint32_t height, uint32_t *words) {
    TIFFRGBAImage image;
    char message[1024] = "";
    if (!TIFFRGBAImageOK(file->tiff, message) || !TIFFRGBAImageBegin(&image, file->tiff, 0, message)) {
        if (!file->message[0]) strncpy(file->message, message, BBTIFFMessageLength - 1);
        return false;
    }
    image.orientation = image.req_orientation = ORIENTATION_TOPLEFT;
    image.row_offset = (int)row;
    bool is_read = TIFFRGBAImageGet(&image, words, width, height);
    TIFFRGBAImageEnd(&image);
    return is_read;
}

#pragma clang assume_nonnull end
