internal import CGTK
internal import CGTKWidgets

/// How GTK draws a window.
public nonisolated enum RendererKind: Sendable, Equatable {
    /// In software. Drawing a texture copies all of it, in every frame; a `CairoSurface` is drawn in place.
    case cairo
    /// With OpenGL: textures are uploaded once and cheap from then on.
    case gl
    /// Anything newer.
    case other
}

extension Widget {
    /// How this widget is drawn; nil while it is in no window that has been shown.
    public var rendererKind: RendererKind? {
        guard let renderer else { return nil }
        return switch String(cString: bowerbird_type_name(UnsafeMutableRawPointer(renderer))) {
        case "GskCairoRenderer": .cairo
        case "GskGLRenderer", "GskNglRenderer": .gl
        default: .other
        }
    }

    /// Borrowed from the window.
    var renderer: OpaquePointer? {
        guard let native = gtk_widget_get_native(cast()) else { return nil }
        return gtk_native_get_renderer(native)
    }
}
