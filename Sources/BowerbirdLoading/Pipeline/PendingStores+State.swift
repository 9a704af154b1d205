import BowerbirdCore

extension PendingStores {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// Which pictures are on their way, as a value.
    struct State {
        private struct Entry {
            let id: UInt64
            let picture: ProducedImage
            let handle: JobHandle
        }

        private var entries: [CacheKey: Entry] = [:]
        /// Those that have not ended, with who waits for that: dropped ones are on their way out.
        private var waiters: [UInt64: [Waiter]] = [:]
        /// Those that the cache is being given, with their sources: too late to stop them.
        private var storing: [UInt64: String] = [:]
        private var lastID: UInt64 = 0

        var count: Int { entries.count }
        /// In the order of coming.
        var running: [UInt64] { waiters.keys.sorted() }

        func picture(for key: CacheKey) -> ProducedImage? { entries[key]?.picture }

        func keys(ofSource source: String) -> [CacheKey] { entries.keys.filter { $0.source == source } }

        mutating func add(
            _ picture: ProducedImage, _ key: CacheKey
        ) -> (id: UInt64, handle: JobHandle, replaced: JobHandle?) {
            lastID += 1
            let entry = Entry(id: lastID, picture: picture, handle: JobHandle())
            let replaced = entries.updateValue(entry, forKey: key)
            waiters[entry.id] = []
            return (entry.id, entry.handle, replaced?.handle)
        }

        /// False where it was dropped or replaced, so that it must not be stored any more.
        mutating func beginStoring(_ key: CacheKey, _ id: UInt64) -> Bool {
            guard entries[key]?.id == id else { return false }
            storing[id] = key.source
            return true
        }

        /// Whom to tell.
        mutating func end(_ key: CacheKey, _ id: UInt64) -> [Waiter] {
            if entries[key]?.id == id { entries[key] = nil }
            storing[id] = nil
            return waiters.removeValue(forKey: id) ?? []
        }

        /// Those of one source or, for nil, all; and those whose end is to be awaited.
        mutating func drop(source: String?) -> (handles: [JobHandle], storing: [UInt64]) {
            let dropped = entries.filter { source == nil || $0.key.source == source }
            for key in dropped.keys { entries[key] = nil }
            let late = storing.filter { source == nil || $0.value == source }
            return (dropped.values.map(\.handle), Array(late.keys))
        }

        mutating func isEnded(_ id: UInt64, orWake waiter: Waiter) -> Bool {
            guard waiters[id] != nil else { return true }
            waiters[id]?.append(waiter)
            return false
        }
    }
}
