import Bowerbird

/// One line for one transfer, or for the frames of one animation:
///
///     beach.jpg             [=========>          ]  45% of 3.1 MB
struct ProgressBar: Equatable {
    let name: String
    let progress: TransferProgress
    var unit = Unit.bytes

    /// What is counted.
    enum Unit: Sendable {
        case bytes
        case frames
        case files
    }

    /// In columns. On a narrower terminal, bars would say too little.
    static let minimumWidth = 40
    private static let figuresWidth = 15

    /// Exactly `width` columns or fewer, never more.
    func text(width: Int) -> String {
        let nameWidth = min(32, width / 3)
        let label = name.printable.cut(to: nameWidth).padded(to: nameWidth)
        guard let fraction = progress.fraction, let total = progress.total else {
            return "\(label)  \(unit.text(progress.received))".cut(to: width)
        }
        let barWidth = max(1, width - nameWidth - Self.figuresWidth - 5)
        return "\(label)  [\(bar(fraction, barWidth))] \(figures(fraction, total))".cut(to: width)
    }

    private func bar(_ fraction: Double, _ width: Int) -> String {
        let filled = Int(Double(width) * fraction)
        guard filled < width else { return String(repeating: "=", count: width) }
        return (String(repeating: "=", count: filled) + ">").padded(to: width)
    }

    private func figures(_ fraction: Double, _ total: Int) -> String {
        let percent = String(Int(fraction * 100))
        return String(repeating: " ", count: 3 - percent.count) + "\(percent)% of \(unit.text(total))"
    }
}

extension ProgressBar.Unit {
    /// Frames and files without the word, for which there is no room.
    fileprivate func text(_ count: Int) -> String {
        switch self {
        case .bytes: Figures.bytes(count)
        case .frames, .files: String(count)
        }
    }
}
