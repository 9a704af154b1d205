import BowerbirdCore
import Synchronization

/// The buffer between the loop's thread and a reader on any thread. What it does is decided by `TransferBodyState`.
final class TransferBody: Sendable {
    private struct Guarded {
        var state = TransferBodyState()
        /// One in proper use; all are called, so that a second reader is wrong but not stuck.
        var readers: [CheckedContinuation<Void, Never>] = []
    }
    private let guarded = Lock(Guarded())

    /// False: nobody wants it any more, and it must not begin.
    func begin() -> Bool { guarded.withLock { $0.state.begin() } }

    func receive(_ head: ResponseHead) { guarded.withLock { $0.state.receive(head) } }

    func receive(_ bytes: UnsafeRawBufferPointer) -> TransferBodyState.Reception {
        guarded.withLock { unsafe $0.state.receive(bytes) }
    }

    func end(_ error: LoadingError?) {
        guarded.withLock { $0.state.end(error) }
        wakeReaders()
    }

    func takeHead() -> TransferBodyState.Taken<ResponseHead> { guarded.withLock { $0.state.takeHead() } }

    func takeBytes() -> (taken: TransferBodyState.Taken<[UInt8]?>, resumes: Bool) {
        guarded.withLock { $0.state.takeBytes() }
    }

    /// True: the transfer runs and shall be stopped.
    func abandon() -> Bool {
        let mustStop = guarded.withLock { $0.state.abandon() }
        wakeReaders()
        return mustStop
    }

    /// Returns when something has come since the last `.wait`.
    func news() async {
        await withCheckedContinuation { reader in
            let mustWait = guarded.withLock { guarded in
                if guarded.state.isReaderWaiting { guarded.readers.append(reader) }
                return guarded.state.isReaderWaiting
            }
            if !mustWait { reader.resume() }
        }
    }

    func wakeReaders() {
        let readers = guarded.withLock { guarded in
            defer { guarded.readers = [] }
            return guarded.readers
        }
        for reader in readers { reader.resume() }
    }

    /// It was begun, whatever became of it.
    var isUnderWay: Bool { guarded.withLock { $0.state.isUnderWay } }

    /// How much is held, and whether the transfer rests because of it.
    var backlog: (byteCount: Int, isPaused: Bool) {
        guarded.withLock { ($0.state.unread.count, $0.state.isPaused) }
    }
}
