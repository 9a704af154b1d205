import BowerbirdCore

/// Runs tasks one step at a time, on the thread of the caller, in an order that a seed decides: a run that goes wrong
/// can be repeated exactly.
///
///     let executor = SeededExecutor(seed: 7)
///     let image = try executor.run { try await pipeline.image(for: request) }
///
/// Only what prefers this executor is under its control: tasks made with `Task(executorPreference: executor)` and what
/// is structured below them. An unstructured `Task { }`, the main actor and actors with an executor of their own run as
/// ever, and what they do is not repeated.
public final class SeededExecutor: TaskExecutor {
    private struct State {
        var random: SeededRandom
        var jobs: [UnownedJob] = []

        mutating func takeOne() -> UnownedJob? {
            guard let index = jobs.indices.randomElement(using: &random) else { return nil }
            jobs.swapAt(index, jobs.endIndex - 1)
            return jobs.removeLast()
        }
    }

    private let state: Lock<State>

    /// An executor without jobs. The same seed and the same jobs give the same order.
    public init(seed: UInt64) {
        state = Lock(State(random: SeededRandom(seed: seed)))
    }

    /// Keeps the job until somebody lets it run. Any thread may call it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// How many steps could run now.
    public var pendingCount: Int { state.withLock { $0.jobs.count } }

    /// Runs one step, up to where its task waits or ends. False where there is none. To be called by one thread at a
    /// time, and not from within a step.
    @discardableResult
    public func runOne() -> Bool {
        guard let job = state.withLock({ $0.takeOne() }) else { return false }
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }

    /// Runs until no step is left; how many there were. Tasks that wait for a gate, a clock or another thread are not
    /// waited for. To be called like `runOne()`.
    @discardableResult
    public func runUntilIdle() -> Int {
        var count = 0
        while runOne() { count += 1 }
        return count
    }

    /// Starts `story` and runs until no step is left, other tasks' steps included. What the story returns, or throws;
    /// nil where it waits for what does not come: it is then cancelled. To be called like `runOne()`.
    public func run<Value: Sendable>(_ story: @escaping @Sendable () async throws -> Value) throws -> Value? {
        let end = Ending<Value>()
        let task = Task(executorPreference: self) {
            do { end.set(.success(try await story())) } catch { end.set(.failure(error)) }
        }
        runUntilIdle()
        let outcome = end.outcome
        if outcome == nil {
            task.cancel()
            runUntilIdle()
        }
        return try outcome?.get()
    }
}

/// Where a story leaves what it came to.
private final class Ending<Value: Sendable>: Sendable {
    private let state = Lock<Result<Value, any Error>?>(nil)

    var outcome: Result<Value, any Error>? { state.withLock { $0 } }
    func set(_ outcome: Result<Value, any Error>) { state.withLock { $0 = outcome } }
}
