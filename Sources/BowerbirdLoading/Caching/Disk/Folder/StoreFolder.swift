import Glibc

/// The folder of one store: a database and the files with the larger bodies. Its name is its own for ever, because SQLite
/// opens and unlinks the log beside a database by name, late: a store that took over the name of another would have its
/// log mixed up with the other's.
struct StoreFolder: Sendable, Equatable {
    let path: String

    var database: String { path + "/entries.sqlite" }
    var bodies: String { path + "/bodies" }
    /// Whose bytes the processes that write to this store lock; see `WriterSession`.
    var sessions: String { path + "/sessions" }

    /// What file the database is; nil when there is none.
    var databaseIdentity: FileIdentity? { FileIdentity(ofFile: database) }
}

extension StoreFolder {
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

/// Which file a name stands for. The number of a file is not given again while somebody has it open.
struct FileIdentity: Equatable, Sendable {
    var device: UInt64
    var number: UInt64
}

extension FileIdentity {
    /// Nil when there is no such file.
    init?(ofFile path: String) {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return nil }
        self.init(device: UInt64(facts.st_dev), number: UInt64(facts.st_ino))
    }
}
