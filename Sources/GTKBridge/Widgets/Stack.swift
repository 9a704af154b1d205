internal import CGTK

/// Named pages of which one is seen.
public final class Stack: Widget {
    /// A stack without pages.
    public init() {
        super.init(retaining: gtk_stack_new())
    }

    /// Adds a page; the first one is shown.
    /// - Parameter title: what a `StackSwitcher` calls it; nil keeps the page out of it.
    public func add(_ page: Widget, name: String, title: String? = nil) {
        let added = gtk_stack_add_named(opaque, page.cast(), name)
        if let title { gtk_stack_page_set_title(added, title) }
    }

    /// The page that is shown. A name that no page has changes nothing.
    public var visibleName: String? {
        get { gtk_stack_get_visible_child_name(opaque).map { String(cString: $0) } }
        set {
            guard let newValue, gtk_stack_get_child_by_name(opaque, newValue) != nil else { return }
            gtk_stack_set_visible_child_name(opaque, newValue)
        }
    }

    /// The page that is shown.
    public var visiblePage: Widget? { Widget.peer(of: gtk_stack_get_visible_child(opaque)) }

    /// Cross-fades between pages for this many milliseconds; 0, the default, switches at once.
    public func setCrossfade(milliseconds: Int) {
        gtk_stack_set_transition_type(
            opaque, milliseconds > 0 ? GTK_STACK_TRANSITION_TYPE_CROSSFADE : GTK_STACK_TRANSITION_TYPE_NONE)
        gtk_stack_set_transition_duration(opaque, UInt32(clamping: milliseconds))
    }
}

/// Buttons for the titled pages of a stack.
public final class StackSwitcher: Widget {
    /// Follows the pages of `stack` as they come and go.
    public init(for stack: Stack) {
        super.init(retaining: gtk_stack_switcher_new())
        gtk_stack_switcher_set_stack(opaque, stack.opaque)
    }
}
