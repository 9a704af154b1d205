import BowerbirdCore
import Dispatch
import Synchronization

/// Reads a disk cache, on the thread that asks, through connections of its own: reads go on side by side, and none
/// waits behind a write.
final class DiskReader: Sendable {
    enum Answer: Sendable {
        case hit(CacheEntry, EntryRow)
        /// There is an entry. Its bytes were not looked at.
        case present(EntryRow)
        case miss
        /// The bytes are not those that were stored.
        case damaged(EntryRow)
        /// There is no database to read from, or not the present one.
        case unavailable
        /// The database itself is damaged. The connection to it, where there is one, is kept open until another is in its
        /// place: the number of a file that is open is not given to the next.
        case corrupt(FileIdentity, DiskFault, keeping: ReadConnection? = nil)
    }

    let folder: CacheFolder
    private let settings: DiskCacheSettings
    private let pool = InlinedLock(Pool())
    private let lock: SharedReadLock
    /// A place for each connection that may be in use; a thread that finds none waits.
    private let places: DispatchSemaphore

    /// The connections that nobody uses just now, the one used last on top: it has the most in its memory.
    private struct Pool {
        var idle: [ReadConnection] = []
        /// The database that they are of.
        var identity: FileIdentity?
        var checkedAt: CoarseTime?
    }

    init(folder: CacheFolder, settings: DiskCacheSettings) {
        self.folder = folder
        self.settings = settings
        lock = SharedReadLock(folder: folder, settings: settings)
        places = DispatchSemaphore(value: settings.readerCount)
    }

    /// Of a folder that is not to be changed in any way.
    convenience init(readOnly folder: String, settings: DiskCacheSettings) {
        var settings = settings
        settings.isImmutable = true
        self.init(folder: CacheFolder(path: folder), settings: settings)
    }

    func read(_ key: DiskKey) -> Answer {
        answer { connection throws(SQLiteError) in try connection.read(key) }
    }

    /// Looks for the entry and not at its bytes.
    func find(_ key: DiskKey) -> Answer {
        answer { connection throws(SQLiteError) in try connection.row(key).map { .present($0) } ?? .miss }
    }

    /// Makes the next read look whether the database is still the one in the folder. For whoever has replaced it.
    func checkSoon() { pool.withLock { $0.checkedAt = nil } }

    /// Those that nobody uses, which all should have let go of the log.
    var idleConnections: [ReadConnection] { pool.withLock { $0.idle } }

    private func answer(_ ask: (ReadConnection) throws(SQLiteError) -> Answer) -> Answer {
        places.wait()
        defer { places.signal() }
        let connection: ReadConnection
        do throws(SQLiteError) { connection = try takeConnection() } catch {
            let fault = DiskFault(error)
            guard fault.reason == .corrupt, let identity = folder.databaseIdentity else { return .unavailable }
            return .corrupt(identity, fault)
        }
        do throws(SQLiteError) {
            let answer = try ask(connection)
            putBack(connection)
            lock.noteRead()
            return answer
        } catch {
            let fault = DiskFault(error)
            return fault.reason == .corrupt ? .corrupt(connection.identity, fault, keeping: connection) : .miss
        }
    }

    private func takeConnection() throws(SQLiteError) -> ReadConnection {
        dropReplaced()
        if let connection = pool.withLock({ $0.idle.popLast() }) { return connection }
        return try ReadConnection(folder, settings)
    }

    private func putBack(_ connection: ReadConnection) {
        pool.withLock { pool in
            if pool.identity == nil { pool.identity = connection.identity }
            if pool.identity == connection.identity { pool.idle.append(connection) }
        }
    }

    /// Asks the folder now and then whether it still has the database that is open here: asking costs as much as a read.
    private func dropReplaced() {
        let now = CoarseTime.now
        let isDue = pool.withLock { pool in
            if let last = pool.checkedAt, now - last < settings.identityAge { return false }
            pool.checkedAt = now
            return true
        }
        guard isDue else { return }
        let identity = folder.databaseIdentity
        let replaced = pool.withLock { pool -> [ReadConnection] in
            guard pool.identity != identity else { return [] }
            pool.identity = identity
            defer { pool.idle = [] }
            return pool.idle
        }
        withExtendedLifetime(replaced) {}
    }
}
