import BowerbirdCore
import FoundationEssentials

/// What became of a suite, for the table that people read.
struct ConformanceReport: Sendable {
    let suite: ConformanceSuite
    let outcomes: [(name: String, outcome: ConformanceOutcome)]

    init(_ suite: ConformanceSuite) throws {
        self.suite = suite
        outcomes = try suite.cases().map { ($0.name, $0.run()) }
    }

    var failures: [String: String] {
        var failures: [String: String] = [:]
        for case (let name, .failed(let reason)) in outcomes { failures[name] = reason }
        return failures
    }

    private func count(_ isCounted: (ConformanceOutcome) -> Bool) -> Int {
        outcomes.count { isCounted($0.outcome) }
    }

    /// A row of a Markdown table.
    var row: String {
        let exact = count { if case .exact = $0 { true } else { false } }
        let near = count { if case .near = $0 { true } else { false } }
        let decoded = count { if case .decoded = $0 { true } else { false } }
        let refused = count { if case .refused = $0 { true } else { false } }
        let numbers = [outcomes.count, exact, near, decoded, refused, failures.count]
        return "| \(suite.name) | \(suite.expectation) | \(numbers.map(String.init).joined(separator: " | ")) |"
    }

    static let header = """
        | suite | what is expected | cases | equal | near | decoded | refused | failed |
        |---|---|--:|--:|--:|--:|--:|--:|
        """

    /// Where the rows go when somebody wants them: a folder, one file a suite.
    static let folder = ProcessInfo.processInfo.environment["BOWERBIRD_CONFORMANCE_REPORT"]

    func write() throws {
        guard let folder = Self.folder else { return }
        let names = failures.sorted { $0.key < $1.key }.map { name, reason in
            "- `\(name)`: \(reason)" + (KnownDeviations.reasons[name].map { ". \($0)" } ?? "")
        }
        let text = ([row] + names).joined(separator: "\n") + "\n"
        let file = URL(filePath: folder).appending(path: suite.name.replacing("/", with: "_") + ".md")
        try Data(text.utf8).write(to: file)
    }
}
