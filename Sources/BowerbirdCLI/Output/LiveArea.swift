import Bowerbird

/// The bars at the bottom of a terminal, as a value: what must be written to bring the screen from one state to the
/// next. The cursor rests at the beginning of the line below them.
struct LiveArea {
    /// 20 times a second is smooth, and cheap over a slow line.
    private static let interval: Duration = .milliseconds(50)

    private var bars: [(id: Int, bar: ProgressBar)] = []
    private var drawnLineCount = 0
    private var lastDrawn: ContinuousClock.Instant?

    /// Notes how far a transfer, or other work, is. The bars are due to be redrawn when the answer is true.
    mutating func update(
        _ id: Int, name: String, _ progress: TransferProgress, unit: ProgressBar.Unit = .bytes,
        at now: ContinuousClock.Instant
    ) -> Bool {
        let bar = ProgressBar(name: name, progress: progress, unit: unit)
        if let index = bars.firstIndex(where: { $0.id == id }) {
            bars[index].bar = bar
        } else {
            bars.append((id, bar))
        }
        guard let lastDrawn else { return true }
        return now - lastDrawn >= Self.interval
    }

    mutating func remove(_ id: Int) { bars.removeAll { $0.id == id } }

    /// Takes the bars off the screen.
    mutating func erase() -> String {
        defer { drawnLineCount = 0 }
        return drawnLineCount == 0 ? "" : "\u{1B}[\(drawnLineCount)A\r\u{1B}[J"
    }

    /// Puts the bars onto the screen, in place of what was there of them. As many as it has lines for.
    mutating func draw(on size: TerminalSize, at now: ContinuousClock.Instant) -> String {
        let start = drawnLineCount == 0 ? "" : "\u{1B}[\(drawnLineCount)A\r"
        let shown = bars.prefix(max(0, size.rows - 1))
        // A line that fills the last column would wrap on some terminals.
        let lines = shown.map { $0.bar.text(width: size.columns - 1) }
        drawnLineCount = lines.count
        lastDrawn = now
        return start + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }
}

struct TerminalSize: Hashable, Sendable {
    var columns: Int
    var rows: Int
}
