/// What came of a sweep, by suite.
struct SweepTable {
    private let records: [String: FileRecord]
    private let folder: String
    private let seed: Int
    private let cuts: Int

    init(_ records: [String: FileRecord], folder: String, seed: Int, cuts: Int) {
        self.records = records
        self.folder = folder
        self.seed = seed
        self.cuts = cuts
    }

    var findingCount: Int { records.values.reduce(0) { $0 + $1.findings.count } }

    var text: String {
        let suites = Dictionary(grouping: records) { $0.key.split(separator: "/").first.map(String.init) ?? "" }
        let rows = suites.sorted { $0.key < $1.key }.map { row($0.key, $0.value.map(\.value)) }
        return ([header] + rows + [row("all", Array(records.values))] + findings).joined(separator: "\n")
    }

    private var header: String {
        """
        | suite | files | fewest attempts | attempts | shown | refused | slowest, ms | peak, MB | findings |
        |---|--:|--:|--:|--:|--:|--:|--:|--:|
        """
    }

    private func row(_ name: String, _ records: [FileRecord]) -> String {
        func sum(_ value: (FileRecord) -> Int) -> Int { records.map(value).reduce(0, +) }
        func most(_ value: (FileRecord) -> Int) -> Int { records.map(value).max() ?? 0 }
        let fewest = records.map(\.attempts).min() ?? 0
        let numbers: [Int] = [
            records.count, fewest, sum(\.attempts), sum(\.shown), sum(\.refused), most(\.slowest), most(\.peak),
            sum(\.findings.count),
        ]
        return "| \(name) | " + numbers.map(String.init).joined(separator: " | ") + " |"
    }

    private var findings: [String] {
        records.sorted { $0.key < $1.key }.flatMap { name, record in
            record.findings.map { finding in
                "- \(name): \(finding.what); repeat it with `bowerbird-sweep --one FOLDER/\(name) --name \(name) "
                    + "--seed \(seed) --cuts \(cuts) --index \(finding.index)`"
            }
        }
    }
}
