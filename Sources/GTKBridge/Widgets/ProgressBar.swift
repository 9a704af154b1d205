internal import CGTK

/// How far something is.
public final class ProgressBar: Widget {
    /// An empty bar.
    public init() {
        super.init(retaining: gtk_progress_bar_new())
    }

    /// From 0 to 1; other values are clamped, and what is no number shows as 0.
    public var fraction: Double {
        get { gtk_progress_bar_get_fraction(opaque) }
        set { gtk_progress_bar_set_fraction(opaque, newValue.isNaN ? 0 : min(max(newValue, 0), 1)) }
    }

    /// Shown with the bar; nil for none.
    public var text: String? {
        get { gtk_progress_bar_get_text(opaque).map { String(cString: $0) } }
        set {
            gtk_progress_bar_set_text(opaque, newValue)
            gtk_progress_bar_set_show_text(opaque, newValue == nil ? 0 : 1)
        }
    }

    /// Moves a block along the bar by a step: something goes on, of unknown length.
    public func pulse() {
        gtk_progress_bar_pulse(opaque)
    }
}
