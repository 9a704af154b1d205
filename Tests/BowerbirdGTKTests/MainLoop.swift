import CGTK
import Glibc
import Testing

@testable import GTKBridge

/// Runs GTK inside a test.
enum MainLoop {
    struct TimedOut: Error, CustomStringConvertible {
        var description: String { "the condition did not come true in time" }
    }

    /// Lets GTK and the main actor work until `condition` holds.
    ///
    /// Between turns it gives way for two milliseconds at most: the test itself is work of the main actor, so other work
    /// of the main actor runs only while it waits.
    static func pump(
        within limit: Duration = .seconds(10), until condition: () -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let deadline = ContinuousClock.now + limit
        while !condition() {
            while MainContext.iterate() {}
            guard !condition() else { return }
            guard ContinuousClock.now < deadline else {
                Issue.record(TimedOut(), sourceLocation: sourceLocation)
                throw TimedOut()
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

/// Keeps the thread busy for this much of its own processor time.
func spendProcessorTime(_ duration: Duration) {
    let end = processorTime() + duration
    while processorTime() < end {}
}

private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

extension Object {
    /// Emits a signal as GTK would, and returns what a handler answered.
    @discardableResult
    func emit(_ signal: String, _ arguments: [GValue] = []) -> Bool {
        let type = pointer.assumingMemoryBound(to: GTypeInstance.self).pointee.g_class.pointee.g_type
        var emitter = GValue()
        g_value_init(&emitter, type)
        g_value_set_object(&emitter, pointer)
        var answer = GValue.boolean(false)
        g_signal_emitv([emitter] + arguments, g_signal_lookup(signal, type), 0, &answer)
        g_value_unset(&emitter)
        return g_value_get_boolean(&answer) != 0
    }
}

extension GValue {
    static func boolean(_ value: Bool) -> GValue { make("gboolean") { g_value_set_boolean($0, value ? 1 : 0) } }
    static func int(_ value: Int32) -> GValue { make("gint") { g_value_set_int($0, value) } }
    static func uint(_ value: UInt32) -> GValue { make("guint") { g_value_set_uint($0, value) } }
    static func double(_ value: Double) -> GValue { make("gdouble") { g_value_set_double($0, value) } }
    static func modifiers(_ value: Modifiers) -> GValue {
        make("GdkModifierType") { g_value_set_flags($0, value.rawValue) }
    }

    private static func make(_ type: String, _ set: (UnsafeMutablePointer<GValue>) -> Void) -> GValue {
        var value = GValue()
        g_value_init(&value, g_type_from_name(type))
        set(&value)
        return value
    }
}
