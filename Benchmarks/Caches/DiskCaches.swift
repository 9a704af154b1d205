import Bowerbird
import BowerbirdTestSupport

extension Topic {
    /// The disk cache beside the designs of others, and beside the least that any reader must do.
    static let diskCaches = [
        Topic("Disk cache, reading") {
            var figures: [Figure] = []
            for size in DiskSize.all { figures += try await size.readFigures() }
            return figures
        },
        Topic("Disk cache, writing") {
            var figures: [Figure] = []
            for size in DiskSize.all { figures += try await size.changeFigures() }
            return figures
        },
        Topic("Disk cache, opening") { try await openingFigures() },
    ]
}

/// One size of entries, and what must hold for it.
private struct DiskSize {
    let name: String
    let count: Int
    let byteCount: Int
    /// Of `pread`.
    let readLimit: Double
    /// Of the fastest design that survives as much.
    let writeLimit: Double

    static let all = [
        DiskSize(name: "8 KB", count: 10_000, byteCount: 8_000, readLimit: 3, writeLimit: 2),
        DiskSize(name: "200 KB", count: 1000, byteCount: 200_000, readLimit: 1.3, writeLimit: 1.5),
    ]
}

// MARK: Reading

extension DiskSize {
    func readFigures() async throws -> [Figure] {
        let entries = try DiskEntries(count: count, byteCount: byteCount)
        let folder = try TemporaryDirectory()
        let files = try TemporaryDirectory()
        let table = try TemporaryDirectory()
        OwnDiskStore(folder.path, entries).write(entries.numbers)
        let fileStore = FileStore(folder: files.path, entries: entries, waitsForDisk: false)
        try fileStore.write(entries.numbers)
        let tableStore = try TableStore(table.path, entries, waitsForDisk: false)
        try tableStore.write(entries.numbers)
        let own = OwnDiskStore(folder.path, entries)
        let fresh = try FlatFile(folder.path + "/fresh", entries, takesFreshMemory: true)
        let reused = try FlatFile(folder.path + "/reused", entries, takesFreshMemory: false)
        return try await hits(own, "pread into new memory", entries, .atMost(readLimit)) { fresh.read($0) }
            + hits(own, "pread into the same memory", entries, nil) { reused.read($0) }
            + hits(own, "one file an entry", entries, nil) { fileStore.read($0) }
            + hits(own, "one table", entries, nil) { try tableStore.read($0) }
            + [misses(own, entries)]
    }

    private func hits(
        _ own: OwnDiskStore, _ peerName: String, _ entries: DiskEntries, _ limit: Figure.Limit?,
        _ peer: (Int) throws -> Int?
    ) async throws -> [Figure] {
        func readAll(_ read: (Int) throws -> Int?) throws {
            for step in entries.numbers where try read(entries.shuffled(step)) != byteCount {
                throw CannotMeasure("an entry is not there")
            }
        }
        let comparison = try await Comparison.interleaved(.processor) {
            try readAll(own.read)
        } _: {
            try readAll(peer)
        }
        return comparison.figures("get \(name)", peerName, each: count, limit)
    }

    private func misses(_ own: OwnDiskStore, _ entries: DiskEntries) async throws -> Figure {
        var samples = Samples()
        for _ in 0..<Comparison.pairCount {
            try await samples.add(.processor) {
                for number in count..<2 * count where own.read(number) != nil { throw CannotMeasure("a miss is a hit") }
            }
        }
        var figure = Figure("miss \(name)", samples.divided(by: count), .microseconds)
        figure.limit = .atMost(2)
        return figure
    }
}

// MARK: Writing, removing, trimming

/// A design, and what an entry survives that it has written.
private struct Design: Sendable {
    let name: String
    let durability: DiskCache.Durability
    /// Whether a library works like this. Files that nobody waits for are what the file system itself costs.
    var isPeer = true
    let make: @Sendable (_ folder: String, _ entries: DiskEntries) throws -> any MeasuredDiskStore

    static let all = [
        Design(name: "Bowerbird, survives kill", durability: .process) { OwnDiskStore($0, $1) },
        Design(name: "files, no fsync, survives kill (no library's)", durability: .process, isPeer: false) {
            FileStore(folder: $0, entries: $1, waitsForDisk: false)
        },
        Design(name: "one table, no fsync, survives kill", durability: .process) {
            try TableStore($0, $1, waitsForDisk: false)
        },
        Design(name: "Bowerbird, survives power cut", durability: .power) { OwnDiskStore($0, $1, .power) },
        Design(name: "files, fsync, survives power cut", durability: .power) {
            FileStore(folder: $0, entries: $1, waitsForDisk: true)
        },
    ]
}

extension DiskSize {
    private static let runs = 3

    /// Wall time, because waiting for the disk is what many of them do. Each run has a folder of its own.
    func changeFigures() async throws -> [Figure] {
        let entries = try DiskEntries(count: count, byteCount: byteCount)
        var writes = [Samples](repeating: Samples(), count: Design.all.count)
        var removals = writes
        var trims = writes
        for run in 0...Self.runs {
            for (index, design) in Design.all.enumerated() {
                // What waits for the disk takes long: fewer of them.
                let count = design.durability == .power ? 100 : count
                let folder = try TemporaryDirectory()
                let store = try design.make(folder.path, entries)
                var (write, removal, trim) = (Samples(), Samples(), Samples())
                try await write.add(.wall) { try store.write(0..<count) }
                // In the order of writing: what comes first is what was used longest ago.
                try await removal.add(.wall) { try store.remove(count - count / 4..<count) }
                if design.durability == .process { try await trim.add(.wall) { try await store.trimHalf() } }
                // The first of all shows what the machine does not have in its caches yet.
                guard run > 0 else { continue }
                writes[index].add(write.seconds[0] / Double(count))
                removals[index].add(removal.seconds[0] / Double(count / 4))
                trim.seconds.first.map { trims[index].add($0) }
            }
        }
        return figures("write \(name)", writes, .microseconds, .process, writeLimit)
            + figures("write \(name)", writes, .microseconds, .power, writeLimit)
            + figures("remove \(name)", removals, .microseconds, .process, 1.5)
            + figures("trim half, \(name)", trims, .milliseconds, .process, 2)
    }

    /// Ours, the others, and ours beside the fastest library's design.
    private func figures(
        _ what: String, _ samples: [Samples], _ unit: Figure.Unit, _ durability: DiskCache.Durability, _ limit: Double
    ) -> [Figure] {
        let rows = zip(Design.all, samples).filter { $0.0.durability == durability }
        let fastest = rows.dropFirst().filter(\.0.isPeer).map(\.1.spread.median).min() ?? 0
        let ratio = fastest / (rows.first?.1.spread.median ?? 1)
        return rows.map { Figure("\(what): \($0.0.name)", $0.1, unit) }
            + [Figure(name: "\(what): the fastest peer : ours", value: ratio, unit: .ratio, limit: .atLeast(limit))]
    }
}

extension Comparison {
    fileprivate func figures(
        _ subject: String, _ reference: String, each count: Int, _ limit: Figure.Limit?
    ) -> [Figure] {
        [
            Figure(subject, self.subject.divided(by: count), .microseconds),
            Figure("\(subject): \(reference)", self.reference.divided(by: count), .microseconds),
            Figure(name: "\(subject) : \(reference)", value: ratio, unit: .ratio, spread: ratios, limit: limit),
            Figure(name: "\(subject) : itself", value: ratioToItself, unit: .ratio, spread: ratiosToItself),
        ]
    }
}
