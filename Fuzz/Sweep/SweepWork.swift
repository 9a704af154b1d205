import Bowerbird
import Foundation

/// The part of one process: attempts, each announced before it begins. Jobs come line by line, or there is one attempt
/// that the arguments name.
struct SweepWork {
    private let plan: SweepPlan
    private let single: SweepJob?

    init?(_ arguments: Arguments) {
        guard let plan = SweepPlan(arguments) else { return nil }
        self.plan = plan
        if let name = arguments["--one"] {
            let index = arguments.number("--index", 0)
            single = SweepJob(name, index..<index + 1)
        } else if arguments["--jobs"] == "stdin" {
            single = nil
        } else {
            return nil
        }
    }

    func run() -> Int32 {
        if let single { return work(on: single) ? 0 : 1 }
        while let line = readLine() {
            guard let job = SweepJob(line), work(on: job) else { return 1 }
            tell("done")
        }
        return 0
    }

    private func work(on job: SweepJob) -> Bool {
        guard let file = FileManager.default.contents(atPath: plan.folder + "/" + job.name).map(Array.init) else {
            return false
        }
        return job.indices.allSatisfy { attempt(job.name, file, $0) }
    }

    /// Prints `index`, and then what came of it, and how many milliseconds and megabytes it took.
    private func attempt(_ name: String, _ file: [UInt8], _ index: Int) -> Bool {
        tell("\(index)")
        // Ends the process, and so the attempt, when it takes too long.
        alarm(UInt32(plan.secondLimit))
        MemoryPeak.reset()
        let start = ContinuousClock.now
        let bytes = plan.mutation.spoil(file, named: name, index: index)
        guard let outcome = try? Attempt(codecs: .builtIn, bytes: bytes, index: index).run() else { return false }
        let milliseconds = Int(start.duration(to: .now) / .milliseconds(1))
        let megabytes = MemoryPeak.megabytes
        tell("\(index) \(outcome.rawValue) \(milliseconds) \(megabytes)")
        alarm(0)
        return megabytes <= plan.megabyteLimit
    }
}

/// The most memory that this process has had at once.
enum MemoryPeak {
    /// What was before does not count. Without effect where the kernel does not know how.
    static func reset() {
        guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return }
        try? file.write(contentsOf: Data("5".utf8))
        try? file.close()
    }

    static var megabytes: Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0) / 1024
    }
}
