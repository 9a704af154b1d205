internal import CGTK

/// Styles for the widgets of this program, in GTK's CSS.
public enum StyleSheet {
    /// Adds `css` to the styles of the display, over the theme. What GTK does not understand it reports on standard
    /// error and skips.
    public static func install(_ css: String) {
        guard let display = gdk_display_get_default(), let provider = gtk_css_provider_new() else { return }
        defer { g_object_unref(provider) }
        gtk_css_provider_load_from_data(provider, css, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), UInt32(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    }
}
