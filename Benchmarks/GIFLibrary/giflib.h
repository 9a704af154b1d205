/// What `libgif.so.7` (giflib 5) has in memory, as far as decoding needs it. The library itself is loaded while running:
/// only a benchmark wants it, and it need not be there.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct {
    uint8_t red, green, blue;
} GIFLibraryColor;

typedef struct {
    int color_count;
    int bits_per_pixel;
    bool is_sorted;
    GIFLibraryColor *colors;
} GIFLibraryPalette;

typedef struct {
    int left, top, width, height;
    bool is_interlaced;
    GIFLibraryPalette *_Nullable palette;
} GIFLibraryDescription;

typedef struct {
    GIFLibraryDescription description;
    uint8_t *indices;
    int extension_count;
    void *_Nullable extensions;
} GIFLibraryPicture;

typedef struct {
    int width, height, color_resolution, background;
    uint8_t aspect;
    GIFLibraryPalette *_Nullable palette;
    int picture_count;
    GIFLibraryDescription newest;
    GIFLibraryPicture *_Nullable pictures;
    int extension_count;
    void *_Nullable extensions;
    int error;
    void *_Nullable user_data;
    void *_Nullable private_data;
} GIFLibraryFile;

/// Gives the next bytes of the file; how many.
typedef int (*GIFLibraryRead)(GIFLibraryFile *file, uint8_t *bytes, int count);

/// `DGifOpen`
typedef GIFLibraryFile *_Nullable (*GIFLibraryOpen)(void *user_data, GIFLibraryRead read, int *_Nullable error);
/// `DGifSlurp`: everything in the file; 1 where that succeeds.
typedef int (*GIFLibrarySlurp)(GIFLibraryFile *file);
/// `DGifCloseFile`
typedef int (*GIFLibraryClose)(GIFLibraryFile *file, int *_Nullable error);

#pragma clang assume_nonnull end
