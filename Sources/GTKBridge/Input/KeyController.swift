internal import CGTK

/// Keys that reach a widget which has the focus, or has it inside.
public final class KeyController: EventController {
    /// - Parameter onPressed: answers whether it used the key, so that nobody else gets it.
    public init(onPressed: @escaping @MainActor (KeyPress) -> Bool) {
        super.init(adopting: gtk_event_controller_key_new())
        connect("key-pressed") { arguments in
            let modifiers = Modifiers(rawValue: arguments.flags(2))
            arguments.setResult(onPressed(KeyPress(key: Key(value: arguments.uint(0)), modifiers: modifiers)))
        }
    }
}
