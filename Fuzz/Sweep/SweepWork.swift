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
        ProcessorTime.endProcess(afterSeconds: plan.secondLimit)
        MemoryPeak.reset()
        let start = ProcessorTime.milliseconds
        var random = plan.mutation.randomness(of: name, index)
        let bytes = plan.mutation.spoil(file, index: index, &random)
        guard let outcome = try? Attempt(bytes, in: .builtIn, &random).run() else { return false }
        let megabytes = MemoryPeak.megabytes
        tell("\(index) \(outcome.rawValue) \(ProcessorTime.milliseconds - start) \(megabytes)")
        return megabytes <= plan.megabyteLimit
    }
}

/// What this process takes of the processors, with all of its threads: how busy the machine is else makes no difference.
enum ProcessorTime {
    /// Since it began.
    static var milliseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// By SIGPROF; by SIGALRM where it does nothing for much longer. The last call counts.
    static func endProcess(afterSeconds seconds: Int) {
        var timer = itimerval()
        timer.it_value.tv_sec = seconds
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
        alarm(UInt32(15 * seconds))
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
