public import BowerbirdCore
import Glibc

extension DiskCache: SharedDataCache {
    /// By a lock on a byte of the file `flights` in the folder, which is chosen by the key: two keys in 2^62 that share
    /// one wait for each other, and no more. Waits for up to half a minute, on no thread. Others get the right once
    /// what was stored meanwhile is written down, where they can see it.
    public func claim(_ key: CacheKey) async -> CacheClaim? {
        await claim(key, timeout: .seconds(30), clock: ContinuousClock())
    }

    /// Asks again after pauses that grow from 5 to 100 ms: somebody who waits for a download does not notice those.
    func claim(_ key: CacheKey, timeout: Duration, clock: some Clock<Duration>) async -> CacheClaim? {
        let place = CacheFolder(path: folder)
        let end = clock.now.advanced(by: timeout)
        var pause = Duration.milliseconds(5)
        var hasWaited = false
        while true {
            switch FlightLock.take(in: place, for: DiskKey(key.text)) {
            case .taken(let lock): return CacheClaim(hasWaited: hasWaited) { self.letGo(of: lock, for: key) }
            case .unavailable: return nil
            case .held: hasWaited = true
            }
            guard clock.now < end, (try? await clock.sleep(for: pause)) != nil else { return nil }
            pause = min(pause * 2, .milliseconds(100))
        }
    }

    /// The task ends by itself when everything is written.
    private func letGo(of lock: FlightLock, for key: CacheKey) {
        guard case .entry = stagedFinding(for: key) else { return }
        Task { [self] in
            await flush()
            withExtendedLifetime(lock) {}
        }
    }
}

/// The lock of one key among all processes, and among all caches of one process.
final class FlightLock: Sendable {
    enum Attempt {
        case taken(FlightLock)
        /// Another has it.
        case held
        /// There is no file to lock.
        case unavailable
    }

    private let file: OpenFile

    private init(_ file: consuming OpenFile) { self.file = file }

    /// Each has the file opened by itself: a lock belongs to that opening.
    static func take(in folder: CacheFolder, for key: DiskKey) -> Attempt {
        guard (try? folder.make()) != nil, let file = try? OpenFile(folder.flights, O_RDWR | O_CREAT) else {
            return .unavailable
        }
        let byte = key.digest.prefix(8).reduce(0) { $0 << 8 | Int64($1) } & (1 << 62 - 1)
        guard file.tryLock(byte: byte) else { return .held }
        return .taken(FlightLock(file))
    }
}
