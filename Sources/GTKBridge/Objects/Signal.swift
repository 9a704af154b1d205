internal import CGTK
internal import CGTKWidgets

extension Object {
    /// Calls `handler` whenever the object emits `signal`, until the token is disconnected or the object is gone.
    ///
    /// The object owns the handler and lets go of it then. A handler that captures the object, or an owner of it,
    /// captures it weakly: otherwise neither is ever freed.
    /// - Parameter signal: a name from GTK's reference, with its detail if it has one: `"notify::value"`.
    ///   A name that the object does not have is reported by GObject on standard error, and never called.
    @discardableResult
    public func connect(_ signal: String, _ handler: @escaping @MainActor (SignalArguments) -> Void) -> SignalToken {
        let handler = SignalHandler(emitter: pointer, handler)
        let identifier = bowerbird_signal_connect(
            pointer, signal, Unmanaged.passRetained(handler).toOpaque(), callSignalHandler, releaseSignalHandler)
        return SignalToken(handler: handler, identifier: identifier)
    }
}

/// A connection of a handler to a signal. Letting go of the token changes nothing.
public struct SignalToken {
    fileprivate weak var handler: SignalHandler?
    fileprivate let identifier: UInt

    /// Releases the handler, at the latest when the emission that is under way has ended. Does nothing a second time.
    public func disconnect() {
        guard let handler, g_signal_handler_is_connected(handler.emitter, identifier) != 0 else { return }
        g_signal_handler_disconnect(handler.emitter, identifier)
    }
}

/// What a signal carries. Valid only during the call that it was passed to.
public struct SignalArguments {
    fileprivate let result: UnsafeMutablePointer<GValue>?
    fileprivate let values: UnsafeBufferPointer<GValue>

    /// How many arguments there are, not counting the emitter.
    public var count: Int { values.count - 1 }

    /// The argument as a `double`; 0 when it is none. The first argument after the emitter is number 0.
    public func double(_ index: Int) -> Double { value(index).map { g_value_get_double($0) } ?? 0 }

    /// The argument as an `int`; 0 when it is none.
    public func int(_ index: Int) -> Int { value(index).map { Int(g_value_get_int($0)) } ?? 0 }

    /// The argument as a `uint`; 0 when it is none.
    public func uint(_ index: Int) -> UInt32 { value(index).map { g_value_get_uint($0) } ?? 0 }

    /// The argument as a set of flags; 0 when it is none.
    func flags(_ index: Int) -> UInt32 { value(index).map { g_value_get_flags($0) } ?? 0 }

    /// The argument as an object, borrowed; nil when it is none.
    func object(_ index: Int) -> OpaquePointer? {
        value(index).flatMap { g_value_get_object($0) }.map { OpaquePointer($0) }
    }

    /// Answers a signal that asks for a Boolean: true commonly means "handled, nobody else needs to look".
    public func setResult(_ isHandled: Bool) {
        guard let result else { return }
        g_value_set_boolean(result, isHandled ? 1 : 0)
    }

    private func value(_ index: Int) -> UnsafePointer<GValue>? {
        guard index >= 0, index < count else { return nil }
        return values.baseAddress.map { $0 + index + 1 }
    }
}

/// What the closure in C holds. It lives exactly as long as the connection, so `emitter` is valid whenever this is.
private nonisolated final class SignalHandler: @unchecked Sendable {  // immutable; the closure runs on the main actor
    let emitter: UnsafeMutableRawPointer
    let call: @MainActor (SignalArguments) -> Void

    init(emitter: UnsafeMutableRawPointer, _ call: @escaping @MainActor (SignalArguments) -> Void) {
        self.emitter = emitter
        self.call = call
    }
}

private nonisolated func callSignalHandler(
    _ context: UnsafeMutableRawPointer, _ result: UnsafeMutablePointer<GValue>?, _ count: UInt32,
    _ arguments: UnsafePointer<GValue>
) {
    // GTK emits on the main thread, and this is used up before the emission returns.
    nonisolated(unsafe) let arguments = (result, UnsafeBufferPointer(start: arguments, count: Int(count)))
    let handler = Unmanaged<SignalHandler>.fromOpaque(context).takeUnretainedValue()
    CallbackMeter.enter(.signal) {
        handler.call(SignalArguments(result: arguments.0, values: arguments.1))
    }
}

private nonisolated func releaseSignalHandler(_ context: UnsafeMutableRawPointer) {
    Unmanaged<SignalHandler>.fromOpaque(context).release()
}
