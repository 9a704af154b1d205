/// libjxl: what differs between its versions, a limit for its memory, and what wants pointers that stay.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>
#include <jxl/version.h>

#pragma clang assume_nonnull begin

// MARK: Memory

/// How much memory a decoder has and may have. Versions before 0.10 take that of their pictures elsewhere.
typedef struct {
    size_t used, limit;
} BBJXLMemory;

/// What stands before each block, so that the block itself is aligned for everything.
typedef union {
    size_t size;
    max_align_t alignment;
} BBJXLBlockHeader;

static inline void *_Nullable bb_jxl_allocate(void *_Nullable opaque, size_t size) {
    BBJXLMemory *memory = (BBJXLMemory *)opaque;
    if (size > memory->limit || memory->used > memory->limit - size) return NULL;
    BBJXLBlockHeader *block = (BBJXLBlockHeader *)malloc(sizeof(BBJXLBlockHeader) + size);
    if (!block) return NULL;
    block->size = size;
    memory->used += size;
    return block + 1;
}

static inline void bb_jxl_free(void *_Nullable opaque, void *_Nullable address) {
    if (!address) return;
    BBJXLMemory *memory = (BBJXLMemory *)opaque;
    BBJXLBlockHeader *block = (BBJXLBlockHeader *)address - 1;
    memory->used -= block->size;
    free(block);
}

// MARK: Reading

typedef struct {
    BBJXLMemory memory;
    JxlDecoder *_Nullable decoder;
    JxlBasicInfo info;
    /// The file's colours; meaningless without `has_encoding`.
    JxlColorEncoding encoding;
    bool has_encoding;
    /// The channel of black ink, or -1.
    int black_channel;
} BBJXLReader;

/// Before 0.9 both functions had a pixel format, unused, among their parameters.
#define BB_JXL_HAS_UNUSED_FORMAT (JPEGXL_MAJOR_VERSION == 0 && JPEGXL_MINOR_VERSION < 9)

/// Whether the colours are some that the library has names for; these then.
static inline bool bb_jxl_get_encoding(const BBJXLReader *reader, JxlColorProfileTarget target,
                                       JxlColorEncoding *encoding) {
#if BB_JXL_HAS_UNUSED_FORMAT
    return JxlDecoderGetColorAsEncodedProfile(reader->decoder, NULL, target, encoding) == JXL_DEC_SUCCESS;
#else
    return JxlDecoderGetColorAsEncodedProfile(reader->decoder, target, encoding) == JXL_DEC_SUCCESS;
#endif
}

/// The length of the ICC profile; 0 where there is none.
static inline size_t bb_jxl_icc_size(const BBJXLReader *reader, JxlColorProfileTarget target) {
    size_t size = 0;
#if BB_JXL_HAS_UNUSED_FORMAT
    JxlDecoderStatus status = JxlDecoderGetICCProfileSize(reader->decoder, NULL, target, &size);
#else
    JxlDecoderStatus status = JxlDecoderGetICCProfileSize(reader->decoder, target, &size);
#endif
    return status == JXL_DEC_SUCCESS ? size : 0;
}

static inline bool bb_jxl_get_icc(const BBJXLReader *reader, JxlColorProfileTarget target, uint8_t *bytes,
                                  size_t size) {
#if BB_JXL_HAS_UNUSED_FORMAT
    return JxlDecoderGetColorAsICCProfile(reader->decoder, NULL, target, bytes, size) == JXL_DEC_SUCCESS;
#else
    return JxlDecoderGetColorAsICCProfile(reader->decoder, target, bytes, size) == JXL_DEC_SUCCESS;
#endif
}

static inline void bb_jxl_reader_destroy(BBJXLReader *reader) {
    JxlDecoderDestroy(reader->decoder);
    free(reader);
}

