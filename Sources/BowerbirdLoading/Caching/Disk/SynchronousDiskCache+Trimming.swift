extension SynchronousDiskCache {
    /// As `DiskCache.trim(toByteCount:)`. What others store meanwhile is written in between.
    public func trim(toByteCount byteCount: Int) { trim(to: Trim(byteCount: max(0, byteCount), count: .max)) }

    /// As `DiskCache.trim(toCount:)`.
    public func trim(toCount count: Int) { trim(to: Trim(byteCount: .max, count: max(0, count))) }

    private func trim(to goal: Trim) {
        cache.writer.wait { $0.begin(goal) }
        while cache.writer.wait(for: { $0.trimFurther() }) {}
    }

    /// As `DiskCache.removeExpired()`. Returns how many went.
    @discardableResult
    public func removeExpired() -> Int {
        flush()
        var count = 0
        var next: Int64? = 0
        while let row = next {
            let pass = cache.writer.wait { $0.removeExpiredStep(after: row) }
            count += pass?.removedCount ?? 0
            next = pass?.next
        }
        return count
    }
}
