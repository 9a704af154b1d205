import FoundationEssentials

/// The figures of one topic, or why there are none.
struct Report: Encodable {
    let topic: String
    let figures: [Figure]
    let failure: String?

    init(of topic: Topic) async {
        self.topic = topic.name
        do {
            figures = try await topic.measure()
            failure = nil
        } catch {
            figures = []
            failure = "\(error)"
        }
    }

    static func json(_ reports: [Report]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(reports), as: UTF8.self)
    }

    static func table(_ reports: [Report]) -> String {
        let head = Row(name: "", cells: ["figure", "", "min", "median", "max"], verdict: "limit")
        return ([head.text] + reports.flatMap(\.lines)).joined(separator: "\n")
    }

    private var lines: [String] {
        let reason = failure.map { ["  cannot be measured: \($0)"] } ?? []
        return ["", topic] + figures.map { Row($0).text } + reason
    }
}

/// One line of the table.
private struct Row {
    let name: String
    /// The figure, its unit, and the spread of its samples.
    let cells: [String]
    let verdict: String

    private static let nameWidth = 58
    private static let cellWidths = [9, 3, 9, 9, 9]

    init(name: String, cells: [String], verdict: String) {
        self.name = name
        self.cells = cells
        self.verdict = verdict
    }

    init(_ figure: Figure) {
        let spread = figure.spread.map { [$0.minimum, $0.median, $0.maximum].map(\.short) } ?? ["", "", ""]
        self.init(
            name: figure.name, cells: [figure.value.short, figure.unit.rawValue] + spread, verdict: figure.verdict)
    }

    var text: String {
        let name = "  " + name + String(repeating: " ", count: max(0, Self.nameWidth - name.count))
        let cells = zip(cells, Self.cellWidths).map { cell, width in
            String(repeating: " ", count: max(1, width - cell.count)) + cell
        }
        return name + cells.joined() + (verdict.isEmpty ? "" : "   " + verdict)
    }
}

extension Figure {
    fileprivate var verdict: String {
        let word = holds == true ? "holds" : "DOES NOT HOLD"
        return switch limit {
        case .atMost(let limit): "≤ \(limit.short)  \(word)"
        case .atLeast(let limit): "≥ \(limit.short)  \(word)"
        case nil: ""
        }
    }
}

extension Double {
    /// Three digits or so.
    fileprivate var short: String {
        if self >= 1000 { return "\(Int(rounded()))" }
        let digits = self >= 100 ? 0 : self >= 10 ? 1 : 2
        return formatted(digits: digits)
    }

    private func formatted(digits: Int) -> String {
        let scale = [1, 10, 100][digits]
        let whole = Int((self * Double(scale)).rounded())
        guard digits > 0 else { return "\(whole)" }
        let rest = "\(whole % scale)"
        return "\(whole / scale)." + String(repeating: "0", count: digits - rest.count) + rest
    }
}
