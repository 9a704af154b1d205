import Bowerbird
import BowerbirdCore

/// Where commands write: lines on standard output, lines on standard error, and, on a terminal, progress bars below them.
///
/// Any thread may use it. It writes under its lock, because the order of the writes is what the lock guards.
final class Console: Sendable {
    typealias Writer = @Sendable (String) -> Void

    private let output: Writer
    private let errors: Writer
    private let terminalSize: @Sendable () -> TerminalSize?
    private let area = Lock(LiveArea())

    /// - Parameter terminalSize: Nil where no bars can be drawn on `output`.
    init(output: @escaping Writer, errors: @escaping Writer, terminalSize: @escaping @Sendable () -> TerminalSize?) {
        self.output = output
        self.errors = errors
        self.terminalSize = terminalSize
    }

    /// A line, or several, on standard output.
    func print(_ text: String) { write(text + "\n", output) }

    /// A line on standard error.
    func printError(_ text: String) { write(text + "\n", errors) }

    /// A warning or a note that belongs to an input, on standard error.
    func printRemark(_ remark: String, on address: String, as kind: String = "warning") {
        printError("bowerbird: \(kind): \(address.printable): \(remark.printable)")
    }

    /// A bar for a transfer, or other work, that goes on; nothing where there are none.
    func show(
        _ progress: TransferProgress, of id: Int, named name: String, counting unit: ProgressBar.Unit = .bytes
    ) {
        guard let size = terminalSize() else { return }
        area.withLock { area in
            let now = ContinuousClock.now
            if area.update(id, name: name, progress, unit: unit, at: now) { output(area.draw(on: size, at: now)) }
        }
    }

    /// The work has ended; its bar goes with the next line that is written.
    func removeBar(of id: Int) { area.withLock { $0.remove(id) } }

    private func write(_ text: String, _ device: Writer) {
        let size = terminalSize()
        area.withLock { area in
            let erasing = area.erase()
            if !erasing.isEmpty { output(erasing) }
            device(text)
            let bars = size.map { area.draw(on: $0, at: .now) } ?? ""
            if !bars.isEmpty { output(bars) }
        }
    }
}
