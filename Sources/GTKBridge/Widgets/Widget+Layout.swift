internal import CGTK

/// Where a widget sits in space that is more than it asked for.
public nonisolated enum Alignment: Sendable {
    /// It is given all of it.
    case fill
    /// At the top, or where lines of text begin.
    case start
    /// At the bottom, or where lines of text end.
    case end
    case center
}

/// A direction of layout.
public nonisolated enum Axis: Sendable {
    case horizontal
    case vertical
}

extension Widget {
    /// Asks for at least this many logical pixels; nil leaves a direction to the widget itself.
    public func setSizeRequest(width: Int? = nil, height: Int? = nil) {
        gtk_widget_set_size_request(cast(), Int32(clamping: width ?? -1), Int32(clamping: height ?? -1))
    }

    /// Whether it takes spare width. Default false.
    public var expandsHorizontally: Bool {
        get { gtk_widget_get_hexpand(cast()) != 0 }
        set { gtk_widget_set_hexpand(cast(), newValue ? 1 : 0) }
    }

    /// Whether it takes spare height. Default false.
    public var expandsVertically: Bool {
        get { gtk_widget_get_vexpand(cast()) != 0 }
        set { gtk_widget_set_vexpand(cast(), newValue ? 1 : 0) }
    }

    /// Default `fill`.
    public var horizontalAlignment: Alignment {
        get { Alignment(gtk_widget_get_halign(cast())) }
        set { gtk_widget_set_halign(cast(), newValue.gtk) }
    }

    /// Default `fill`.
    public var verticalAlignment: Alignment {
        get { Alignment(gtk_widget_get_valign(cast())) }
        set { gtk_widget_set_valign(cast(), newValue.gtk) }
    }

    /// Free space around it in logical pixels; what is left out stays as it is. Default 0.
    public func setMargins(top: Int? = nil, bottom: Int? = nil, start: Int? = nil, end: Int? = nil) {
        if let top { gtk_widget_set_margin_top(cast(), Int32(clamping: top)) }
        if let bottom { gtk_widget_set_margin_bottom(cast(), Int32(clamping: bottom)) }
        if let start { gtk_widget_set_margin_start(cast(), Int32(clamping: start)) }
        if let end { gtk_widget_set_margin_end(cast(), Int32(clamping: end)) }
    }

    /// The same free space on all four sides, in logical pixels.
    public func setMargins(_ margin: Int) {
        setMargins(top: margin, bottom: margin, start: margin, end: margin)
    }

    /// In logical pixels, without margins; 0 before the first layout.
    public var width: Int { Int(gtk_widget_get_width(cast())) }

    /// In logical pixels, without margins; 0 before the first layout.
    public var height: Int { Int(gtk_widget_get_height(cast())) }

    /// Device pixels a logical pixel: 1, or 2 on a dense display.
    public var scaleFactor: Int { Int(gtk_widget_get_scale_factor(cast())) }
}

extension Alignment {
    fileprivate nonisolated init(_ alignment: GtkAlign) {
        self =
            switch alignment {
            case GTK_ALIGN_START: .start
            case GTK_ALIGN_END: .end
            case GTK_ALIGN_CENTER: .center
            default: .fill
            }
    }

    fileprivate nonisolated var gtk: GtkAlign {
        switch self {
        case .fill: GTK_ALIGN_FILL
        case .start: GTK_ALIGN_START
        case .end: GTK_ALIGN_END
        case .center: GTK_ALIGN_CENTER
        }
    }
}

extension Axis {
    nonisolated init(_ orientation: GtkOrientation) {
        self = orientation == GTK_ORIENTATION_HORIZONTAL ? .horizontal : .vertical
    }

    nonisolated var gtk: GtkOrientation {
        switch self {
        case .horizontal: GTK_ORIENTATION_HORIZONTAL
        case .vertical: GTK_ORIENTATION_VERTICAL
        }
    }
}
