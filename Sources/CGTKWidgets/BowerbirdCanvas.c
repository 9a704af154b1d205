#include "BowerbirdCanvas.h"
#include "BowerbirdPeer.h"

typedef struct {
    GtkWidget widget;
    BowerbirdCanvasCallbacks callbacks;
} BowerbirdCanvas;

typedef struct {
    GtkWidgetClass widget_class;
} BowerbirdCanvasClass;

static GType bowerbird_canvas_get_type(void);
G_DEFINE_TYPE(BowerbirdCanvas, bowerbird_canvas, GTK_TYPE_WIDGET)

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    void *peer = bowerbird_peer_of(widget);
    if (peer == NULL) return;
    ((BowerbirdCanvas *)widget)
        ->callbacks.snapshot(peer, snapshot, gtk_widget_get_width(widget), gtk_widget_get_height(widget));
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                    int *minimum_baseline, int *natural_baseline) {
    *minimum = *natural = 0;
    *minimum_baseline = *natural_baseline = -1;
    void *peer = bowerbird_peer_of(widget);
    if (peer != NULL) ((BowerbirdCanvas *)widget)->callbacks.measure(peer, orientation, for_size, minimum, natural);
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
    void *peer = bowerbird_peer_of(widget);
    if (peer != NULL) ((BowerbirdCanvas *)widget)->callbacks.allocate(peer, width, height);
}

static void tell(GtkWidget *widget, BowerbirdCanvasEvent event) {
    void *peer = bowerbird_peer_of(widget);
    if (peer != NULL) ((BowerbirdCanvas *)widget)->callbacks.event(peer, event);
}

static void map(GtkWidget *widget) {
    GTK_WIDGET_CLASS(bowerbird_canvas_parent_class)->map(widget);
    tell(widget, BOWERBIRD_CANVAS_MAPPED);
}

static void unmap(GtkWidget *widget) {
    GTK_WIDGET_CLASS(bowerbird_canvas_parent_class)->unmap(widget);
    tell(widget, BOWERBIRD_CANVAS_UNMAPPED);
}

static void root(GtkWidget *widget) {
    GTK_WIDGET_CLASS(bowerbird_canvas_parent_class)->root(widget);
    tell(widget, BOWERBIRD_CANVAS_ROOTED);
}

static void unroot(GtkWidget *widget) {
    GTK_WIDGET_CLASS(bowerbird_canvas_parent_class)->unroot(widget);
    tell(widget, BOWERBIRD_CANVAS_UNROOTED);
}

static void bowerbird_canvas_class_init(BowerbirdCanvasClass *class) {
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
    widget_class->snapshot = snapshot;
    widget_class->measure = measure;
    widget_class->size_allocate = size_allocate;
    widget_class->map = map;
    widget_class->unmap = unmap;
    widget_class->root = root;
    widget_class->unroot = unroot;
    gtk_widget_class_set_css_name(widget_class, "canvas");
    gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void bowerbird_canvas_init(BowerbirdCanvas *canvas) {}

GtkWidget *bowerbird_canvas_new(BowerbirdCanvasCallbacks callbacks) {
    BowerbirdCanvas *canvas = g_object_new(bowerbird_canvas_get_type(), NULL);
    canvas->callbacks = callbacks;
    return GTK_WIDGET(canvas);
}
