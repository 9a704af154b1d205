/// Pixel kernels that want the processor's vector instructions, chosen while running.
///
/// A pixel is four bytes. Except where a name says otherwise it is premultiplied and its last byte is alpha, so the
/// resampler serves BGRA and RGBA alike. Nothing here keeps global state: every function may be called on any thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define BB_NULLABLE _Nullable
#else
#define BB_NULLABLE
#endif

// MARK: Instruction sets

/// What a kernel may use. Each set includes the ones before it.
typedef enum {
    BBInstructionSetPlain,
    BBInstructionSetSSE41,
    BBInstructionSetAVX2,
} BBInstructionSet;

/// The richest set this processor has.
BBInstructionSet bb_best_instruction_set(void);

// MARK: Resampling

typedef enum {
    /// The mean of the area a destination pixel covers. Enlarged pixels keep sharp edges.
    BBResampleBox,
    /// Four source pixels wide when enlarging: sharp, with little ringing.
    BBResampleCatmullRom,
    /// Six source pixels wide when enlarging: the sharpest, with some ringing.
    BBResampleLanczos3,
} BBResampleFilter;

typedef struct {
    size_t width;
    size_t height;
} BBPixelSize;

/// The longest side of an image the resampler takes, in pixels.
#define BB_LONGEST_SIDE ((size_t)1 << 24)

/// The coefficients to bring images of one size to another. It never changes once made: threads may share it.
typedef struct BBResampler BBResampler;

/// Prepares to bring images of one size to another, each axis by itself, up or down.
///
/// With `is_opaque` the fourth byte of the source is ignored and that of the destination is 255; otherwise no colour
/// of the destination exceeds its alpha. A flat colour stays exactly that colour. Every instruction set gives the same
/// bytes; one the processor lacks is replaced by its best.
///
/// NULL when a side is 0 or over `BB_LONGEST_SIDE`, when the filter is unknown, and when there is not enough memory.
BBResampler *BB_NULLABLE bb_resampler_create(BBPixelSize source, BBPixelSize destination, BBResampleFilter filter,
                                             bool is_opaque, BBInstructionSet instruction_set);

/// Writes `row_count` rows of the destination, from `first_row` on; both images are given by their first row, and may
/// not overlap. Rows come out the same in whatever bands they are asked for, and bytes after a row's end stay as they
/// were. Each call prepares its working memory anew (a few rows): bands of 32 rows or more make that disappear.
///
/// False, with nothing written, when the rows are not all in the destination, when the bytes of a row are fewer than
/// its pixels need or so many that the image could not be in memory, and when there is not enough memory.
bool bb_resampler_run(const BBResampler *resampler, const uint8_t *source, size_t source_bytes_per_row,
                      uint8_t *destination, size_t destination_bytes_per_row, size_t first_row, size_t row_count);

void bb_resampler_destroy(BBResampler *BB_NULLABLE resampler);

// MARK: Premultiplying

/// Straight RGBA to premultiplied BGRA. Both pointers may be the same.
/// Exact: each colour becomes colour × alpha ÷ 255, rounded to the nearest.
void bb_premultiply_rgba_to_bgra(const uint8_t *source, uint8_t *destination, size_t pixel_count);

/// Straight BGRA to premultiplied BGRA, in place. Exact as above.
void bb_premultiply_bgra(uint8_t *pixels, size_t pixel_count);

/// Premultiplied BGRA to straight RGBA. Both pointers may be the same.
/// Each colour becomes colour × 255 ÷ alpha, rounded to the nearest and at most 255; without alpha it becomes 0.
void bb_unpremultiply_bgra_to_rgba(const uint8_t *source, uint8_t *destination, size_t pixel_count);

// MARK: Blending

/// The operators of Porter and Duff, and the separable modes of W3C Compositing and Blending Level 1.
typedef enum {
    BBBlendClear,
    BBBlendSource,
    BBBlendDestination,
    BBBlendSourceOver,
    BBBlendDestinationOver,
    BBBlendSourceIn,
    BBBlendDestinationIn,
    BBBlendSourceOut,
    BBBlendDestinationOut,
    BBBlendSourceAtop,
    BBBlendDestinationAtop,
    BBBlendXor,
    BBBlendPlus,
    BBBlendMultiply,
    BBBlendScreen,
    BBBlendOverlay,
    BBBlendDarken,
    BBBlendLighten,
    BBBlendColorDodge,
    BBBlendColorBurn,
    BBBlendHardLight,
    BBBlendSoftLight,
    BBBlendDifference,
    BBBlendExclusion,
} BBBlendMode;