/// NULL when there is no memory. One thread decodes: the others have other pictures to decode. A second one would take a
/// third off the time of a lossy photograph (51 to 36 ms), and nothing off that of a lossless one.
static inline BBJXLReader *_Nullable bb_jxl_reader_create(int events, size_t memory_limit) {
    BBJXLReader *reader = (BBJXLReader *)calloc(1, sizeof(BBJXLReader));
    if (!reader) return NULL;
    reader->memory.limit = memory_limit;
    reader->black_channel = -1;
    JxlMemoryManager manager = {&reader->memory, bb_jxl_allocate, bb_jxl_free};
    reader->decoder = JxlDecoderCreate(&manager);
    if (reader->decoder && JxlDecoderSubscribeEvents(reader->decoder, events) == JXL_DEC_SUCCESS &&
        JxlDecoderSetKeepOrientation(reader->decoder, JXL_TRUE) == JXL_DEC_SUCCESS &&
        JxlDecoderSetUnpremultiplyAlpha(reader->decoder, JXL_TRUE) == JXL_DEC_SUCCESS) {
        return reader;
    }
    bb_jxl_reader_destroy(reader);
    return NULL;
}

/// Reads the facts, at the event that says they are there.
static inline bool bb_jxl_reader_read_info(BBJXLReader *reader) {
    if (JxlDecoderGetBasicInfo(reader->decoder, &reader->info) != JXL_DEC_SUCCESS) return false;
    for (uint32_t index = 0; index < reader->info.num_extra_channels; index++) {
        JxlExtraChannelInfo channel;
        if (JxlDecoderGetExtraChannelInfo(reader->decoder, index, &channel) != JXL_DEC_SUCCESS) return false;
        if (channel.type == JXL_CHANNEL_BLACK && reader->black_channel < 0) reader->black_channel = (int)index;
    }
    return true;
}

/// Settles the colours of the pixels, where the file leaves a choice, at the event that says that its own are known:
/// sRGB, or, with `keeps_colors`, those of the file where the library has a name for them. Bright light is bent into
/// what screens show where sRGB is wanted of more.
static inline void bb_jxl_reader_settle_colors(BBJXLReader *reader, bool keeps_colors) {
    const float screen = 255;
    reader->has_encoding =
        bb_jxl_get_encoding(reader, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &reader->encoding);
    if (reader->info.uses_original_profile) return;
    JxlColorEncoding wanted;
    JxlColorEncodingSetToSRGB(&wanted, reader->info.num_color_channels == 1);
    bool keeps = keeps_colors && reader->has_encoding;
    JxlDecoderSetPreferredColorProfile(reader->decoder, keeps ? &reader->encoding : &wanted);
    if (!keeps && reader->info.intensity_target > screen) {
        JxlDecoderSetDesiredIntensityTarget(reader->decoder, screen);
    }
}

