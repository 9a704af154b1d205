/// What goes to make room, and when: entries that are too old, then those used longest ago.
extension DiskStore {
    var limits: DiskCache.Limits { settings.limits.value }

    /// In bytes; what entries that are not pinned may take.
    var maximumByteCount: Int { max(0, limits.byteCount ?? defaultByteCount) }

    /// Whether bytes of that number are kept at all.
    func fits(_ count: Int) -> Bool { count <= maximumByteCount && limits.count > 0 }

    /// 2 % of the volume, as coil does, but within 64 MB (some hundred pictures of a web page: less is no cache) and
    /// 1 GB (where listing, trimming and a user's patience with a full home folder end).
    static func defaultByteCount(onVolumeOf byteCount: Int) -> Int {
        min(max(byteCount / 50, 64 << 20), 1 << 30)
    }

    /// What a limit that is passed asks for; nil while none is.
    func trimWhenOverLimit() throws(DiskFault) -> Trim? {
        let sum = try totals().ordinary
        let limits = limits
        var trim: Trim?
        if sum.allocated > maximumByteCount || sum.count > limits.count {
            let isOverCount = sum.count > limits.count
            trim = Trim(
                byteCount: sum.allocated > maximumByteCount ? limits.trimmed(maximumByteCount) : maximumByteCount,
                count: isOverCount ? limits.trimmed(max(0, limits.count)) : .max)
        }
        guard limits.freeByteCount > 0, sum.count > 0, let free = folder.freeByteCount, free < limits.freeByteCount
        else { return trim }
        return Trim(byteCount: max(0, sum.allocated - (limits.freeByteCount - free)), count: .max).joined(with: trim)
    }

    /// Gives back a fifth of what the cache has, for a volume that is full. Does what it can.
    func makeRoom() {
        guard let sum = try? totals().ordinary else { return }
        try? database.restartLog()
        let trim = Trim(byteCount: sum.allocated / 5 * 4, count: .max, stage: .leastRecentlyUsed)
        // Files first, because on a full volume even deleting a row takes room. A row without its file is a miss.
        while let victims = try? victims(of: trim), victims.count > 0 {
            bodies.remove(victims.files)
            guard (try? removeOldest(victims.count)) != nil else { return }
        }
    }

    /// One small transaction, so that readers, other processes and our own writes get their turn, and the log stays
    /// short. False when the trim is done.
    func step(_ trim: inout Trim) throws(DiskFault) -> Bool {
        guard try !trim.isReached(by: totals().ordinary) else { return false }
        switch trim.stage {
        case .expired:
            if try removeExpiredStep() > 0 { return true }
            trim.stage = hasStoredExpiry ? .expiredByAge(after: 0) : .leastRecentlyUsed
            return try step(&trim)
        case .expiredByAge(let row):
            trim.stage = try removeExpiredStep(after: row).next.map { .expiredByAge(after: $0) } ?? .leastRecentlyUsed
            return true
        case .leastRecentlyUsed:
            return try removeOldestStep(trim)
        }
    }

    private func removeOldestStep(_ trim: Trim) throws(DiskFault) -> Bool {
        let count = try victims(of: trim).count
        guard count > 0 else {
            try clearTotals()
            return false
        }
        try removeOldest(count)
        return true
    }

    private var hasStoredExpiry: Bool { if case .sinceStored = limits.expiry { true } else { false } }

    /// The entries used longest ago, as many as the trim still asks for, but no more than one step removes.
    private func victims(of trim: Trim) throws(DiskFault) -> (count: Int, files: [BodyName]) {
        let sum = try totals().ordinary
        var excess = (bytes: max(0, sum.allocated - trim.byteCount), count: max(0, sum.count - trim.count))
        var victims = (count: 0, files: [BodyName]())
        try translatingErrors { () throws(SQLiteError) in
            try eviction.oldest.run([.integer(settings.trimCount)]) { row in
                guard excess.bytes > 0 || excess.count > 0 else { return }
                excess.bytes -= min(excess.bytes, row.count(0))
                excess.count -= min(excess.count, 1)
                victims.count += 1
                if let file = row.bodyName(1) { victims.files.append(file) }
            }
        }
        return victims
    }

    private func removeOldest(_ count: Int) throws(DiskFault) {
        try changing { () throws(SQLiteError) in try eviction.deleteOldest.run([.integer(count)]) }
    }

    /// Nothing is left and the sum says otherwise: it was damaged, and every new entry would go at once.
    private func clearTotals() throws(DiskFault) {
        try translatingErrors { () throws(SQLiteError) in
            try database.execute("UPDATE totals SET entries = 0, bytes = 0, allocated = 0 WHERE is_pinned = 0")
        }
    }
}

extension Row {
    /// From a column with a generation and the one after it with a digest; nil where there is no file.
    func bodyName(_ column: Int32) -> BodyName? {
        guard let generation = integer(column), let digest = bytes(column + 1) else { return nil }
        return BodyName(digest: digest, generation: generation)
    }
}
