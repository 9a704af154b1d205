/// librsvg and cairo behind one function. Nothing here prints or exits, and librsvg loads nothing from outside: the
/// document has no address, and without one only `data:` is followed.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <cairo.h>
#include <librsvg/rsvg.h>

#pragma clang assume_nonnull begin

enum { BBSVGMessageLength = 200 };

typedef enum {
    BBSVGDone,
    /// See the message.
    BBSVGFailed,
    BBSVGLacksMemory,
} BBSVGStatus;

/// What is to be drawn, and onto what: premultiplied words of alpha, red, green and blue, which are all 0.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    /// In the units of the drawing.
    double width, height;
    uint8_t *pixels;
    int columns, rows, bytes_per_row;
} BBSVGDrawing;

static inline BBSVGStatus bb_svg_fail(GError *_Nullable error, char *message) {
    g_strlcpy(message, error ? error->message : "it cannot be drawn", BBSVGMessageLength);
    g_clear_error(&error);
    return BBSVGFailed;
}

static inline BBSVGStatus bb_svg_render(RsvgHandle *handle, BBSVGDrawing drawing, cairo_t *cairo, char *message) {
    const RsvgRectangle viewport = {0, 0, drawing.width, drawing.height};
    GError *error = NULL;
    cairo_scale(cairo, drawing.columns / drawing.width, drawing.rows / drawing.height);
    if (!rsvg_handle_render_document(handle, cairo, &viewport, &error)) return bb_svg_fail(error, message);
    cairo_status_t status = cairo_status(cairo);
    if (status == CAIRO_STATUS_NO_MEMORY) return BBSVGLacksMemory;
    if (status == CAIRO_STATUS_SUCCESS) return BBSVGDone;
    g_strlcpy(message, cairo_status_to_string(status), BBSVGMessageLength);
    return BBSVGFailed;
}

/// Draws all of a document. `message` has room for `BBSVGMessageLength` characters.
static inline BBSVGStatus bb_svg_draw(BBSVGDrawing drawing, char *message) {
    GError *error = NULL;
    RsvgHandle *handle = rsvg_handle_new_from_data(drawing.bytes, drawing.count, &error);
    if (!handle) return bb_svg_fail(error, message);
    rsvg_handle_set_dpi(handle, 96);
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        drawing.pixels, CAIRO_FORMAT_ARGB32, drawing.columns, drawing.rows, drawing.bytes_per_row);
    cairo_t *cairo = cairo_create(surface);
    BBSVGStatus status = bb_svg_render(handle, drawing, cairo, message);
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    g_object_unref(handle);
    return status;
}

#pragma clang assume_nonnull end
