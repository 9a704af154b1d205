/// What is the same for all attempts of a sweep, in its own process and in those that it starts.
struct SweepPlan {
    let folder: String
    let mutation: Mutation
    /// What one attempt may take of the processors, and of memory. More is a finding.
    let secondLimit: Int
    let megabyteLimit: Int

    init?(_ arguments: Arguments) {
        guard let folder = arguments.words.first else { return nil }
        self.folder = folder
        mutation = Mutation(
            seed: UInt64(arguments.number("--seed", 1)), cuts: arguments.number("--cuts", 200),
            flips: arguments.number("--flips", 2000))
        secondLimit = arguments.number("--second-limit", 20)
        megabyteLimit = arguments.number("--megabyte-limit", 1500)
    }

    var attemptsPerFile: Int { mutation.cuts + mutation.flips }

    /// For a process that works on it.
    var arguments: [String] {
        [
            folder, "--seed", "\(mutation.seed)", "--cuts", "\(mutation.cuts)", "--flips", "\(mutation.flips)",
            "--second-limit", "\(secondLimit)", "--megabyte-limit", "\(megabyteLimit)",
        ]
    }
}

/// A few attempts at one file.
struct SweepJob {
    /// From the folder on.
    let name: String
    let indices: Range<Int>

    init(_ name: String, _ indices: Range<Int>) {
        self.name = name
        self.indices = indices
    }

    /// From a line as `line` is.
    init?(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count == 3, let first = Int(words[0]), let end = Int(words[1]), first <= end else { return nil }
        self.init(String(words[2]), first..<end)
    }

    var line: String { "\(indices.lowerBound) \(indices.upperBound) \(name)" }
}
