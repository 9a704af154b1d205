extension DiskCache {
    /// What an entry that was written down survives.
    public enum Durability: Hashable, Sendable {
        /// The end of the process, however it comes: the kernel has the bytes. After a power cut the last entries may be
        /// missing, and one that is half there is a miss. The default.
        case process
        /// A power cut as well: writing waits for the disk, once for all entries of a batch.
        case power
    }
}

extension DiskCache.Durability {
    /// NORMAL waits for the disk only where the log is brought in, which keeps the database whole.
    var setting: String {
        switch self {
        case .process: "PRAGMA synchronous = NORMAL;"
        case .power: "PRAGMA synchronous = FULL;"
        }
    }
}
