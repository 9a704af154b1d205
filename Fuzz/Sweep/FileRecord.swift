/// What has come of one file so far.
struct FileRecord: Codable {
    var attempts = 0
    var shown = 0
    var refused = 0
    /// Of one attempt, in milliseconds.
    var slowest = 0
    /// Of the process, in megabytes.
    var peak = 0
    var findings: [Finding] = []

    struct Finding: Codable {
        let index: Int
        let what: String
    }

    /// Reads what a child printed. The attempt that it announced and did not finish is the one that ended it.
    mutating func add(_ output: String, from first: Int, endedBy death: String?) {
        var begun: Int?
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let index = words.first.flatMap({ Int($0) }) else { continue }
            begun = index
            guard words.count == 4 else { continue }
            begun = nil
            attempts = index + 1
            if words[1] == "shown" { shown += 1 } else { refused += 1 }
            slowest = max(slowest, Int(words[2]) ?? 0)
            peak = max(peak, Int(words[3]) ?? 0)
        }
        guard let death else { return }
        findings.append(Finding(index: begun ?? first, what: death))
        attempts = (begun ?? first) + 1
    }
}
