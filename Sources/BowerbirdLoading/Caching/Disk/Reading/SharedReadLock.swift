import BowerbirdCore
import Dispatch
import Synchronization

/// Holds the lock of a reader while many reads follow each other. SQLite shares it between the connections of a process:
/// as long as one has it, the others take it and give it back without a call into the kernel, which costs as much as
/// the rest of a small read.
///
/// It is given back every few milliseconds, taken again only when there were many reads in between, and never held while
/// the log is long: then it would be in the way of whoever brings the log in, perhaps in another process. What readers
/// find never depends on it: each has its own, newest view of the data.
final class SharedReadLock: Sendable {
    private let readCount = Atomic(0)
    private let isTicking = Atomic(false)
    private let queue = DispatchQueue(label: "bowerbird.disk-cache.read-lock", qos: .userInitiated)
    private let settings: DiskCacheSettings
    private let holder: Holder

    init(folder: CacheFolder, settings: DiskCacheSettings) {
        self.settings = settings
        holder = Holder(folder: folder, settings: settings)
    }

    /// For a reader to call after each read.
    func noteRead() {
        let count = readCount.wrappingAdd(1, ordering: .relaxed).newValue
        guard count >= settings.sharedLockReadCount, !isTicking.load(ordering: .relaxed) else { return }
        guard !isTicking.exchange(true, ordering: .relaxed) else { return }
        // It takes the lock of its own accord from here on, as long as reads come.
        queue.async { self.tick() }
    }

    private func tick() {
        holder.giveBack()
        let count = readCount.exchange(0, ordering: .relaxed)
        guard count >= settings.sharedLockReadCount, holder.take() else {
            isTicking.store(false, ordering: .relaxed)
            return
        }
        // Weakly: a cache that goes away takes its lock with it.
        queue.asyncAfter(deadline: .now() + settings.sharedLockTime / .seconds(1)) { [weak self] in self?.tick() }
    }
}

/// The connection that has the lock.
///
/// Invariant of the `@unchecked Sendable`: it is used on the queue of its `SharedReadLock` only.
private final class Holder: @unchecked Sendable {
    private let folder: CacheFolder
    private let settings: DiskCacheSettings
    private var connection: ReadConnection?
    private var hasLock = false

    init(folder: CacheFolder, settings: DiskCacheSettings) {
        self.folder = folder
        self.settings = settings
    }

    /// False when it is better not held, or cannot be.
    func take() -> Bool {
        if connection?.identity != folder.databaseIdentity { connection = nil }
        guard let connection = connection ?? (try? ReadConnection(folder, settings)) else { return false }
        self.connection = connection
        do throws(SQLiteError) { try connection.beginView() } catch { return false }
        hasLock = true
        if connection.logPageCount ?? .max < settings.logPageCount { return true }
        giveBack()
        return false
    }

    func giveBack() {
        if hasLock { connection?.endView() }
        hasLock = false
    }
}
