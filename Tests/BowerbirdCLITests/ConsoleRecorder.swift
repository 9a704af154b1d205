import BowerbirdCore

@testable import BowerbirdCLI

/// Keeps what is written to its console.
final class ConsoleRecorder: Sendable {
    private let texts = Lock((output: "", errors: ""))

    var output: String { texts.withLock { $0.output } }
    var errors: String { texts.withLock { $0.errors } }

    func console(_ size: TerminalSize?) -> Console {
        Console(
            output: { text in self.texts.withLock { $0.output += text } },
            errors: { text in self.texts.withLock { $0.errors += text } }, terminalSize: { size })
    }
}
