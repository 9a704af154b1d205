import Testing

@testable import GTKBridge

/// The parent of all suites that touch GTK, which has one thread: nothing in here runs beside anything else.
@Suite(.serialized, .enabled("no display: run under Xvfb", { await Display.isAvailable })) struct GTKTests {}

enum Display {
    /// Connects to the display, once for the process.
    static let isAvailable = (try? Application(id: "org.bowerbird.Tests")) != nil
}
