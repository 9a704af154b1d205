internal import CGTK
internal import CGTKWidgets

/// Anything that GTK lays out and draws.
///
/// A widget and its GObject keep each other: the Swift object lives while it is part of a window, even when nobody in
/// Swift holds it, and is the same object whenever it is met again. So subclasses may have state, and their `deinit`
/// tells that the widget is gone.
@MainActor  // the default, but when inferred it is lost in other modules (Swift 6.3), and isolated deinit fails
open class Widget: Object {
    /// Wraps a widget that was just made, and that has no other wrapper.
    package override init(retaining pointer: some GObjectPointer) {
        super.init(retaining: pointer)
        bowerbird_peer_attach(self.pointer, Unmanaged.passUnretained(self).toOpaque(), retainPeer, releasePeer)
    }

    isolated deinit {
        bowerbird_peer_detach(pointer)
    }

    /// The Swift object of a GTK widget; nil when it was not made through the bridge.
    static func peer(of widget: UnsafeMutablePointer<GtkWidget>?) -> Widget? {
        guard let widget, let peer = bowerbird_peer_of(widget) else { return nil }
        return Unmanaged<Widget>.fromOpaque(peer).takeUnretainedValue()
    }

    /// Whether the widget takes part in the layout. Default true, for windows false until presented.
    public var isVisible: Bool {
        get { gtk_widget_get_visible(cast()) != 0 }
        set { gtk_widget_set_visible(cast(), newValue ? 1 : 0) }
    }

    /// Whether it reacts to input. Default true.
    public var isSensitive: Bool {
        get { gtk_widget_get_sensitive(cast()) != 0 }
        set { gtk_widget_set_sensitive(cast(), newValue ? 1 : 0) }
    }

    /// How opaque it is drawn, from 0 to 1.
    public var opacity: Double {
        get { gtk_widget_get_opacity(cast()) }
        set { gtk_widget_set_opacity(cast(), newValue) }
    }

    /// Text that is shown when the pointer rests on it.
    public var tooltip: String? {
        get { gtk_widget_get_tooltip_text(cast()).map { String(cString: $0) } }
        set { gtk_widget_set_tooltip_text(cast(), newValue) }
    }

    /// What a screen reader says for it.
    public func setAccessibleLabel(_ label: String) {
        bowerbird_set_accessible_label(cast(), label)
    }

    /// Gives it a class by which a `StyleSheet` can select it.
    public func addStyleClass(_ name: String) {
        gtk_widget_add_css_class(cast(), name)
    }

    /// Takes a class away again.
    public func removeStyleClass(_ name: String) {
        gtk_widget_remove_css_class(cast(), name)
    }

    /// Asks for a new drawing in the next frame; often is as cheap as once.
    public func queueDraw() {
        gtk_widget_queue_draw(cast())
    }

    /// Asks for a new layout before the next frame.
    public func queueResize() {
        gtk_widget_queue_resize(cast())
    }

    /// Makes keys go to this widget. Returns false when it cannot take them.
    @discardableResult
    public func grabFocus() -> Bool {
        gtk_widget_grab_focus(cast()) != 0
    }

    /// Whether keys can go to it. Default: what its kind does.
    public var isFocusable: Bool {
        get { gtk_widget_get_focusable(cast()) != 0 }
        set { gtk_widget_set_focusable(cast(), newValue ? 1 : 0) }
    }

    /// Lets `controller` see this widget's input. The widget keeps it.
    public func addController(_ controller: EventController) {
        g_object_ref(controller.pointer)
        gtk_widget_add_controller(cast(), controller.opaque)
    }
}

private nonisolated func retainPeer(_ peer: UnsafeMutableRawPointer) {
    _ = Unmanaged<Widget>.fromOpaque(peer).retain()
}

private nonisolated func releasePeer(_ peer: UnsafeMutableRawPointer) {
    Unmanaged<Widget>.fromOpaque(peer).release()
}
