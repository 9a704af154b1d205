public import FoundationEssentials

extension DiskCache {
    /// What a cache holds and takes.
    public struct Statistics: Hashable, Sendable {
        /// All entries.
        public var entryCount = 0
        /// The sum of all bodies, in bytes.
        public var byteCount = 0
        /// What these take of the volume, in bytes.
        public var allocatedByteCount = 0
        /// The pinned ones among the entries.
        public var pinnedCount = 0
        /// What the bodies of pinned entries take of the volume, in bytes.
        public var pinnedAllocatedByteCount = 0
        /// How many bodies are files of their own; the others lie in the database.
        public var fileCount = 0
        /// How many entries have grown too old and are still there.
        public var expiredCount = 0
        /// The file of the database, in bytes.
        public var databaseByteCount = 0
        /// What was written last and is not in the database yet, in bytes.
        public var logByteCount = 0
        /// What others may still write to the volume, in bytes; nil where the folder cannot be reached.
        public var freeByteCount: Int?
        /// When the first of the entries was stored.
        public var oldest: Date?
        /// When the last of the entries was stored.
        public var newest: Date?
        /// What entries that are not pinned may take of the volume, in bytes.
        public var limitByteCount = 0

        /// How many bodies lie in the database.
        public var inlineCount: Int { entryCount - fileCount }
    }

    /// What the cache holds and takes, after what was stored before is written down. Looks at all entries: a millisecond
    /// for each thousand or so, on a queue of its own.
    public var statistics: Statistics {
        get async {
            await flush()
            return await catalogue.statistics()
        }
    }
}

extension DiskCatalogue {
    func statistics() -> DiskCache.Statistics {
        var statistics = DiskCache.Statistics()
        let store = folder.currentStore
        statistics.databaseByteCount = store?.databaseByteCount ?? 0
        statistics.logByteCount = store?.logByteCount ?? 0
        statistics.freeByteCount = folder.freeByteCount
        statistics.limitByteCount = max(
            0, settings.limits.value.byteCount ?? DiskStore.defaultByteCount(onVolumeOf: folder.volumeByteCount ?? 0))
        statistics.expiredCount = count(DiskCache.Query(isExpired: true))
        ask(()) { connection throws(SQLiteError) in try connection.add(to: &statistics) }
        return statistics
    }
}

extension CatalogueConnection {
    fileprivate func add(to statistics: inout DiskCache.Statistics) throws(SQLiteError) {
        let query = """
            SELECT count(*), sum(length), sum(allocated), sum(is_pinned), sum(CASE WHEN is_pinned THEN allocated END),
                count(file), min(stored_at), max(stored_at) FROM entries
            """
        try database.prepare(query).run { row in
            statistics.entryCount = row.count(0)
            statistics.byteCount = row.count(1)
            statistics.allocatedByteCount = row.count(2)
            statistics.pinnedCount = row.count(3)
            statistics.pinnedAllocatedByteCount = row.count(4)
            statistics.fileCount = row.count(5)
            statistics.oldest = row.integer(6).map { Date(microseconds: $0) }
            statistics.newest = row.integer(7).map { Date(microseconds: $0) }
        }
    }
}
