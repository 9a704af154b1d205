/// Why a `DiskCache` keeps less than it was asked to. Nothing fails because of it: what is not kept is loaded again.
public struct DiskCacheWarning: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder of the cache.
    public var folder: String
    /// What is wrong, for a program to act on.
    public var reason: Reason
    /// The words of the system or of the database.
    public var detail: String

    /// For a cache of your own that has the same troubles.
    public init(folder: String, reason: Reason, detail: String) {
        self.folder = folder
        self.reason = reason
        self.detail = detail
    }

    /// The kinds of trouble. Each is reported once, and again when it comes back after the cache could write meanwhile;
    /// a damaged entry is reported each time.
    public enum Reason: Hashable, Sendable {
        /// The folder is not there and cannot be made. Nothing is kept.
        case folderUnavailable
        /// The folder cannot be written to. Nothing new is kept.
        case readOnly
        /// The volume is full, even after the oldest entries were removed. Some entries were not kept.
        case full
        /// The database was damaged. A new one was begun; entries with files of their own come back by and by, others are
        /// lost.
        case corrupt
        /// The bytes of one entry were not what was stored. It was removed; `detail` is its key.
        case damagedEntry
        /// Another process holds the database for too long. Some entries were not kept.
        case locked
        /// The folder was removed or replaced while it was in use. A new one was begun.
        case removed
        /// Another fault. Some entries were not kept.
        case failed
    }

    public var description: String { "the disk cache in \(folder) \(reason.sentence): \(detail)" }
}

extension DiskCacheWarning.Reason {
    fileprivate var sentence: String {
        switch self {
        case .folderUnavailable: "keeps nothing, because the folder cannot be made"
        case .readOnly: "keeps nothing new, because it cannot be written to"
        case .full: "does not keep everything, because the volume is full"
        case .corrupt: "was damaged and begins anew"
        case .damagedEntry: "has removed a damaged entry"
        case .locked: "does not keep everything, because another process holds it"
        case .removed: "was removed while in use and begins anew"
        case .failed: "does not keep everything"
        }
    }
}
