/// libavif, versions 0.11 to 1.x, behind functions that are the same for all of them. It leaves by results, never by a
/// jump, so that Swift may call it itself wherever its versions agree.
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <avif/avif.h>

#pragma clang assume_nonnull begin

// MARK: Reading

/// One decoder over bytes that may still be arriving.
typedef struct {
    avifDecoder *decoder;
    avifIO io;
    const uint8_t *_Nullable bytes;
    size_t count;
    /// No more bytes will come.
    bool is_complete;
    /// The parsing is over.
    bool reads_pixels;
} BBAVIFReader;

/// What lies behind the last byte is waited for even when no more will come, because libavif forgets the rows that it
/// has when a read fails, and not when one waits. While it looks for boxes it must be told where the file ends.
static inline avifResult bb_avif_read(
    avifIO *io, uint32_t flags, uint64_t offset, size_t size, avifROData *result
) {
    const BBAVIFReader *reader = (const BBAVIFReader *)io->data;
    if (flags != 0 || !reader->bytes) return AVIF_RESULT_IO_ERROR;
    if (offset > reader->count) return AVIF_RESULT_WAITING_ON_IO;
    size_t rest = reader->count - (size_t)offset;
    bool is_at_end = rest == 0 && reader->is_complete && !reader->reads_pixels;
    if (size > rest && !is_at_end) return AVIF_RESULT_WAITING_ON_IO;
    result->data = reader->bytes + offset;
    result->size = size < rest ? size : rest;
    return AVIF_RESULT_OK;
}

static inline void bb_avif_reader_destroy(BBAVIFReader *_Nullable reader) {
    if (!reader) return;
    if (reader->decoder) avifDecoderDestroy(reader->decoder);
    free(reader);
}

/// Null without memory. With `keeps_bytes` the bytes stay where they are for as long as the reader lives; else libavif
/// copies what it needs later.
static inline BBAVIFReader *_Nullable bb_avif_reader_create(bool keeps_bytes) {
    BBAVIFReader *reader = (BBAVIFReader *)calloc(1, sizeof(BBAVIFReader));
    if (!reader) return NULL;
    reader->decoder = avifDecoderCreate();
    if (!reader->decoder) {
        free(reader);
        return NULL;
    }
    reader->io.read = bb_avif_read;
    reader->io.persistent = keeps_bytes;
    reader->io.data = reader;
    reader->decoder->allowIncremental = AVIF_TRUE;
    reader->decoder->strictFlags = AVIF_STRICT_DISABLED;
    avifDecoderSetIO(reader->decoder, &reader->io);
    return reader;
}

/// libavif takes the memory for a part before it reads it, and ends the process when there is none: parts are no longer
/// than the file may be. More than has come is allowed, so that the frames before the end of a cut file can be had.
static inline void bb_avif_reader_give(
    BBAVIFReader *reader, const uint8_t *_Nullable bytes, size_t count, bool is_complete
) {
    reader->bytes = bytes;
    reader->count = count;
    reader->is_complete = is_complete;
    const size_t longest_cut_file = 1 << 28;
    reader->io.sizeHint = count > longest_cut_file ? count : longest_cut_file;
}

/// libavif's words for what went wrong last.
static inline const char *bb_avif_message(const avifDiagnostics *diagnostics, avifResult result) {
    return diagnostics->error[0] ? diagnostics->error : avifResultToString(result);
}

/// 0: top and bottom change places; 1: left and right do.
static inline uint8_t bb_avif_mirror(const avifImage *image) {
#if AVIF_VERSION >= 1000000
    return image->imir.axis;
#else
    return image->imir.mode;
#endif
}

typedef struct {
    uint8_t *pixels;
    uint32_t bytes_per_row;
    /// The first rows, as many as there are to be converted.
    uint32_t row_count;
    bool begins_with_blue;
    /// 16 bits a component instead of 8.
    bool is_deep;
    /// Colour of a lower resolution is repeated instead of interpolated.
    bool is_fast;
    bool is_premultiplied;
} BBAVIFPixels;