/// Where the picture goes: straight red, green, blue and alpha, of 8 or 16 bits in the machine's order; and its black
/// ink, where it has some, to a plane. Both stay until the picture is complete or nothing is decoded any more.
static inline bool bb_jxl_reader_set_pixels(BBJXLReader *reader, bool has_16_bits, void *pixels, size_t byte_count,
                                            void *_Nullable black, size_t black_byte_count) {
    JxlPixelFormat format = {4, has_16_bits ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    size_t needed = 0;
    if (JxlDecoderImageOutBufferSize(reader->decoder, &format, &needed) != JXL_DEC_SUCCESS) return false;
    if (needed > byte_count) return false;
    if (JxlDecoderSetImageOutBuffer(reader->decoder, &format, pixels, byte_count) != JXL_DEC_SUCCESS) return false;
    if (!black) return true;
    format.num_channels = 1;
    return JxlDecoderSetExtraChannelBuffer(reader->decoder, &format, black, black_byte_count,
                                           (uint32_t)reader->black_channel) == JXL_DEC_SUCCESS;
}

/// Darkens straight pixels by a plane of black ink; in both the full value is no ink.
static inline void bb_jxl_apply_black(void *pixels, const void *black, size_t pixel_count, bool has_16_bits) {
    for (size_t index = 0; index < pixel_count; index++) {
        for (size_t color = 0; color < 3; color++) {
            if (has_16_bits) {
                uint16_t *component = (uint16_t *)pixels + 4 * index + color;
                *component = (uint16_t)(((uint64_t)*component * ((const uint16_t *)black)[index] + 32767) / 65535);
            } else {
                uint8_t *component = (uint8_t *)pixels + 4 * index + color;
                *component = (uint8_t)((*component * ((const uint8_t *)black)[index] + 127) / 255);
            }
        }
    }
}

// MARK: Reading what stands beside the picture

/// The content of one box.
typedef struct {
    uint8_t *_Nullable bytes;
    size_t count, capacity;
} BBJXLBlock;

typedef enum {
    BBJXLBlocksRead,
    /// They are larger than allowed, once unpacked.
    BBJXLBlocksTooLarge,
    BBJXLBlocksLackMemory,
} BBJXLBlocksStatus;

static inline bool bb_jxl_block_grow(BBJXLBlock *block, size_t capacity) {
    uint8_t *bytes = (uint8_t *)realloc(block->bytes, capacity);
    if (!bytes) return false;
    block->bytes = bytes;
    block->capacity = capacity;
    return true;
}

/// Which block the box at which the decoder is goes to; NULL for others, and for a second one.
static inline BBJXLBlock *_Nullable bb_jxl_block_for_box(JxlDecoder *decoder, BBJXLBlock *exif, BBJXLBlock *xmp) {
    JxlBoxType type;
    if (JxlDecoderGetBoxType(decoder, type, JXL_TRUE) != JXL_DEC_SUCCESS) return NULL;
    if (!exif->bytes && memcmp(type, "Exif", 4) == 0) return exif;
    if (!xmp->bytes && memcmp(type, "xml ", 4) == 0) return xmp;
    return NULL;
}

/// Reads the boxes `Exif` and `xml `, unpacked, into blocks that are freed by the caller; damage ends the reading. The
/// reader is one for the event `JXL_DEC_BOX`, and is of no use afterwards.
static inline BBJXLBlocksStatus bb_jxl_reader_read_blocks(BBJXLReader *reader, const uint8_t *_Nullable bytes,
                                                          size_t count, size_t limit, BBJXLBlock *exif,
                                                          BBJXLBlock *xmp) {
    const size_t first_capacity = 16 << 10;
    JxlDecoder *decoder = reader->decoder;
    BBJXLBlock *block = NULL;
    JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE);
    JxlDecoderSetInput(decoder, bytes, count);
    JxlDecoderCloseInput(decoder);
    for (;;) {
        JxlDecoderStatus status = JxlDecoderProcessInput(decoder);
        if (block) {
            block->count = block->capacity - JxlDecoderReleaseBoxBuffer(decoder);
            if (exif->count + xmp->count > limit) return BBJXLBlocksTooLarge;
        }
        if (status == JXL_DEC_BOX) {
            block = bb_jxl_block_for_box(decoder, exif, xmp);
            if (block && !bb_jxl_block_grow(block, first_capacity)) return BBJXLBlocksLackMemory;
        } else if (status == JXL_DEC_BOX_NEED_MORE_OUTPUT && block) {
            if (!bb_jxl_block_grow(block, 2 * block->capacity)) return BBJXLBlocksLackMemory;
        } else {
            return BBJXLBlocksRead;
        }
        if (block) JxlDecoderSetBoxBuffer(decoder, block->bytes + block->count, block->capacity - block->count);
    }
}

// MARK: Writing

/// Packs pixels of four components of 8 or 16 bits to red, green, blue and, with `has_alpha`, alpha. That of opaque
/// pictures has no meaning and becomes full.
static inline void bb_jxl_pack(void *target, const void *source, size_t pixel_count, bool has_alpha, bool has_16_bits,
                               bool is_opaque, bool begins_with_blue) {
    const size_t count = has_alpha ? 4 : 3;
    for (size_t index = 0; index < pixel_count; index++) {
        for (size_t component = 0; component < count; component++) {
            size_t place = 4 * index + (begins_with_blue && component < 3 ? 2 - component : component);
            bool is_full = component == 3 && is_opaque;
            if (has_16_bits) {
                ((uint16_t *)target)[count * index + component] = is_full ? 65535 : ((const uint16_t *)source)[place];
            } else {
                ((uint8_t *)target)[count * index + component] = is_full ? 255 : ((const uint8_t *)source)[place];
            }
        }
    }
}

#pragma clang assume_nonnull end
