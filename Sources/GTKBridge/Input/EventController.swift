internal import CGTK

/// Turns events of the widget that it is added to into calls. The widget keeps it; who adds one need not.
open class EventController: Object {
    /// The modifiers at the event that is being handled.
    public var modifiers: Modifiers {
        Modifiers(rawValue: gtk_event_controller_get_current_event_state(opaque).rawValue)
    }
}
