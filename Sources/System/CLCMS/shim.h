/// lcms2, whose pixel types are macros that Swift cannot read. Nothing here prints: each context reports to nobody.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lcms2.h>

static inline uint32_t bb_cms_rgba8(void) { return TYPE_RGBA_8; }
static inline uint32_t bb_cms_bgra8(void) { return TYPE_BGRA_8; }
static inline uint32_t bb_cms_rgba16(void) { return TYPE_RGBA_16; }
/// Four inks; `is_inverted` says that 255 is no ink.
static inline uint32_t bb_cms_cmyk8(bool is_inverted) { return is_inverted ? TYPE_CMYK_8_REV : TYPE_CMYK_8; }

static inline void bb_cms_ignore(cmsContext context, cmsUInt32Number code, const char *text) {}

/// NULL when there is no memory.
static inline cmsContext _Nullable bb_cms_context_create(void) {
    cmsContext context = cmsCreateContext(NULL, NULL);
    if (context) cmsSetLogErrorHandlerTHR(context, bb_cms_ignore);
    return context;
}

/// NULL for a profile that makes no sense, or is for other pixels than `input` says.
static inline cmsHTRANSFORM _Nullable bb_cms_transform_to_srgb(cmsContext _Nonnull context,
                                                               const void *_Nonnull profile_bytes, uint32_t byte_count,
                                                               uint32_t input, uint32_t output, bool copies_alpha) {
    cmsHPROFILE profile = cmsOpenProfileFromMemTHR(context, profile_bytes, byte_count);
    cmsHPROFILE srgb = cmsCreate_sRGBProfileTHR(context);
    cmsHTRANSFORM transform = NULL;
    // Without a cache of the last pixel, threads may share the transform.
    cmsUInt32Number flags = cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION;
    if (copies_alpha) flags |= cmsFLAGS_COPY_ALPHA;
    if (profile && srgb)
        transform = cmsCreateTransformTHR(context, profile, input, srgb, output, INTENT_RELATIVE_COLORIMETRIC, flags);
    if (srgb) cmsCloseProfile(srgb);
    if (profile) cmsCloseProfile(profile);
    return transform;
}
