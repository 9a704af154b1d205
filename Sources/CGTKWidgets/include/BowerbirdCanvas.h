#pragma once
#include <gtk/gtk.h>

typedef enum {
    BOWERBIRD_CANVAS_MAPPED,
    BOWERBIRD_CANVAS_UNMAPPED,
    BOWERBIRD_CANVAS_ROOTED,
    BOWERBIRD_CANVAS_UNROOTED,
} BowerbirdCanvasEvent;

/* What a canvas asks of its peer (see BowerbirdPeer.h); nothing is asked while it has none. */
typedef struct {
    void (*_Nonnull snapshot)(void *_Nonnull peer, GtkSnapshot *_Nonnull snapshot, int width, int height);
    void (*_Nonnull measure)(void *_Nonnull peer, GtkOrientation orientation, int for_size, int *_Nonnull minimum,
                             int *_Nonnull natural);
    void (*_Nonnull allocate)(void *_Nonnull peer, int width, int height);
    void (*_Nonnull event)(void *_Nonnull peer, BowerbirdCanvasEvent event);
} BowerbirdCanvasCallbacks;

/* A widget without children whose drawing, size and life its peer decides. CSS node: `canvas`. */
GtkWidget *_Nonnull bowerbird_canvas_new(BowerbirdCanvasCallbacks callbacks);
