#include "CKernels.h"
#include "pixel.h"

#include <stdlib.h>

enum { SlotCount = 1024 };

/// Colours by their hash, each in the first free slot behind it.
struct BBColorSurvey {
    bool is_opaque, is_gray;
    /// 257 stands for more.
    int color_count;
    uint32_t colors[256];
    /// One more than the index of the colour; 0 where there is none.
    uint16_t slots[SlotCount];
};

BBColorSurvey *bb_color_survey_create(void) {
    BBColorSurvey *survey = calloc(1, sizeof *survey);
    if (survey) survey->is_opaque = survey->is_gray = true;
    return survey;
}

void bb_color_survey_destroy(BBColorSurvey *survey) {
    free(survey);
}

static size_t slot_of(const BBColorSurvey *survey, uint32_t pixel) {
    size_t slot = pixel * 0x9E3779B1u >> 22;
    while (survey->slots[slot] && survey->colors[survey->slots[slot] - 1] != pixel) slot = (slot + 1) % SlotCount;
    return slot;
}

static void count_color(BBColorSurvey *survey, uint32_t pixel) {
    size_t slot = slot_of(survey, pixel);
    if (survey->slots[slot]) return;
    if (survey->color_count < 256) {
        survey->colors[survey->color_count] = pixel;
        survey->slots[slot] = (uint16_t)(survey->color_count + 1);
    }
    survey->color_count++;
}

void bb_color_survey_add(BBColorSurvey *survey, const uint8_t *pixels, size_t pixel_count) {
    uint32_t all = 0xFFFFFFFF, differences = 0, last = 0;
    for (size_t i = 0; i < pixel_count; i++) {
        uint32_t pixel = bb_load_pixel(pixels + 4 * i);
        all &= pixel;
        differences |= (pixel ^ pixel >> 8) & 0xFFFF;
        if (survey->color_count > 256 || (i > 0 && pixel == last)) continue;
        count_color(survey, pixel);
        last = pixel;
    }
    if (all >> 24 != 0xFF) survey->is_opaque = false;
    if (differences) survey->is_gray = false;
}

bool bb_color_survey_is_opaque(const BBColorSurvey *survey) {
    return survey->is_opaque;
}

bool bb_color_survey_is_gray(const BBColorSurvey *survey) {
    return survey->is_gray;
}

const uint32_t *bb_color_survey_colors(const BBColorSurvey *survey, int *count) {
    *count = survey->color_count;
    return survey->colors;
}

bool bb_color_survey_index(const BBColorSurvey *survey, const uint8_t *pixels, int bits, uint8_t *result,
                           size_t pixel_count) {
    if (survey->color_count > 1 << bits || (bits != 1 && bits != 2 && bits != 4 && bits != 8)) return false;
    size_t per_byte = 8 / (size_t)bits;
    for (size_t i = 0; i < pixel_count; i++) {
        unsigned index = survey->slots[slot_of(survey, bb_load_pixel(pixels + 4 * i))];
        if (!index) return false;
        size_t shift = (per_byte - 1 - i % per_byte) * (size_t)bits;
        uint8_t *byte = result + i / per_byte;
        *byte = (uint8_t)((i % per_byte ? *byte : 0) | (index - 1) << shift);
    }
    return true;
}
