import Foundation
import Synchronization

/// All files of a folder, in rounds, two processes at a time.
final class Sweep: Sendable {
    private let folder: String
    private let files: [String]
    private let cuts: Int
    private let flips: Int
    private let seed: Int
    private let seconds: Int?
    private let statePath: String?
    private let tablePath: String?
    private let records: Mutex<[String: FileRecord]>
    private let start = ContinuousClock.now

    init?(_ arguments: Arguments) {
        guard let folder = arguments.words.first else { return nil }
        self.folder = folder
        files = Self.files(in: folder)
        guard !files.isEmpty else { return nil }
        seconds = arguments["--seconds"].flatMap { Int($0) }
        cuts = arguments.number("--cuts", 200)
        flips = arguments.number("--flips", 2000)
        seed = arguments.number("--seed", 1)
        statePath = arguments["--state"]
        tablePath = arguments["--table"]
        let known = statePath.flatMap { FileManager.default.contents(atPath: $0) }
        let read = known.flatMap { try? JSONDecoder().decode([String: FileRecord].self, from: $0) }
        records = Mutex(read ?? [:])
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

    private var attemptsPerFile: Int { cuts + flips }
    private var isOutOfTime: Bool { seconds.map { start.duration(to: .now) > .seconds($0) } ?? false }

    /// True when nothing was found.
    func run() -> Bool {
        print("seed \(seed): \(files.count) files, \(cuts) cuts and \(flips) flips each")
        // A round is short where the time is, so that every file has its turn.
        let step = seconds == nil ? attemptsPerFile : max(1, attemptsPerFile / 10)
        for round in 0..<(attemptsPerFile + step - 1) / step {
            if isOutOfTime { break }
            runRound(upTo: min(attemptsPerFile, (round + 1) * step))
        }
        return report()
    }

    private func runRound(upTo end: Int) {
        let waiting = records.withLock { records in files.filter { (records[$0]?.attempts ?? 0) < end } }
        DispatchQueue.concurrentPerform(iterations: waiting.count) { number in
            if isOutOfTime { return }
            let file = waiting[number]
            var record = records.withLock { $0[file] ?? FileRecord() }
            while record.attempts < end { attempt(file, upTo: end, &record) }
            let finished = record
            records.withLock { $0[file] = finished }
            save()
            show(number + 1, of: waiting.count, upTo: end)
        }
    }

    private func attempt(_ file: String, upTo end: Int, _ record: inout FileRecord) {
        let first = record.attempts
        let child = Process()
        child.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        child.arguments = [
            "--one", folder + "/" + file, "--name", file, "--seed", "\(seed)", "--cuts", "\(cuts)", "--index",
            "\(first)", "--count", "\(end - first)",
        ]
        let output = Pipe()
        let errors = Pipe()
        child.standardOutput = output
        child.standardError = errors
        guard (try? child.run()) != nil else { return record.add("", from: first, endedBy: "it does not start") }
        DispatchQueue.global().async { [handle = errors.fileHandleForReading] in _ = try? handle.readToEnd() }
        let text = (try? output.fileHandleForReading.readToEnd()).flatMap { $0 } ?? Data()
        child.waitUntilExit()
        record.add(String(decoding: text, as: UTF8.self), from: first, endedBy: Self.death(of: child))
    }

    private static func death(of child: Process) -> String? {
        if child.terminationReason == .uncaughtSignal {
            return child.terminationStatus == SIGALRM ? "took too long" : "signal \(child.terminationStatus)"
        }
        return child.terminationStatus == 0 ? nil : "exit status \(child.terminationStatus)"
    }

    private func save() {
        guard let statePath else { return }
        records.withLock { records in
            guard let data = try? JSONEncoder().encode(records) else { return }
            try? data.write(to: URL(filePath: statePath), options: .atomic)
        }
    }

    private func show(_ done: Int, of count: Int, upTo end: Int) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("\r\(done) of \(count) files, \(end) attempts each ".utf8))
    }

    private func report() -> Bool {
        let table = SweepTable(records.withLock { $0 }, folder: folder, seed: seed, cuts: cuts)
        print(table.text)
        if let tablePath { try? Data(table.text.utf8).write(to: URL(filePath: tablePath)) }
        return table.findingCount == 0
    }
}
