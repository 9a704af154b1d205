import BowerbirdCore

/// The entries that are on their way to the disk, and those on their way out: known to readers at once, written down a
/// little later.
struct StagedWrites: Sendable {
    struct Write: Sendable {
        let key: CacheKey
        let entry: CacheEntry
        /// By the wall clock, microseconds since 1970.
        let time: Int64
        /// Tells this write from a later one under the same key.
        fileprivate let ticket: Int
    }

    private var writes: [CacheKey: Write] = [:]
    /// The keys that were removed, each with a ticket; none of them is among the writes.
    private(set) var removals: [CacheKey: Int] = [:]
    private var lastTicket = 0
    private var isWriterCalled = false
    private(set) var byteCount = 0

    enum Finding {
        case entry(CacheEntry)
        case removed
        /// The disk knows.
        case unknown
    }

    func find(_ key: CacheKey) -> Finding {
        if let write = writes[key] { return .entry(write.entry) }
        return removals.isEmpty || removals[key] == nil ? .unknown : .removed
    }

    func keys(ofSource source: String) -> [CacheKey] { writes.keys.filter { $0.source == source } }

    /// Adds an entry, in place of one under the same key.
    mutating func add(_ entry: CacheEntry, for key: CacheKey, at time: Int64) {
        drop(key)
        removals[key] = nil
        lastTicket += 1
        writes[key] = Write(key: key, entry: entry, time: time, ticket: lastTicket)
        byteCount += entry.data.count
    }

    /// Forgets the entry, and notes that the one on the disk is to go.
    mutating func remove(_ key: CacheKey) {
        drop(key)
        lastTicket += 1
        removals[key] = lastTicket
    }

    private mutating func drop(_ key: CacheKey) {
        guard let removed = writes.removeValue(forKey: key) else { return }
        byteCount -= removed.entry.data.count
    }

    mutating func remove(source: String) {
        for key in writes.keys where key.source == source { drop(key) }
    }

    /// Gives an entry other facts of freshness, unless they are those of other bytes. False when none is here under
    /// `key`.
    mutating func renew(_ freshness: Freshness, for key: CacheKey) -> Bool {
        guard let write = writes[key] else { return false }
        if let renewed = write.entry.renewed(freshness) { add(renewed, for: key, at: write.time) }
        return true
    }

    mutating func removeAll() {
        writes = [:]
        removals = [:]
        byteCount = 0
    }

    /// True when the writer is not on its way yet: then the one who asks calls it.
    mutating func shouldCallWriter() -> Bool {
        defer { isWriterCalled = true }
        return !isWriterCalled
    }

    /// What there is to write now, oldest first, and what was removed by this moment. It stays here, to be found, until it
    /// is down. Both are taken at once: a removal that comes later has to come after these writes on the disk, too.
    mutating func begin() -> (writes: [Write], removals: [CacheKey: Int]) {
        isWriterCalled = false
        return (writes.values.sorted { $0.ticket < $1.ticket }, removals)
    }

    /// Lets go of what is down, or was given up; a later entry under the same key stays.
    mutating func finish(_ done: some Sequence<Write>) {
        for write in done where writes[write.key]?.ticket == write.ticket { drop(write.key) }
    }

    /// The same of what has been removed.
    mutating func finish(_ done: [CacheKey: Int]) {
        guard done.count < removals.count || done != removals else { return removals = [:] }
        for (key, ticket) in done where removals[key] == ticket { removals[key] = nil }
    }
}

extension Array<StagedWrites.Write> {
    /// In their order, at most so many and so many bytes together; a single one may be larger.
    func batches(ofCount count: Int, byteCount: Int) -> [ArraySlice<StagedWrites.Write>] {
        var batches: [ArraySlice<StagedWrites.Write>] = []
        var start = 0
        var bytes = 0
        for (index, write) in enumerated() {
            let size = write.entry.data.count
            if index > start, index - start >= count || size > byteCount - bytes {
                batches.append(self[start..<index])
                start = index
                bytes = 0
            }
            bytes += size
        }
        if start < self.count { batches.append(self[start...]) }
        return batches
    }
}
