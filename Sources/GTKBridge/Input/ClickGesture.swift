internal import CGTK

/// Clicks and taps.
public final class ClickGesture: EventController {
    /// Where and how often.
    public nonisolated struct Click: Hashable, Sendable {
        /// 1 for a single click, 2 for a double click, and so on; a double click was a single one before.
        public var count: Int
        /// In the widget's logical pixels.
        public var x, y: Double
    }

    /// - Parameters:
    ///   - button: 1 is the primary one, 2 the middle, 3 the secondary, 0 any.
    ///   - onPressed: called as the button goes down.
    ///   - onReleased: called as it comes up; not when the press became a drag.
    public init(
        button: Int = 1, onPressed: (@MainActor (Click) -> Void)? = nil, onReleased: (@MainActor (Click) -> Void)? = nil
    ) {
        super.init(adopting: gtk_gesture_click_new())
        gtk_gesture_single_set_button(opaque, UInt32(clamping: button))
        if let onPressed { connect("pressed") { onPressed(Click($0)) } }
        if let onReleased { connect("released") { onReleased(Click($0)) } }
    }
}

extension ClickGesture.Click {
    fileprivate init(_ arguments: SignalArguments) {
        self.init(count: arguments.int(0), x: arguments.double(1), y: arguments.double(2))
    }
}