#define BB_BLEND_MODE_COUNT 24

/// How one row is laid on another. `opacity` multiplies the alpha of the source: 255 leaves it as it is.
typedef struct {
    BBBlendMode mode;
    uint8_t opacity;
    BBInstructionSet instruction_set;
} BBBlending;

/// Lays the row `source` on the row `destination`. The result is within one of the exact one in every byte, and every
/// instruction set gives the same bytes. Nothing is done for a mode that does not exist.
void bb_blend_row(BBBlending blending, const uint8_t *source, uint8_t *destination, size_t pixel_count);

/// The same with a source of one pixel throughout.
void bb_blend_pixel(BBBlending blending, uint32_t source, uint8_t *destination, size_t pixel_count);

// MARK: Turning

/// Rows become columns: pixel `x` of row `y` of the destination, which has `width` by `height` pixels, is pixel `y` of
/// row `x` of the source. A step is the bytes from one row to the next; negative with the last row's address, it takes
/// the rows from the bottom, which makes a quarter turn of it. The pictures may not overlap.
void bb_transpose(const uint8_t *source, ptrdiff_t source_step, uint8_t *destination, ptrdiff_t destination_step,
                  size_t width, size_t height);

/// The pixels of a row in the opposite order. The rows may not overlap.
void bb_mirror_row(const uint8_t *source, uint8_t *destination, size_t pixel_count);

// MARK: Sampling

/// A picture of premultiplied pixels.
typedef struct {
    const uint8_t *pixels;
    size_t bytes_per_row;
    size_t width;
    size_t height;
} BBPicture;

/// Positions are fixed-point numbers with this many bits after the point; at 0 lies the middle of the first pixel.
#define BB_POSITION_BITS 24

/// Where a row of pixels lies in a picture: its first one, and the steps from each to the next. No position on the way
/// leaves 64 bits.
typedef struct {
    int64_t x, y;
    int64_t x_step, y_step;
} BBLine;

/// Each pixel is mixed of the four around its position, in 256ths of their distances. Outside the picture all pixels
/// are `background`, which is premultiplied; so edges are smooth. A flat colour stays exactly that colour.
void bb_sample_row(BBPicture picture, BBLine line, uint32_t background, uint8_t *destination, size_t pixel_count);

// MARK: Covering

/// Lays one premultiplied colour over pixels.
void bb_lay_over(uint32_t color, uint8_t *pixels, size_t pixel_count);

/// Lays one premultiplied colour under pixels.
void bb_lay_under(uint32_t color, uint8_t *pixels, size_t pixel_count);

// MARK: CMYK

/// CMYK to opaque BGRA without a colour profile. Both pointers may be the same.
/// `is_inverted` says that 255 is no ink, as Adobe's programs write it; otherwise 255 is full ink.
void bb_cmyk_to_bgra(const uint8_t *source, uint8_t *destination, size_t pixel_count, bool is_inverted);

// MARK: Unfiltering

/// Undoes the filter (0 to 4) of one row of a PNG file in place. `previous` is the row above with its own undone, zeroes
/// above the first. Every instruction set gives the same bytes; one the processor lacks is replaced by its best.
///
/// False, with nothing written, for a filter that does not exist, and when the row is not made of whole pixels.
bool bb_unfilter_row(uint8_t filter, uint8_t *row, const uint8_t *previous, size_t byte_count, size_t bytes_per_pixel,
                     BBInstructionSet instruction_set);

// MARK: Expanding

/// Three bytes a pixel become four, the last 255. `swaps` exchanges the first and the third.
void bb_expand_rgb(const uint8_t *source, uint8_t *destination, size_t pixel_count, bool swaps,
                   BBInstructionSet instruction_set);

/// Grey and alpha become straight BGRA, or RGBA, which are the same.
void bb_expand_gray_alpha(const uint8_t *source, uint8_t *destination, size_t pixel_count);

/// Indices of 1, 2, 4 or 8 bits, the first of a byte in its highest ones, become the pixels that `table` has for them;
/// it has two to the power of `bits`. False, with nothing written, for any other `bits`.
bool bb_look_up(const uint8_t *source, int bits, const uint32_t *table, uint8_t *destination, size_t pixel_count);

/// Every pixel that is `pixel` becomes `replacement`.
void bb_replace_pixel(uint8_t *pixels, size_t pixel_count, uint32_t pixel, uint32_t replacement);

// MARK: Colours

/// The entries of a table from light to encoded values, less one.
#define BB_LIGHT_STEPS 16384

