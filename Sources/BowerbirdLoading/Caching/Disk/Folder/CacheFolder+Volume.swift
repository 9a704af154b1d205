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
