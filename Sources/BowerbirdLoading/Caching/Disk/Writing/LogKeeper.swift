import BowerbirdCore
import Dispatch

/// Brings the log of a database into its file, on a queue and a connection of its own: the writer does not wait for it,
/// unless it writes faster than the log can be brought in.
final class LogKeeper: Sendable {
    private let queue = DispatchQueue(label: "bowerbird.disk-cache.log", qos: .utility)
    private let settings: DiskCacheSettings
    private let connection: LogConnection
    private let state = Lock(State())

    /// Cutting the log off keeps writers out while it waits for readers.
    private static let patience: Duration = .milliseconds(50)

    private struct State {
        var isCalled = false
        var isTimed = false
        /// How often the log has grown: by this the timer sees that nothing came since.
        var growth = 0
    }

    init(path: String, _ settings: DiskCacheSettings) {
        self.settings = settings
        connection = LogConnection(path: path, busyTimeout: Self.patience)
    }

    /// For the writer to call after each commit.
    func hasGrown(to pageCount: Int) {
        startTimer()
        if pageCount >= settings.logPageLimit {
            queue.sync { connection.checkpoint(.passive) }
        } else if pageCount >= settings.logPageCount {
            call()
        }
    }

    private func call() {
        let isCalled = state.withLock { state in
            defer { state.isCalled = true }
            return state.isCalled
        }
        guard !isCalled else { return }
        queue.async { [self] in
            state.withLock { $0.isCalled = false }
            connection.checkpoint(.passive)
        }
    }

    /// Cuts the log off when nothing was written for a while.
    private func startTimer() {
        let isTimed = state.withLock { state in
            defer { state.isTimed = true }
            state.growth += 1
            return state.isTimed
        }
        guard !isTimed else { return }
        wait(seen: state.withLock { $0.growth })
    }

    private func wait(seen growth: Int) {
        queue.asyncAfter(deadline: .now() + settings.logIdleTime / .seconds(1)) { [weak self] in self?.look(growth) }
    }

    private func look(_ seen: Int) {
        let growth = state.withLock { state in
            state.isTimed = state.growth != seen
            return state.growth
        }
        if growth == seen { connection.checkpoint(.truncating) } else { wait(seen: growth) }
    }
}

/// The connection that does nothing else, opened when it is used first. It is closed with the keeper.
///
/// Invariant of the `@unchecked Sendable`: it is used on the queue of its `LogKeeper` only.
private final class LogConnection: @unchecked Sendable {
    private let path: String
    private let busyTimeout: Duration
    private var database: Opened?

    private func open() throws(SQLiteError) -> Opened {
        let database = try Database(path: path, access: .existing, busyTimeout: busyTimeout)
        // A connection that has read nothing does not know that there is a log, and brings nothing in.
        _ = try database.integer("PRAGMA user_version")
        return Opened(database)
    }

    private final class Opened {
        let database: Database
        init(_ database: consuming Database) { self.database = database }
    }

    init(path: String, busyTimeout: Duration) {
        self.path = path
        self.busyTimeout = busyTimeout
    }

    /// What does not work now is done the next time. The writer meets the same trouble and reports it.
    func checkpoint(_ kind: Database.Checkpoint) {
        if database == nil { database = try? open() }
        try? database?.database.checkpoint(kind)
    }
}
