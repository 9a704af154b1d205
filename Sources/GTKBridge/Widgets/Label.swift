internal import CGTK

/// A line or more of text.
public final class Label: Widget {
    /// Which part of a text that is too long gives way to "…".
    public nonisolated enum Ellipsis: Sendable {
        /// The label wants all the room that its text takes.
        case none
        case start
        case middle
        case end
    }

    /// - Parameter text: plain, no markup.
    public init(_ text: String = "") {
        super.init(retaining: gtk_label_new(text))
    }

    /// Plain text, no markup.
    public var text: String {
        get { gtk_label_get_text(opaque).map { String(cString: $0) } ?? "" }
        set { gtk_label_set_text(opaque, newValue) }
    }

    /// Default `none`: the label asks for the width of its whole text.
    public var ellipsis: Ellipsis {
        get { Ellipsis(gtk_label_get_ellipsize(opaque)) }
        set { gtk_label_set_ellipsize(opaque, newValue.pango) }
    }

    /// Where the text sits in a wider label: 0 at the start, 1 at the end. Default 0.5.
    public var horizontalPosition: Double {
        get { Double(gtk_label_get_xalign(opaque)) }
        set { gtk_label_set_xalign(opaque, Float(newValue)) }
    }

    /// Whether long lines are broken. Default false.
    public var wraps: Bool {
        get { gtk_label_get_wrap(opaque) != 0 }
        set { gtk_label_set_wrap(opaque, newValue ? 1 : 0) }
    }

    /// The width that it asks for at least and at most, in average characters; nil for no limit.
    public func setWidth(minimum: Int? = nil, maximum: Int? = nil) {
        gtk_label_set_width_chars(opaque, Int32(clamping: minimum ?? -1))
        gtk_label_set_max_width_chars(opaque, Int32(clamping: maximum ?? -1))
    }
}

extension Label.Ellipsis {
    fileprivate nonisolated init(_ mode: PangoEllipsizeMode) {
        self =
            switch mode {
            case PANGO_ELLIPSIZE_START: .start
            case PANGO_ELLIPSIZE_MIDDLE: .middle
            case PANGO_ELLIPSIZE_END: .end
            default: .none
            }
    }

    fileprivate nonisolated var pango: PangoEllipsizeMode {
        switch self {
        case .none: PANGO_ELLIPSIZE_NONE
        case .start: PANGO_ELLIPSIZE_START
        case .middle: PANGO_ELLIPSIZE_MIDDLE
        case .end: PANGO_ELLIPSIZE_END
        }
    }
}
