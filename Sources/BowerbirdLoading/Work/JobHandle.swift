import BowerbirdCore

/// Cancels a job, whether its task has begun, is about to or has ended: from the moment the handle is there, whoever
/// cancels has done so when the call returns.
///
/// A `Task` has to be made before it can be cancelled. Made under a lock, it holds up everybody for as long as waking a
/// thread takes; made outside, there is a moment in which nobody can cancel it. So the task itself comes here first.
final class JobHandle: Sendable {
    private struct State {
        var task: RunningTask?
        var isCancelled = false
    }

    private let state = Lock(State())

    /// Runs `body`, in the task that calls this; not at all where the job is cancelled already.
    func run(_ body: () async -> Void) async {
        guard begin() else { return }
        await body()
        state.withLock { $0.task = nil }
    }

    private func begin() -> Bool {
        unsafe withUnsafeCurrentTask { task in
            let running = unsafe task.map { unsafe RunningTask(task: $0) }
            return state.withLock { state in
                if !state.isCancelled { state.task = running }
                return !state.isCancelled
            }
        }
    }

    /// May be called again. Under the lock, because the task must not end in the middle of it; what its cancellation
    /// sets off waits for nothing.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.task.take()?.cancel()
        }
    }
}

/// Invariant of the `@unchecked Sendable`: it is in a `JobHandle` only while the task runs `JobHandle.run`, and is used
/// under the handle's lock only.
@safe
private struct RunningTask: @unchecked Sendable {
    let task: UnsafeCurrentTask

    init(task: UnsafeCurrentTask) { unsafe self.task = task }

    func cancel() { unsafe task.cancel() }
}
