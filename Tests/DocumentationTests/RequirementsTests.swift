import FoundationEssentials
import Testing

/// Documentation/Requirements.md, read as data.
@Suite
struct `The list of requirements` {
    private let rows: [Row]
    private let sources: Sources
    private let tests: Tests

    init() throws {
        rows = Row.all(in: try Package.text(of: "Documentation/Requirements.md"))
        sources = Sources(try Package.swiftFiles(under: "Sources"))
        tests = Tests(try Package.swiftFiles(under: "Tests"))
    }

    /// The first and the last of each run of numbers, and how many digits they have.
    static let runs: [(prefix: String, numbers: ClosedRange<Int>, digits: Int)] = [
        ("O-", 1...37, 3), ("O-", 50...86, 3), ("O-", 90...98, 3), ("M-", 1...35, 3), ("MC-", 1...16, 3),
        ("DC-", 1...40, 3), ("DL-", 1...32, 3), ("PF-", 1...11, 3), ("CD-", 1...28, 3), ("AP-", 1...22, 3),
        ("S0-", 1...24, 2), ("S1-", 1...22, 2), ("S2-", 1...15, 2), ("B-", 1...1, 2), ("B-", 3...3, 2),
        ("B-", 5...5, 2), ("B-", 16...20, 2), ("B-", 22...24, 2), ("B-", 32...32, 2), ("B-", 35...35, 2),
        ("B-", 37...37, 2),
    ]

    /// With what the last column begins where no test stands first.
    static let words = ["no test:", "not yet:", "later:", "not done:", "not here:"]

    @Test func hasEveryRowOnceInOrder() {
        let expected = Self.runs.flatMap { run in
            run.numbers.map { number in
                let text = String(number)
                return run.prefix + String(repeating: "0", count: run.digits - text.count) + text
            }
        }
        let ids = rows.map(\.id)
        #expect(ids.difference(from: expected).map { "\($0)" } == [])
    }

    @Test func saysOfEachRowWhatItIsAndHowItIsChecked() {
        for row in rows {
            #expect(row.cells.count == 4 && !row.cells.contains(""), "\(row.id) has an empty column, or another number")
            let isChecked = row.test.hasPrefix("`") && !row.tests.isEmpty
            #expect(isChecked || Self.words.contains { row.test.hasPrefix($0) }, "\(row.id) begins with “\(row.test)”")
        }
    }

    @Test func namesTestsThatAreThere() {
        for row in rows {
            let missing = row.tests.filter { !tests.contains($0) }
            #expect(missing == [], "\(row.id)")
        }
    }

    @Test func namesTypesAndOptionsThatAreThere() {
        for row in rows {
            let missing = row.names.flatMap(sources.unknownWords)
            #expect(missing == [], "\(row.id)")
        }
    }

    /// Else the tests above would let everything pass.
    @Test func doesNotKnowWhatIsNotThere() {
        #expect(tests.contains("The list of requirements/doesNotKnowWhatIsNotThere"))
        #expect(!tests.contains("The list of requirements/doesKnowWhatIsNotThere"))
        #expect(!tests.contains("The list of wishes/doesNotKnowWhatIsNotThere"))
        #expect(!tests.contains("The list of requirements/init"))
        #expect(sources.unknownWords(in: "ImageRequest.targetSize") == [])
        #expect(sources.unknownWords(in: "ImagePipeline.data(forNobody:_:)") == ["forNobody"])
    }
}

/// A line of a table that begins with an id.
private struct Row {
    let cells: [String]

    /// `O-001`, `S2-15`.
    private init?(_ line: Substring) {
        guard line.hasPrefix("| ") else { return nil }
        cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map(\.trimmed)
        guard let id = cells.first, let dash = id.firstIndex(of: "-"), dash != id.startIndex,
            id[id.index(after: dash)...].allSatisfy(\.isNumber)
        else { return nil }
    }

    static func all(in document: String) -> [Row] {
        document.split(whereSeparator: \.isNewline).compactMap(Row.init)
    }

    private func cell(_ index: Int) -> String { cells.indices.contains(index) ? cells[index] : "" }

    var id: String { cell(0) }
    var test: String { cell(3) }
    /// `Suite/name`, in the last column.
    var tests: [String] { test.quoted.filter { $0.contains("/") } }
    /// Everything else between backticks, in the last two.
    var names: [String] { cell(2).quoted + test.quoted.filter { !$0.contains("/") } }
}

/// The words of the sources, comments left out.
private struct Sources {
    private let words: Set<Substring>

    init(_ files: [String]) {
        words = files.reduce(into: []) { words, file in
            for line in file.split(whereSeparator: \.isNewline) {
                let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
                words.formUnion(code.words)
            }
        }
    }

    func unknownWords(in name: String) -> [String] {
        name[...].words.filter { $0 != "_" && !words.contains($0) }.map(String.init)
    }
}

/// The tests of all suites, as `Suite/name`.
private struct Tests {
    private var names: Set<String> = []
    /// The types that are open at a line, with their indentations.
    private var open: [(name: Substring, indentation: Int)] = []
    private var isTest = false

    init(_ files: [String]) {
        for file in files {
            for line in file.split(whereSeparator: \.isNewline) { read(line) }
            open = []
        }
    }

    func contains(_ test: String) -> Bool { names.contains(test) }

    /// What swift-format has laid out: a type ends at a brace with its own indentation.
    private mutating func read(_ line: Substring) {
        let code = line.drop { $0 == " " }
        let indentation = line.count - code.count
        while code.hasPrefix("}"), let type = open.last, type.indentation >= indentation { open.removeLast() }
        if let type = Self.type(openedBy: code) { open.append((type, indentation)) }
        if code.contains("@Test") { isTest = true }
        guard let function = code.name(after: "func ") else { return }
        if isTest, let type = open.last { names.insert("\(type.name)/\(function)") }
        isTest = false
    }

    private static func type(openedBy line: Substring) -> Substring? {
        guard line.hasSuffix("{") else { return nil }
        return ["struct ", "class ", "extension "].lazy.compactMap { line.name(after: $0) }.first
    }
}

private enum Package {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(of path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    /// The texts of all files of Swift in a folder.
    static func swiftFiles(under path: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.appending(path: path).path)
            .filter { $0.hasSuffix(".swift") }.map { try text(of: path + "/" + $0) }
    }
}

extension String {
    /// What stands between backticks.
    fileprivate var quoted: [String] {
        split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { !$0.offset.isMultiple(of: 2) }
            .map { String($0.element) }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        let head = drop { $0 == " " }
        guard let last = head.lastIndex(where: { $0 != " " }) else { return "" }
        return String(head[...last])
    }

    /// The name that stands behind `keyword`, be it between backticks.
    fileprivate func name(after keyword: String) -> Substring? {
        guard let rest = firstRange(of: keyword).map({ self[$0.upperBound...] }) else { return nil }
        return rest.hasPrefix("`") ? rest.dropFirst().prefix { $0 != "`" } : rest.words.first
    }

    /// Runs of letters, digits and underscores.
    fileprivate var words: [Substring] {
        split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
