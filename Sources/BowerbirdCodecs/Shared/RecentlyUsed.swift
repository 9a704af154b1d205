import BowerbirdCore

/// A few values that cost much to make, the ones used last. Any thread may ask.
final class RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let key: Key
        let value: Value
    }

    private let maximumCount: Int
    /// The one used last is at the end.
    private let entries = Lock([Entry]())

    init(maximumCount: Int) { self.maximumCount = maximumCount }

    /// How many are kept.
    var count: Int { entries.withLock { $0.count } }

    /// The value of `key`, made where it is not there, and kept unless `isKept` says otherwise. Two threads may make the
    /// same one, which does no harm.
    func value(of key: Key, isKept: Bool, _ make: () -> Value) -> Value {
        if let known = known(key) { return known }
        let value = make()
        if isKept { keep(Entry(key: key, value: value)) }
        return value
    }

    private func known(_ key: Key) -> Value? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.value
        }
    }

    private func keep(_ entry: Entry) {
        entries.withLock { entries in
            entries.removeAll { $0.key == entry.key }
            if entries.count >= maximumCount { entries.removeFirst() }
            entries.append(entry)
        }
    }
}
