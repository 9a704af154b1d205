import CSQLite
import Glibc

/// Why something on the disk did not work, in the terms in which a `DiskCache` acts on it.
struct DiskFault: Error {
    var reason: DiskCacheWarning.Reason
    var detail: String

    init(reason: DiskCacheWarning.Reason, detail: String) {
        self.reason = reason
        self.detail = detail
    }

    /// A system call's failure. `otherwise` is the reason where the number says nothing more exact.
    init(_ error: SystemError, path: String, otherwise: DiskCacheWarning.Reason = .failed) {
        let number = error.number
        reason = Self.reason(ofSystemError: number) ?? otherwise
        detail = "\(path): \(unsafe String(cString: strerror(number)))"
    }

    init(_ error: SQLiteError) {
        reason = Self.reason(of: error)
        detail = error.message
    }

    private static func reason(ofSystemError number: Int32) -> DiskCacheWarning.Reason? {
        switch number {
        case ENOSPC, EDQUOT: .full
        case EROFS, EACCES, EPERM: .readOnly
        default: nil
        }
    }

    private static func reason(of error: SQLiteError) -> DiskCacheWarning.Reason {
        switch error.primaryCode {
        case SQLITE_FULL: .full
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
        case SQLITE_READONLY, SQLITE_PERM: .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: .locked
        default: reason(ofSystemError: error.systemError) ?? .failed
        }
    }
}

/// Does `body` and says its failure in the terms of a `DiskFault`.
func translatingErrors<R>(_ body: () throws(SQLiteError) -> R) throws(DiskFault) -> R {
    do throws(SQLiteError) { return try body() } catch { throw DiskFault(error) }
}
