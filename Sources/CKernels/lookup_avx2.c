#include "lookup_kernels.h"
#include "x86.h"

#if defined(__x86_64__)

#define BB_INLINE __attribute__((always_inline)) BB_AVX2 static inline

/// What is known of each value of a component, as the vectors want it.
typedef struct {
    const int16_t *entries;
    /// From an entry to that of the next blue, in numbers.
    size_t depth;
    __m128i rest;
    bool has_rest;
    uint32_t offsets[3][256];
    /// The farther weight of blue twice; both of green twice; both of red.
    uint32_t blue[256], red[256];
    uint64_t green[256];
} Plan;

static inline uint32_t words(int16_t low, int16_t high) { return (uint16_t)low | (uint32_t)(uint16_t)high << 16; }

BB_AVX2 static Plan plan_of(const BBColorLookup *lookup) {
    Plan plan = {.entries = lookup->entries, .depth = 12 * lookup->side * lookup->side,
                 .rest = _mm_set1_epi16(lookup->rest), .has_rest = lookup->rest != 0};
    for (int i = 0; i < 256; i++) {
        BBLookupPlace blue = lookup->places[i], green = lookup->places[256 + i], red = lookup->places[512 + i];
        plan.offsets[0][i] = 12 * blue.offset;
        plan.offsets[1][i] = 12 * green.offset;
        plan.offsets[2][i] = 12 * red.offset;
        plan.blue[i] = words(blue.far, blue.far);
        plan.green[i] = words(green.near, green.near) | (uint64_t)words(green.far, green.far) << 32;
        plan.red[i] = words(red.near, red.far);
    }
    return plan;
}

/// Two sums for each of blue, green and red, which belong together, and two of no meaning.
BB_INLINE __m256i sums(const Plan *plan, uint64_t pixel) {
    size_t blue = pixel & 255, green = pixel >> 8 & 255, red = pixel >> 16 & 255;
    size_t place = (size_t)plan->offsets[0][blue] + plan->offsets[1][green] + plan->offsets[2][red];
    const __m256i *front = (const __m256i *)(plan->entries + place);
    const __m256i *back = (const __m256i *)(plan->entries + place + plan->depth);
    __m256i weights = _mm256_mulhrs_epi16(_mm256_set1_epi32((int32_t)plan->red[red]),
                                          _mm256_set1_epi64x((int64_t)plan->green[green]));
    __m256i behind = _mm256_mulhrs_epi16(weights, _mm256_set1_epi32((int32_t)plan->blue[blue]));
    __m256i before = _mm256_sub_epi16(weights, behind);
    return _mm256_add_epi32(_mm256_madd_epi16(_mm256_loadu_si256(back), behind),
                            _mm256_madd_epi16(_mm256_loadu_si256(front), before));
}

/// The sums of two pixels: blue and green of each in the lower half, red in the upper one.
BB_INLINE __m256i sums_of_two(const Plan *plan, uint64_t pixels) {
    return _mm256_srai_epi32(_mm256_hadd_epi32(sums(plan, pixels), sums(plan, pixels >> 32)), 14);
}

BB_INLINE __m128i mixed(const Plan *plan, __m128i found, __m128i bytes) {
    __m128i before = _mm_slli_epi16(_mm_cvtepu8_epi16(bytes), 7);
    return _mm_adds_epi16(found, _mm_mulhrs_epi16(before, plan->rest));
}

BB_INLINE __m128i rounded(__m128i words) { return _mm_srai_epi16(_mm_adds_epi16(words, _mm_set1_epi16(64)), 7); }

BB_INLINE void look_up(const Plan *plan, uint8_t *pixels) {
    uint64_t two[2];
    memcpy(two, pixels, sizeof two);
    __m256i found = _mm256_packs_epi32(sums_of_two(plan, two[0]), sums_of_two(plan, two[1]));
    __m128i blue_and_green = _mm256_castsi256_si128(found), red = _mm256_extracti128_si256(found, 1);
    __m128i first = _mm_unpacklo_epi32(blue_and_green, red), second = _mm_unpackhi_epi32(blue_and_green, red);
    if (plan->has_rest) {
        first = mixed(plan, first, _mm_cvtsi64_si128((int64_t)two[0]));
        second = mixed(plan, second, _mm_cvtsi64_si128((int64_t)two[1]));
    }
    __m128i bytes = _mm_packus_epi16(rounded(first), rounded(second));
    _mm_storeu_si128((__m128i *)pixels, _mm_or_si128(bytes, _mm_set1_epi32((int32_t)0xFF000000)));
}

#define BB_TARGET BB_AVX2
#define BB_LOOK_UP_COLORS bb_look_up_colors_avx2
#include "lookup_rows.h"

#endif
