import Dispatch

/// Threads for work that computes: decoding and editing. On Swift's own pool, which has one thread a core, a few large
/// pictures would make every other task of the program wait for hundreds of milliseconds.
final class DecodeExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "bowerbird.decode", qos: .userInitiated, attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
