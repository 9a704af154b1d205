import Glibc

/// The folder of a disk cache: where things lie in it, and how it comes to be.
///
///     CACHEDIR.TAG   tells backup programs that they may skip all this
///     lock           held while one of the names below changes
///     flights        locked, byte by byte, by those who are loading something
///     v3             a link to the present store; other formats have other links and leave this one alone
///     v3-<random>/   the store
///     damaged-…/     a store whose database was damaged, until its files are taken over
///     trash-…/       what is being deleted
struct CacheFolder: Sendable {
    let path: String
    /// Whether backup programs may skip it.
    var isMarkedAsCache = true

    var link: String { "\(path)/\(Self.linkName)" }
    private var lock: String { path + "/lock" }
    /// Whose bytes are locked by those who are loading something; see `FlightLock`.
    var flights: String { path + "/flights" }
    private var tag: String { path + "/CACHEDIR.TAG" }

    static let linkName = "v\(Schema.version)"
    static let storePrefix = linkName + "-"

    /// What others find as the database just now; nil when there is none.
    var databaseIdentity: FileIdentity? { FileIdentity(ofFile: link + "/entries.sqlite") }

    /// The store that the link names; nil when there is none. It is opened by its own name and not through the link.
    var currentStore: StoreFolder? {
        guard let store = linkedStore, store.databaseIdentity != nil else { return nil }
        return store
    }

    /// The same, though its database may be gone.
    var linkedStore: StoreFolder? {
        guard let name = FileNames.target(ofLink: link), name.hasPrefix(Self.storePrefix), !name.contains("/") else {
            return nil
        }
        return StoreFolder(path: "\(path)/\(name)")
    }

    /// Makes what is missing. Only the user may enter: which pictures somebody looked at is nobody else's business.
    func make() throws(DiskFault) {
        try Self.makeFolder(path)
        if isMarkedAsCache { writeTag() }
    }

    static func makeFolder(_ path: String) throws(DiskFault) {
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
}