static inline avifResult bb_avif_convert(const avifImage *image, BBAVIFPixels result) {
    avifRGBImage pixels;
    avifRGBImageSetDefaults(&pixels, image);
    pixels.depth = result.is_deep ? 16 : 8;
    pixels.format = result.begins_with_blue ? AVIF_RGB_FORMAT_BGRA : AVIF_RGB_FORMAT_RGBA;
    if (result.is_fast) pixels.chromaUpsampling = AVIF_CHROMA_UPSAMPLING_FASTEST;
    pixels.alphaPremultiplied = result.is_premultiplied;
    pixels.pixels = result.pixels;
    pixels.rowBytes = result.bytes_per_row;
    if (result.row_count >= image->height) return avifImageYUVToRGB(image, &pixels);

    avifImage *rows = avifImageCreateEmpty();
    if (!rows) return AVIF_RESULT_OUT_OF_MEMORY;
    avifCropRect part = {0, 0, image->width, result.row_count};
    avifResult outcome = avifImageSetViewRect(rows, image, &part);
    pixels.height = result.row_count;
    if (outcome == AVIF_RESULT_OK) outcome = avifImageYUVToRGB(rows, &pixels);
    avifImageDestroy(rows);
    return outcome;
}

// MARK: Writing

/// 0 plays for ever.
static inline void bb_avif_set_loop_count(avifEncoder *encoder, int count) {
#if AVIF_VERSION >= 1000000
    encoder->repetitionCount = count > 0 ? count - 1 : AVIF_REPETITION_COUNT_INFINITE;
#endif
}

/// 0 is the best, 63 the worst. Alpha is kept as it is.
static inline void bb_avif_set_quantizer(avifEncoder *encoder, int quantizer) {
#if AVIF_VERSION >= 1000000
    encoder->quality = 100 - (quantizer * 100 + 31) / 63;
    encoder->qualityAlpha = 100;
#else
    encoder->minQuantizer = quantizer;
    encoder->maxQuantizer = quantizer;
    encoder->minQuantizerAlpha = 0;
    encoder->maxQuantizerAlpha = 0;
#endif
}

static inline avifResult bb_avif_set_icc(avifImage *image, const uint8_t *bytes, size_t count) {
#if AVIF_VERSION >= 1000000
    return avifImageSetProfileICC(image, bytes, count);
#else
    avifImageSetProfileICC(image, bytes, count);
    return AVIF_RESULT_OK;
#endif
}

static inline avifResult bb_avif_set_exif(avifImage *image, const uint8_t *bytes, size_t count) {
#if AVIF_VERSION >= 1000000
    return avifImageSetMetadataExif(image, bytes, count);
#else
    avifImageSetMetadataExif(image, bytes, count);
    return AVIF_RESULT_OK;
#endif
}

static inline avifResult bb_avif_set_xmp(avifImage *image, const uint8_t *bytes, size_t count) {
#if AVIF_VERSION >= 1000000
    return avifImageSetMetadataXMP(image, bytes, count);
#else
    avifImageSetMetadataXMP(image, bytes, count);
    return AVIF_RESULT_OK;
#endif
}

/// Quarter turns counterclockwise, then `mirror` as above, or a negative number for none. Replaces what there is: setting
/// EXIF data sets the orientation that they have.
static inline void bb_avif_set_orientation(avifImage *image, int turns, int mirror) {
    image->transformFlags &= ~(avifTransformFlags)(AVIF_TRANSFORM_IROT | AVIF_TRANSFORM_IMIR);
    if (turns > 0) image->transformFlags |= AVIF_TRANSFORM_IROT;
    image->irot.angle = (uint8_t)turns;
    if (mirror < 0) return;
    image->transformFlags |= AVIF_TRANSFORM_IMIR;
#if AVIF_VERSION >= 1000000
    image->imir.axis = (uint8_t)mirror;
#else
    image->imir.mode = (uint8_t)mirror;
#endif
}

typedef struct {
    const uint8_t *pixels;
    uint32_t bytes_per_row;
    bool begins_with_blue;
    bool is_deep;
    bool is_opaque;
    bool is_premultiplied;
} BBAVIFSource;

static inline avifResult bb_avif_fill(avifImage *image, BBAVIFSource source) {
    avifRGBImage pixels;
    avifRGBImageSetDefaults(&pixels, image);
    pixels.depth = source.is_deep ? 16 : 8;
    pixels.format = source.begins_with_blue ? AVIF_RGB_FORMAT_BGRA : AVIF_RGB_FORMAT_RGBA;
    pixels.ignoreAlpha = source.is_opaque;
    pixels.alphaPremultiplied = source.is_premultiplied;
    pixels.pixels = (uint8_t *)source.pixels;
    pixels.rowBytes = source.bytes_per_row;
    return avifImageRGBToYUV(image, &pixels);
}

#pragma clang assume_nonnull end
