import Dispatch

/// Runs an actor on a queue of its own, so that work which blocks never holds a thread of Swift's pool.
/// What is enqueued first runs first.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String, quality: DispatchQoS) {
        queue = DispatchQueue(label: label, qos: quality)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in
            // The job keeps its actor alive, and the actor keeps this executor.
            unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    /// Does `body` after what has been enqueued before, and blocks this thread until then. Not to be called on the queue.
    func wait<R>(for body: () throws -> R) rethrows -> R { try queue.sync(execute: body) }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
