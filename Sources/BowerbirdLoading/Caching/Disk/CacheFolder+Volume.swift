import Glibc

/// The volume that a cache lies on.
extension CacheFolder {
    /// Its size, in bytes.
    var volumeByteCount: Int? { volume { $0.f_blocks } }

    /// What a user who is not root may still write to it, in bytes.
    var freeByteCount: Int? { volume { $0.f_bavail } }

    private func volume(_ blocks: (statvfs) -> fsblkcnt_t) -> Int? {
        var facts = statvfs()
        guard unsafe statvfs(path, &facts) == 0 else { return nil }
        return Int(clamping: UInt64(blocks(facts)).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue)
    }
}

extension CacheFolder {
    /// How the database is read. In a folder that is not to be changed, the log makes the difference: where there is one,
    /// somebody may be writing, and the database is not whole without it.
    func readAccess(_ settings: DiskCacheSettings) -> Database.Access {
        settings.isImmutable && logByteCount == 0 ? .immutable : .readOnly
    }

    var databaseByteCount: Int { Self.byteCount(ofFile: database) }
    var logByteCount: Int { Self.byteCount(ofFile: database + "-wal") }

    /// 0 where there is none.
    private static func byteCount(ofFile path: String) -> Int {
        var facts = stat()
        return unsafe stat(path, &facts) == 0 ? Int(facts.st_size) : 0
    }
}
