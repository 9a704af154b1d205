import BowerbirdCore

/// The entries that are on their way to the disk: found by readers at once, written down a little later.
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
    private var lastTicket = 0
    private var isWriterCalled = false
    private(set) var byteCount = 0

    func entry(for key: CacheKey) -> CacheEntry? { writes[key]?.entry }

    func keys(ofSource source: String) -> [CacheKey] { writes.keys.filter { $0.source == source } }

    /// Adds an entry, in place of one under the same key.
    mutating func add(_ entry: CacheEntry, for key: CacheKey, at time: Int64) {
        remove(key)
        lastTicket += 1
        writes[key] = Write(key: key, entry: entry, time: time, ticket: lastTicket)
        byteCount += entry.data.count
    }

    mutating func remove(_ key: CacheKey) {
        guard let removed = writes.removeValue(forKey: key) else { return }
        byteCount -= removed.entry.data.count
    }

    mutating func remove(source: String) {
        for key in writes.keys where key.source == source { remove(key) }
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
        byteCount = 0
    }

    /// True when the writer is not on its way yet: then the one who asks calls it.
    mutating func shouldCallWriter() -> Bool {
        defer { isWriterCalled = true }
        return !isWriterCalled
    }

    /// What there is to write now, oldest first. It stays here, to be found, until it is down.
    mutating func begin() -> [Write] {
        isWriterCalled = false
        return writes.values.sorted { $0.ticket < $1.ticket }
    }

    /// Lets go of what is down, or was given up; a later entry under the same key stays.
    mutating func finish(_ done: some Sequence<Write>) {
        for write in done where writes[write.key]?.ticket == write.ticket { remove(write.key) }
    }
}
