public import BowerbirdCore

/// What is in a cache, and removing much of it at once.
extension DiskCache {
    /// What is known of the entries that `query` means. What was stored before is written down first.
    ///
    /// It looks at all entries, unless the query names a source or a tag: a millisecond for each thousand or so, on a queue
    /// of its own. Readers and writers go on meanwhile; an entry that goes while this looks is left out.
    public func list(
        _ query: Query = Query(), limit: Int = .max, order: Order = .usedLastFirst
    ) async -> [CachedFile] {
        await flush()
        return await catalogue.list(query, limit: limit, order: order)
    }

    /// How many entries `query` means. What was stored before is written down first.
    public func count(_ query: Query) async -> Int {
        await flush()
        return await catalogue.count(query)
    }

    /// Removes the entries that `query` means, and returns how many these were when that is done. Pinned ones stay, unless
    /// the query says `isPinned: true`. What is stored meanwhile is written in between, and may stay.
    @discardableResult
    public func remove(_ query: Query) async -> Int {
        var query = query
        query.isPinned = query.isPinned ?? false
        return await writer.remove(
            RowConditions(query, now: settings.clock.now, expiry: settings.limits.value.expiry))
    }

    /// The keys of all entries whose key has this `source`, in no order.
    public func keys(ofSource source: String) async -> [CacheKey] {
        let written = await catalogue.keys(ofSource: source)
        return staged.withLock { staged in
            let found = Set(written.filter { staged.removals[$0] == nil })
            return Array(found.union(staged.keys(ofSource: source)))
        }
    }
}
