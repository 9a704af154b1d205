extension DiskCache {
    /// How much is kept, and for how long. Lowering a limit removes what is too much behind; `flush` waits for that.
    public var limits: Limits {
        get { settings.limits.value }
        set {
            settings.limits.value = newValue
            // Ends by itself when all is within the limits.
            Task { [writer] in await writer.writeStaged() }
        }
    }

    /// Removes the entries that are too old, and then those used longest ago, until the rest takes no more than
    /// `byteCount` bytes of the volume. Pinned entries neither go nor count. What is stored meanwhile is written in
    /// between. Returns when it is done: that takes milliseconds for each thousand entries that go.
    public func trim(toByteCount byteCount: Int) async {
        await writer.begin(Trim(byteCount: max(0, byteCount), count: .max))
        await writer.finishTrim()
    }

    /// Removes the entries that are too old, and then those used longest ago, until no more than `count` are left. As
    /// `trim(toByteCount:)` does.
    public func trim(toCount count: Int) async {
        await writer.begin(Trim(byteCount: .max, count: max(0, count)))
        await writer.finishTrim()
    }

    /// Removes every entry that has grown too old; they are misses in any case. Looks at all entries: a millisecond for
    /// each thousand. Returns how many went.
    @discardableResult
    public func removeExpired() async -> Int { await writer.removeExpired() }
}