/// How the colours of one space become those of another: by tables to light, through a matrix, and by a table back.
/// White has the light 1. Nothing of it is changed: threads may share it.
typedef struct {
    /// The light of each value of red, green and blue: 256 entries each, or 65,536 for components of 16 bits.
    const float *red, *green, *blue;
    /// Row by row.
    float matrix[9];
    /// For the light i ÷ BB_LIGHT_STEPS, the value of 8 bits, and the same of 16 bits before it is rounded.
    const uint8_t *encoded;
    const float *encoded_wide;
    /// For the luminance i ÷ BB_LIGHT_STEPS, the factor by which all light grows before the matrix; NULL for none.
    const float *BB_NULLABLE luminance_factors;
    /// What red, green and blue have of the luminance.
    float luminance_weights[3];
    /// The light that becomes white; all light from `knee` on is bent towards it, hue and saturation kept. No light is
    /// bent where it is 1.
    float peak, knee;
} BBColorConversion;

/// Premultiplied BGRA; what is transparent is converted as what it was before. Both pointers may be the same.
void bb_convert_colors_bgra8(const BBColorConversion *conversion, const uint8_t *source, uint8_t *destination,
                             size_t pixel_count);

/// Straight RGBA. Both pointers may be the same.
void bb_convert_colors_rgba8(const BBColorConversion *conversion, const uint8_t *source, uint8_t *destination,
                             size_t pixel_count);

/// Straight RGBA of 16 bits. Both pointers may be the same.
void bb_convert_colors_rgba16(const BBColorConversion *conversion, const uint16_t *source, uint16_t *destination,
                              size_t pixel_count);

/// Each colour of premultiplied BGRA becomes a sum of the three, by the matrix for red, green and blue, row by row. It
/// is rounded to the nearest and kept between 0 and its alpha. In place.
void bb_transform_colors(const float *matrix, uint8_t *pixels, size_t pixel_count);

/// The same, but the straight colours go through `curve` first: for each of 256 values what it becomes, white being 1,
/// before the matrix. Colours may leave 0 to 1 in between.
void bb_adjust_colors(const float *curve, const float *matrix, uint8_t *pixels, size_t pixel_count);

/// Each straight colour of premultiplied BGRA becomes what the table for it has, which has 256 entries. In place.
void bb_look_up_components(const uint8_t *blue, const uint8_t *green, const uint8_t *red, uint8_t *pixels,
                           size_t pixel_count);

/// Where a value lies in one direction of a table of colours.
typedef struct {
    /// How much it takes of the two entries around it.
    int16_t near, far;
    /// How many entries lie before the nearer one.
    uint32_t offset;
} BBLookupPlace;

/// A cube of colours. Nothing of it is changed: threads may share it.
typedef struct {
    /// Twelve numbers an entry, of four neighbours each: its own, that of the next red, of the next green, and of the
    /// next of both; first blue, then green, then red. `BB_LOOKUP_ONE` is 255; what goes beyond is cut at the very end.
    /// Red changes from entry to entry, then green, then blue. Behind the last entry there are four more numbers.
    const int16_t *entries;
    /// How many entries a side has; at least 2.
    size_t side;
    /// Of the 256 values of blue, then green, then red. The two weights of a value add up to `BB_LOOKUP_WEIGHT`, those
    /// of red to what of the colours found is mixed into the picture.
    const BBLookupPlace *places;
    /// What stays of the picture.
    int16_t rest;
} BBColorLookup;

/// The number of an entry that stands for 255.
#define BB_LOOKUP_ONE 16320
#define BB_LOOKUP_WEIGHT 32767

/// Each straight colour of premultiplied BGRA becomes the one between the eight entries around it (trilinear). In place.
/// Every instruction set gives the same bytes.
void bb_look_up_colors(const BBColorLookup *lookup, uint8_t *pixels, size_t pixel_count,
                       BBInstructionSet instruction_set);

// MARK: Filtering

/// Filters a row for a PNG file: `result`, a byte longer than the row, becomes the filter and what it leaves. Of the
/// filters in `filters`, a bit each, it is the one that leaves the bytes nearest to 0. `scratch` is as long as the row.
void bb_filter_row(uint8_t filters, const uint8_t *row, const uint8_t *previous, size_t byte_count,
                   size_t bytes_per_pixel, uint8_t *scratch, uint8_t *result);

// MARK: Packing

/// Which of the four bytes of a pixel are kept, in the order in which they come out.
typedef struct {
    size_t count;
    uint8_t places[4];
} BBPackedBytes;

