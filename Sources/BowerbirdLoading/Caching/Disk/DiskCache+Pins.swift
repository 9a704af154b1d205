public import BowerbirdCore

/// Entries that stay until they are removed on purpose. A pin is a name under a key: "album 7". An entry stays as long as
/// any name holds it.
///
/// A pinned entry does not go to make room, does not grow too old, and does not count towards the limits of the others: it
/// has `Limits.pinnedByteCount`. `remove(for:)` and `remove(source:)` remove it all the same, and its pins stay: stored
/// again, it is pinned again. `removeAll` forgets the pins as well. The folder of a cache may be deleted at any time; for
/// what must outlive that, a cache lies in `dataFolder(named:)`.
extension DiskCache {
    /// Pins what is, or will be, stored under `key`. Returns when that is written down.
    ///
    /// False when the entry would pass the limit of pinned entries: then it is as before. One that comes later and does not
    /// fit any more is kept like any other, until it is stored or pinned anew. False as well when the folder cannot be
    /// used.
    @discardableResult
    public func pin(_ key: CacheKey, as name: String) async -> Bool { await writer.pin([key], as: name) }

    /// Pins all of the keys of a list that was exported. False when some of them could not be.
    @discardableResult
    public func pin(_ list: PinList) async -> Bool {
        await writer.pin(list.pins.map { CacheKey($0.key, source: $0.source) }, as: list.name)
    }

    /// Takes the name away from the entry. With its last name it becomes one that may go.
    public func unpin(_ key: CacheKey, as name: String) async { await writer.unpin(key, as: name) }

    /// Takes the name away from everything that has it.
    public func unpinAll(as name: String) async { await writer.unpinAll(as: name) }

    /// The names that hold something.
    public var pinNames: Set<String> { get async { await catalogue.pinNames() } }

    /// What the name holds, whether it is stored or not.
    public func pinnedKeys(as name: String) async -> [CacheKey] {
        await pinList(named: name).pins.map { CacheKey($0.key, source: $0.source) }
    }

    /// What the name holds, to be written down and pinned elsewhere.
    public func pinList(named name: String) async -> PinList {
        await PinList(name: name, pins: catalogue.pins(named: name))
    }

    /// What one name holds: an offline set, as a value that can be kept and sent.
    public struct PinList: Codable, Hashable, Sendable {
        public var name: String
        /// In the order of their keys.
        public var pins: [Pin]

        public init(name: String, pins: [Pin]) {
            self.name = name
            self.pins = pins
        }

        /// One pinned key.
        public struct Pin: Codable, Hashable, Sendable {
            /// The text of the key.
            public var key: String
            /// What the key was made from; the key itself where its entry is not stored.
            public var source: String
            /// The address of the file; nil where the entry is not stored.
            public var url: String?

            public init(key: String, source: String? = nil, url: String? = nil) {
                self.key = key
                self.source = source ?? key
                self.url = url
            }
        }
    }
}
