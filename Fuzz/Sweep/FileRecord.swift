/// What has come of one file so far.
struct FileRecord: Codable {
    var attempts = 0
    var shown = 0
    var refused = 0
    /// Of one attempt, in milliseconds of the processor.
    var slowest = 0
    /// Of all attempts.
    var milliseconds = 0
    /// Of one attempt, in megabytes.
    var peak = 0
    var findings: [Finding] = []

    struct Finding: Codable {
        let index: Int
        let what: String
    }

    /// How far the lines of one process have been read.
    struct Reading {
        /// The attempt that was announced last, or the first.
        var index: Int
        /// What it took, in megabytes, where it has ended.
        var megabytes: Int?

        init(first: Int) { index = first }
    }

    /// Takes one line that a process printed: the number of an attempt that begins, or what came of it.
    mutating func read(_ line: String, _ reading: inout Reading) {
        let words = line.split(separator: " ")
        guard let index = words.first.flatMap({ Int($0) }) else { return }
        reading.index = index
        reading.megabytes = nil
        guard words.count == 4 else { return }
        attempts = index + 1
        if words[1] == "shown" { shown += 1 } else { refused += 1 }
        slowest = max(slowest, Int(words[2]) ?? 0)
        milliseconds += Int(words[2]) ?? 0
        reading.megabytes = Int(words[3])
        peak = max(peak, reading.megabytes ?? 0)
    }

    /// The process has ended before its time: with the attempt that it announced last.
    mutating func end(_ reading: Reading, by death: String) {
        attempts = reading.index + 1
        let what = reading.megabytes.map { "took \($0) MB" } ?? death
        findings.append(Finding(index: reading.index, what: what))
    }
}
