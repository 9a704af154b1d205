import Foundation

/// A process that works on jobs, one after the other; another one when it has died.
final class SweepWorker {
    private let plan: SweepPlan
    /// What it complains of, to be read when it has died.
    private let complaints: URL
    private var process: Process?
    private var input = FileHandle.nullDevice
    private var output = FileHandle.nullDevice
    private var unread = Data()
    private var attemptCount = 0

    /// After so many attempts a process gives way to another: libraries keep memory to their end.
    private static let mostAttempts = 400

    init(_ plan: SweepPlan, number: Int) {
        self.plan = plan
        complaints = FileManager.default.temporaryDirectory
            .appending(path: "bowerbird-sweep-\(ProcessInfo.processInfo.processIdentifier)-\(number)")
    }

    deinit { try? FileManager.default.removeItem(at: complaints) }

    /// Goes on with a file up to the end of the job, past attempts that are its process's last.
    func work(on job: SweepJob, _ record: inout FileRecord) {
        while record.attempts < job.indices.upperBound {
            start()
            let rest = SweepJob(job.name, record.attempts..<job.indices.upperBound)
            try? input.write(contentsOf: Data((rest.line + "\n").utf8))
            var reading = FileRecord.Reading(first: record.attempts)
            while let line = nextLine() {
                if line == "done" { break }
                record.read(line, &reading)
                attemptCount += 1
            }
            let isUnfinished = record.attempts < job.indices.upperBound
            guard isUnfinished || attemptCount > Self.mostAttempts else { continue }
            let death = stop()
            if isUnfinished { record.end(reading, by: death) }
        }
    }

    private func start() {
        guard process == nil else { return }
        _ = FileManager.default.createFile(atPath: complaints.path, contents: nil)
        let child = Process()
        child.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        child.arguments = plan.arguments + ["--jobs", "stdin"]
        let (jobs, results) = (Pipe(), Pipe())
        child.standardInput = jobs
        child.standardOutput = results
        child.standardError = FileHandle(forWritingAtPath: complaints.path)
        do { try child.run() } catch { fatalError("it does not start: \(error)") }
        input = jobs.fileHandleForWriting
        output = results.fileHandleForReading
        unread = Data()
        attemptCount = 0
        process = child
    }

    /// Nil where the process has ended.
    private func nextLine() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = Data(unread[(end + 1)...]) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.availableData
            if more.isEmpty { return nil }
            unread += more
        }
    }

    /// How it ended.
    private func stop() -> String {
        guard let process = process.take() else { return "it does not start" }
        try? input.close()
        try? output.close()
        process.waitUntilExit()
        switch (process.terminationReason, process.terminationStatus) {
        case (.uncaughtSignal, SIGPROF): return "took over \(plan.secondLimit) s"
        case (.uncaughtSignal, SIGALRM): return "does not go on"
        case (.uncaughtSignal, let signal): return complaint ?? "signal \(signal)"
        case (_, let status): return complaint ?? "status \(status)"
        }
    }

    /// What a sanitizer or Swift says, in one line.
    private var complaint: String? {
        let text = (try? Data(contentsOf: complaints)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let words = ["SUMMARY:", "Fatal error:", "ERROR:", "hard rss limit"]
        return words.lazy.compactMap { word in text.split(separator: "\n").first { $0.contains(word) } }.first
            .map(String.init)
    }
}
