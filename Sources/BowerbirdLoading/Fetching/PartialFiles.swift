import BowerbirdCore

/// The beginnings of files whose transfers were cut, in memory, for the next who asks for them. The oldest go first.
final class PartialFiles: Sendable {
    private let files: Lock<LRUTable<PartialFile>>
    private let byteLimit: Int

    /// More would be a cache of its own.
    private static let maximumCount = 100

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
        files = Lock(LRUTable())
    }

    /// Gives it away: who takes it goes on with it, or finds that it is worth nothing.
    func take(_ key: CacheKey) -> PartialFile? { files.withLock { $0.remove(key) } }

    func store(_ file: PartialFile, for key: CacheKey) {
        guard file.data.count <= byteLimit else { return }
        files.withLock { files in
            _ = files.insert(file, for: key, cost: file.data.count)
            while files.totalCost > byteLimit || files.count > Self.maximumCount { _ = files.removeOldest() }
        }
    }

    /// For one that was taken and then not needed.
    func giveBack(_ file: PartialFile?, _ key: CacheKey) {
        if let file { store(file, for: key) }
    }

    func removeAll() { files.withLock { $0 = LRUTable() } }
}
