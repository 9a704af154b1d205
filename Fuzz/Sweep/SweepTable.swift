/// What came of a sweep, by suite.
struct SweepTable {
    private let records: [String: FileRecord]
    private let plan: SweepPlan

    init(_ records: [String: FileRecord], _ plan: SweepPlan) {
        self.records = records
        self.plan = plan
    }

    /// Whether all attempts were made and nothing was found.
    var isClean: Bool { records.values.allSatisfy { $0.findings.isEmpty } && behind == 0 }

    /// Files that have not had all of their attempts.
    private var behind: Int { records.values.count { $0.attempts < plan.attemptsPerFile } }

    var text: String {
        let suites = Dictionary(grouping: records) { $0.key.split(separator: "/").first.map(String.init) ?? "" }
        let rows = suites.sorted { $0.key < $1.key }.map { row($0.key, $0.value.map(\.value)) }
        return ([header] + rows + [row("all", Array(records.values)), ""] + findings + incompleteness)
            .joined(separator: "\n")
    }

    private var header: String {
        """
        | suite | files | fewest attempts | attempts | shown | refused | CPU, s | slowest, ms | peak, MB | findings |
        |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
        """
    }

    private func row(_ name: String, _ records: [FileRecord]) -> String {
        func sum(_ value: (FileRecord) -> Int) -> Int { records.map(value).reduce(0, +) }
        func most(_ value: (FileRecord) -> Int) -> Int { records.map(value).max() ?? 0 }
        let fewest = records.map(\.attempts).min() ?? 0
        let numbers: [Int] = [
            records.count, fewest, sum(\.attempts), sum(\.shown), sum(\.refused), sum(\.milliseconds) / 1000,
            most(\.slowest), most(\.peak), sum(\.findings.count),
        ]
        return "| \(name) | " + numbers.map(String.init).joined(separator: " | ") + " |"
    }

    private var findings: [String] {
        records.sorted { $0.key < $1.key }.flatMap { name, record in
            record.findings.map { Self.line($0, name, plan) }
        }
    }

    private var incompleteness: [String] {
        behind == 0 ? [] : ["\(behind) files have had fewer than \(plan.attemptsPerFile) attempts."]
    }

    /// With what it takes to repeat it.
    static func line(_ finding: FileRecord.Finding, _ name: String, _ plan: SweepPlan) -> String {
        "- \(name): \(finding.what); repeat it with `Scripts/fuzz-corpus --one \(name) --seed \(plan.mutation.seed) "
            + "--cuts \(plan.mutation.cuts) --flips \(plan.mutation.flips) --index \(finding.index)`"
    }
}
