import Dispatch
import Glibc

/// Threads of our own for tasks. On Swift's pool, which has one thread a core, a few large pictures would make every
/// other task of the program wait for hundreds of milliseconds.
///
/// What a step sets going runs right after it on the same thread: to wake another costs more than most steps. A long
/// step must therefore not come after the one thing it sets going.
final class WorkExecutor: TaskExecutor {
    private let queue: DispatchQueue
    private let lighter: WorkExecutor?

    private init(label: String, quality: DispatchQoS, lighter: WorkExecutor? = nil) {
        queue = DispatchQueue(label: label, qos: quality, attributes: .concurrent)
        self.lighter = lighter
    }

    /// For work that computes: decoding and editing. Its threads take on steps of `loading` where those come up, and not
    /// the other way round, so that a transfer never waits for a picture.
    static func decoding(with loading: WorkExecutor? = nil) -> WorkExecutor {
        WorkExecutor(label: "bowerbird.decode", quality: .userInitiated, lighter: loading)
    }

    /// For short steps that mostly wait for others.
    static func loading() -> WorkExecutor { WorkExecutor(label: "bowerbird.load", quality: .default) }

    /// For encoding what nobody waits for.
    static func storing() -> WorkExecutor { WorkExecutor(label: "bowerbird.store", quality: .utility) }

    func enqueue(_ job: consuming ExecutorJob) {
        let step = Step(job: UnownedJob(job), executor: self)
        if let thread = Worker.current, thread.next == nil, thread.executor.takes(self) {
            thread.next = step
        } else {
            queue.async { self.run(step) }
        }
    }

    private func takes(_ other: WorkExecutor) -> Bool { other === self || other === lighter }

    private func run(_ first: Step) {
        let worker = Worker(self)
        Worker.current = worker
        var step: Step? = first
        while let current = step {
            current.run()
            step = worker.next.take()
        }
        Worker.current = nil
    }
}

private struct Step: Sendable {
    let job: UnownedJob
    let executor: WorkExecutor

    func run() { unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
}

/// A thread at work, and what it does next. Never leaves its thread.
private final class Worker {
    let executor: WorkExecutor
    var next: Step?

    init(_ executor: WorkExecutor) { self.executor = executor }

    /// That of this thread, while it is at work: `WorkExecutor.run` holds it for just as long.
    static var current: Worker? {
        get {
            let pointer = unsafe pthread_getspecific(key)
            return unsafe pointer.map { unsafe Unmanaged<Worker>.fromOpaque($0).takeUnretainedValue() }
        }
        set {
            let pointer = unsafe newValue.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
            unsafe pthread_setspecific(key, pointer)
        }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        _ = unsafe pthread_key_create(&key, nil)
        return key
    }()
}
