import Foundation
import Synchronization

/// All files of a folder, in rounds, in as many processes as there are processors.
final class Sweep: Sendable {
    private let plan: SweepPlan
    private let files: [String]
    private let seconds: Int?
    private let statePath: String?
    private let tablePath: String?
    private let records: Mutex<[String: FileRecord]>
    private let start = ContinuousClock.now

    init?(_ arguments: Arguments) {
        guard let plan = SweepPlan(arguments) else { return nil }
        self.plan = plan
        let files = Self.files(in: plan.folder)
        guard !files.isEmpty else { return nil }
        self.files = files
        seconds = arguments["--seconds"].flatMap { Int($0) }
        statePath = arguments["--state"]
        tablePath = arguments["--table"]
        let known = statePath.flatMap { FileManager.default.contents(atPath: $0) }
        let read = known.flatMap { try? JSONDecoder().decode([String: FileRecord].self, from: $0) } ?? [:]
        records = Mutex(Dictionary(uniqueKeysWithValues: files.map { ($0, read[$0] ?? FileRecord()) }))
    }

    private static func files(in folder: String) -> [String] {
        let all = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        let texts = ["md", "txt", "json", "npy", "icc"]
        return all.filter { path in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: folder + "/" + path, isDirectory: &isFolder)
            return exists && !isFolder.boolValue && !texts.contains { path.hasSuffix("." + $0) }
        }.sorted()
    }

    private var isOutOfTime: Bool { seconds.map { start.duration(to: .now) > .seconds($0) } ?? false }

    /// True where all attempts were made and nothing was found.
    func run() -> Bool {
        let (seed, cuts, flips) = (plan.mutation.seed, plan.mutation.cuts, plan.mutation.flips)
        tell("seed \(seed): \(files.count) files, \(cuts) cuts and \(flips) flips each")
        // Every file has its turn, however soon the end comes.
        let step = max(1, min(10, plan.attemptsPerFile / 10))
        for end in stride(from: step, to: plan.attemptsPerFile + step, by: step) {
            if isOutOfTime { break }
            runRound(upTo: min(plan.attemptsPerFile, end))
        }
        return report()
    }

    private func runRound(upTo end: Int) {
        let waiting = Mutex(records.withLock { records in files.filter { (records[$0]?.attempts ?? 0) < end } })
        DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { number in
            let worker = SweepWorker(plan, number: number)
            while !isOutOfTime, let file = waiting.withLock({ $0.popLast() }) { work(on: file, upTo: end, worker) }
        }
    }

    private func work(on file: String, upTo end: Int, _ worker: SweepWorker) {
        var record = records.withLock { $0[file] ?? FileRecord() }
        let known = record.findings.count
        worker.work(on: SweepJob(file, record.attempts..<end), &record)
        let finished = record
        records.withLock { $0[file] = finished }
        for finding in record.findings[known...] { tell(SweepTable.line(finding, file, plan)) }
        save()
    }

    private func save() {
        guard let statePath else { return }
        records.withLock { records in
            guard let data = try? JSONEncoder().encode(records) else { return }
            try? data.write(to: URL(filePath: statePath), options: .atomic)
        }
    }

    private func report() -> Bool {
        let table = SweepTable(records.withLock { $0 }, plan)
        tell(table.text)
        if let tablePath { try? Data(table.text.utf8).write(to: URL(filePath: tablePath)) }
        return table.isClean
    }
}
