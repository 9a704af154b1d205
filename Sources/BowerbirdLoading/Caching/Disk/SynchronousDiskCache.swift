public import BowerbirdCore

extension DiskCache {
    /// The same cache for code that is not asynchronous.
    public var synchronous: SynchronousDiskCache { SynchronousDiskCache(cache: self) }
}

/// The calls of a `DiskCache` that block the calling thread instead of suspending a task.
///
/// Any thread may call them but one of Swift's pool, which other tasks wait for, and the one that a warning comes on. A
/// read takes microseconds, for a large file as long as copying it. What changes the disk waits for its turn, after what
/// is being written just now.
public struct SynchronousDiskCache: Sendable {
    let cache: DiskCache

    /// As `DiskCache.entry(for:)`. Reads go on side by side, and none waits for a write.
    public func entry(for key: CacheKey) -> CacheEntry? {
        switch cache.stagedFinding(for: key) {
        case .entry(let entry): entry
        case .removed: cache.extraEntry(DiskKey(key.text))
        case .unknown: cache.read(key)
        }
    }

    /// As `DiskCache.contains(_:)`. Never waits for a write.
    public func contains(_ key: CacheKey) -> Bool {
        switch cache.stagedFinding(for: key) {
        case .entry: true
        case .removed: cache.hasExtraEntry(DiskKey(key.text))
        case .unknown: cache.find(key)
        }
    }

    /// As `DiskCache.store(_:for:)`: the entry is found at once, and written behind the caller's back. Waits only while
    /// more than 64 MB are to be written.
    public func store(_ entry: CacheEntry, for key: CacheKey) {
        if cache.stage(entry, for: key) { flush() } else { cache.callWriter() }
    }

    /// As `DiskCache.renew(_:for:)`.
    public func renew(_ freshness: Freshness, for key: CacheKey) {
        cache.writer.wait { $0.renew(freshness, for: key) }
    }

    /// As `DiskCache.remove(for:)`: nobody finds the entry any more, and it is removed behind the caller's back.
    public func remove(for key: CacheKey) { cache.stageRemoval(of: key) }

    /// Removes every entry of the source, from memory and from the disk.
    public func remove(source: String) { cache.writer.wait { $0.remove(source: source) } }

    /// Removes every entry and gives the room back.
    public func removeAll() { cache.writer.wait { $0.removeAll() } }

    /// Returns when everything that was stored or read before is written down.
    public func flush() {
        cache.writer.wait { $0.writeDown() }
        while cache.writer.wait(for: { $0.trimFurther() }) {}
    }

    /// The sum of all bodies on the disk, in bytes; without what is yet to be written.
    public var totalByteCount: Int { cache.writer.wait { $0.totals().byteCount } }

    /// How many entries are on the disk; without what is yet to be written.
    public var count: Int { cache.writer.wait { $0.totals().count } }
}
