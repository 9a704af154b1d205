import Glibc

/// The folder of a disk cache: where things lie in it, and how it comes to be.
struct CacheFolder: Sendable {
    let path: String
    /// Whether backup programs may skip it.
    var isMarkedAsCache = true

    var database: String { path + "/entries.sqlite" }
    var bodies: String { path + "/bodies" }
    private var lock: String { path + "/lock" }
    private var tag: String { path + "/CACHEDIR.TAG" }

    /// Makes what is missing. Only the user may enter: which pictures somebody looked at is nobody else's business.
    func make() throws(DiskFault) {
        try Self.makeFolder(path)
        try Self.makeFolder(bodies)
        if isMarkedAsCache { writeTag() }
    }

    private static func makeFolder(_ path: String) throws(DiskFault) {
        if unsafe mkdir(path, 0o700) == 0 { return }
        let error = SystemError.last
        switch error.number {
        case EEXIST where isFolder(path): return
        case ENOENT: try makeFolderWithParent(path)
        default: throw DiskFault(error, path: path, otherwise: .folderUnavailable)
        }
    }

    private static func makeFolderWithParent(_ path: String) throws(DiskFault) {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try makeFolder(String(path[..<slash]))
        }
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw DiskFault(.last, path: path, otherwise: .folderUnavailable)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// The mark by which backup programs know that they may skip the folder. Where it cannot be written, nothing else
    /// can either, and that is reported.
    private func writeTag() {
        guard let file = try? OpenFile(tag, O_WRONLY | O_CREAT | O_EXCL) else { return }
        let text = """
            Signature: 8a477f597d28d172789f06886806bc55
            # This folder is a cache made by Bowerbird. It may be deleted at any time.
            # See https://bford.info/cachedir/

            """
        try? unsafe Array(text.utf8).withUnsafeBytes { bytes in try unsafe file.write(bytes) }
    }

    /// Does `body` while no other process does the same for this folder. Waits for up to `timeout`.
    func whileLocked<R>(timeout: Duration, _ body: () throws(DiskFault) -> R) throws(DiskFault) -> R {
        let file: OpenFile
        do throws(SystemError) { file = try OpenFile(lock, O_RDWR | O_CREAT) } catch {
            throw DiskFault(error, path: lock)
        }
        let end = ContinuousClock.now + timeout
        while !file.tryLock() {
            guard ContinuousClock.now < end else { throw DiskFault(reason: .locked, detail: lock) }
            usleep(1000)
        }
        return try body()
    }

    /// What file the database is now; nil when there is none. The number of a file is not given again while somebody
    /// has it open.
    var databaseIdentity: FileIdentity? {
        var facts = stat()
        guard unsafe stat(database, &facts) == 0 else { return nil }
        return FileIdentity(device: UInt64(facts.st_dev), number: UInt64(facts.st_ino))
    }

    /// The data files that it named are left for `DiskStore.sweep`.
    func removeDatabase() {
        for suffix in ["", "-wal", "-shm"] { unsafe unlink(database + suffix) }
    }
}

struct FileIdentity: Equatable, Sendable {
    var device: UInt64
    var number: UInt64
}
