import Bowerbird
import Foundation

/// One process's part: attempts at one file, each announced before it begins.
struct SweepChild {
    private let path: String
    private let name: String
    private let mutation: Mutation
    private let indices: Range<Int>
    private let secondLimit: Int

    init?(_ arguments: Arguments) {
        guard let path = arguments["--one"] else { return nil }
        self.path = path
        name = arguments["--name"] ?? path
        mutation = Mutation(seed: UInt64(arguments.number("--seed", 1)), cuts: arguments.number("--cuts", 200))
        let first = arguments.number("--index", 0)
        indices = first..<first + arguments.number("--count", 1)
        secondLimit = arguments.number("--limit", 60)
    }

    /// Prints `index`, and then what came of it and how many milliseconds it took.
    func run() -> Int32 {
        guard let file = FileManager.default.contents(atPath: path).map(Array.init) else { return 2 }
        for index in indices {
            tell("\(index)")
            // Ends the process, and so the attempt, when it takes too long.
            alarm(UInt32(secondLimit))
            let start = ContinuousClock.now
            let attempt = Attempt(
                codecs: .builtIn, bytes: mutation.spoil(file, named: name, index: index), index: index)
            guard let outcome = try? attempt.run() else { return 3 }
            let milliseconds = start.duration(to: .now) / .milliseconds(1)
            tell("\(index) \(outcome.rawValue) \(Int(milliseconds)) \(Self.peakMegabytes)")
        }
        return 0
    }

    /// At once: what is still in a buffer when the process dies is lost.
    private func tell(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static var peakMegabytes: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Int(usage.ru_maxrss) / 1024
    }
}
