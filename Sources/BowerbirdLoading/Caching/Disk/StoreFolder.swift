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
