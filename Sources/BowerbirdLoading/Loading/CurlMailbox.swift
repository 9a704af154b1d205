import BowerbirdCore
import CCurl
import Synchronization

/// Where other threads leave word for the loop.
///
/// Invariant of the `@unchecked Sendable`: `multi` is used from other threads for waking it only, which libcurl allows,
/// and until `stop()` has returned, which comes last (see `CurlMulti`); everything else with it is the loop thread's.
@safe
final class CurlMailbox: @unchecked Sendable {
    enum Command {
        case start(TransferOrder)
        case resume(TransferBody)
        case cancel(TransferBody)
        case stop
    }

    private struct Guarded {
        var commands: [Command] = []
        /// The loop rests, or is about to, and nobody has called it yet.
        var isLoopResting = false
    }

    let multi: UnsafeMutableRawPointer
    private let guarded = Lock(Guarded())

    init(multi: UnsafeMutableRawPointer) { unsafe self.multi = multi }

    /// Calls the loop only where it rests: each call costs it three system calls.
    func post(_ command: Command) {
        let mustWake = guarded.withLock { guarded in
            defer { guarded.isLoopResting = false }
            guarded.commands.append(command)
            return guarded.isLoopResting
        }
        if mustWake { wake() }
    }

    /// The last word. The loop frees `multi` when it has read it, so waking it belongs under the lock.
    func stop() {
        guarded.withLock { guarded in
            guarded.commands.append(.stop)
            wake()
        }
    }

    /// What has come since the last time, in order.
    func takeAll() -> [Command] {
        guarded.withLock { guarded in
            defer { guarded = Guarded() }
            return guarded.commands
        }
    }

    /// True: nothing has come, and what comes from now on wakes the loop.
    func mayRest() -> Bool {
        guarded.withLock { guarded in
            guarded.isLoopResting = guarded.commands.isEmpty
            return guarded.isLoopResting
        }
    }

    private func wake() { unsafe curl_multi_wakeup(multi) }
}