/// Leaves bytes of pixels out, or exchanges them.
void bb_pack_bytes(const uint8_t *source, uint8_t *destination, size_t pixel_count, BBPackedBytes kept);

/// The first `kept` of four words a pixel, the higher byte of each first.
void bb_pack_words(const uint16_t *source, uint8_t *destination, size_t pixel_count, size_t kept);

// MARK: Counting colours

/// What the pixels of a picture have in common.
typedef struct BBColorSurvey BBColorSurvey;

/// NULL when there is not enough memory.
BBColorSurvey *BB_NULLABLE bb_color_survey_create(void);
void bb_color_survey_destroy(BBColorSurvey *survey);

/// Looks at more pixels, of four bytes, the last one alpha.
void bb_color_survey_add(BBColorSurvey *survey, const uint8_t *pixels, size_t pixel_count);

/// Whether all fourth bytes are 255.
bool bb_color_survey_is_opaque(const BBColorSurvey *survey);
/// Whether the first three bytes of each pixel are the same.
bool bb_color_survey_is_gray(const BBColorSurvey *survey);
/// The pixels that there are, in the order in which they came. `count` is 257 where there are more than 256.
const uint32_t *bb_color_survey_colors(const BBColorSurvey *survey, int *count);
/// Writes where in `bb_color_survey_colors` each pixel is, `bits` (1, 2, 4 or 8) each, the first in the highest bits. False
/// where it cannot.
bool bb_color_survey_index(const BBColorSurvey *survey, const uint8_t *pixels, int bits, uint8_t *result,
                           size_t pixel_count);

// MARK: Blurring

/// Lines, rows or columns, that are blurred together.
#define BB_BLUR_LINES 16

/// A mean of neighbours: of the pixel and `reach` on either side by `whole` each, and of the next on either side by
/// `edge`. All weights are 1 together. `reach` is at most `BB_LONGEST_BLUR_REACH`, so that no sum overflows.
typedef struct {
    size_t reach;
    float whole;
    float edge;
} BBBoxFilter;

#define BB_LONGEST_BLUR_REACH ((size_t)131071)

/// The words of scratch that lines of this length want.
size_t bb_blur_scratch_count(size_t length);

/// Filters up to `BB_BLUR_LINES` columns three times, in place. What lies outside counts as the pixel at the edge. Every
/// instruction set gives the same bytes; it must be one that the processor has.
void bb_blur_columns(BBBoxFilter filter, uint8_t *pixels, size_t bytes_per_row, size_t height, size_t count,
                     uint16_t *scratch, BBInstructionSet instruction_set);

/// The same for up to `BB_BLUR_LINES` rows, from one picture into another.
void bb_blur_rows(BBBoxFilter filter, const uint8_t *source, size_t source_bytes_per_row, uint8_t *destination,
                  size_t destination_bytes_per_row, size_t width, size_t count, uint16_t *scratch,
                  BBInstructionSet instruction_set);

// MARK: Effects

/// Straight, not premultiplied.
typedef struct {
    uint8_t blue, green, red, alpha;
} BBColor;

/// Moves premultiplied BGRA away from its grey (`saturation` in 256ths, at most 65536), and then lays `tint` over it,
/// within its shape.
void bb_saturate_and_tint(uint8_t *pixels, size_t pixel_count, int32_t saturation, BBColor tint);

/// `pixels`, which are those of `source` blurred, become those of `source` sharpened: `amount`, in 256ths and at most
/// 65536, of what a colour differs from the blurred one is added where that is at least `threshold`. Alpha stays.
void bb_sharpen(const uint8_t *source, uint8_t *pixels, size_t pixel_count, int32_t amount, int32_t threshold);

/// Every `block_width` columns of these rows become their mean, in place; the last block may be narrower.
void bb_pixelate(uint8_t *pixels, size_t bytes_per_row, size_t width, size_t height, size_t block_width);

/// Adds the four bytes of pixels to four sums.
void bb_sum_pixels(const uint8_t *pixels, size_t pixel_count, uint64_t *sums);

/// A colour that grows from the distance `start` on, by `slope` a unit of distance, up to `strength`.
typedef struct {
    /// The distance of the first and last column from the middle.
    float reach;
    float start;
    float slope;
    float strength;
} BBVignette;

/// Mixes `color`, whose alpha does not count, into premultiplied BGRA, within its shape. `y` is the row's distance.
void bb_vignette_row(uint8_t *pixels, size_t width, BBVignette vignette, float y, BBColor color);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
