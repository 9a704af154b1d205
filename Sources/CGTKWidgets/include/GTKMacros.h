#pragma once
#include <gtk/gtk.h>

/* What GTK offers as macros or with a variable number of arguments, neither of which reaches Swift. */

static inline const char *_Nonnull bowerbird_type_name(void *_Nonnull object) { return G_OBJECT_TYPE_NAME(object); }

static inline void bowerbird_set_accessible_label(GtkWidget *_Nonnull widget, const char *_Nonnull label) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}
