import BowerbirdCore
import BowerbirdTestSupport
import Glibc
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `The handle of a job` {
    @Test func keepsAJobFromRunningThatIsCancelledBefore() async {
        let handle = JobHandle()
        handle.cancel()
        let hasRun = Lock(false)
        await handle.run { hasRun.withLock { $0 = true } }
        #expect(!hasRun.withLock { $0 })
    }

    @Test func cancelsARunningJobInTheCall() async {
        let handle = JobHandle()
        let gate = Gate()
        let isCancelled = Lock(false)
        let job = Task {
            await handle.run {
                await gate.pass()
                isCancelled.withLock { $0 = Task.isCancelled }
            }
        }
        await gate.waitForArrivals()
        handle.cancel()
        handle.cancel()
        await job.value
        #expect(isCancelled.withLock { $0 })
    }

    @Test func leavesATaskAloneWhoseJobHasEnded() async {
        let handle = JobHandle()
        let isCancelled = await Task {
            await handle.run {}
            handle.cancel()
            return Task.isCancelled
        }.value
        #expect(!isCancelled)
    }

    /// Cancelling and ending meet in every order.
    @Test(arguments: 0..<200)
    func canBeCancelledWhileItEnds(_: Int) async {
        let handle = JobHandle()
        async let ending: Void = Task { await handle.run { await Task.yield() } }.value
        async let cancelling: Void = Task { handle.cancel() }.value
        _ = await (ending, cancelling)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `Threads of our own` {
    /// The one that a step wakes runs behind it on its thread; the second finds another.
    @Test func aChainOfStepsStaysOnItsThread() async {
        let executor = WorkExecutor.loading()
        let threads = Shared<[UInt]>([])
        await Task(executorPreference: executor) {
            threads.change { $0.append(thread()) }
            await Task(executorPreference: executor) { threads.change { $0.append(thread()) } }.value
            threads.change { $0.append(thread()) }
        }.value
        #expect(Set(threads.value).count == 1)
    }

    @Test func aTransferDoesNotWaitForAPicture() async {
        let loading = WorkExecutor.loading()
        let decoding = WorkExecutor.decoding(with: loading)
        let held = Shared(false)
        let first = Task(executorPreference: loading) {
            Task(executorPreference: decoding) { while !held.value {} }
        }
        let picture = await first.value
        // Were the picture behind the step that set it going, on its thread, nothing would ever let it go.
        await Task(executorPreference: loading) { held.change { $0 = true } }.value
        await picture.value
    }

    /// All of what several steps set going is done, in whatever place.
    @Test func nothingIsForgotten() async {
        let executor = WorkExecutor.decoding(with: .loading())
        let count = Shared(0)
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask(executorPreference: executor) {
                    await withTaskGroup { inner in
                        for _ in 0..<5 {
                            inner.addTask(executorPreference: executor) { count.change { $0 += 1 } }
                        }
                    }
                }
            }
        }
        #expect(count.value == 1000)
    }
}

private func thread() -> UInt { UInt(pthread_self()) }

private final class Shared<Value: Sendable>: Sendable {
    private let state: Lock<Value>

    init(_ value: Value) { state = Lock(value) }

    var value: Value { state.withLock { $0 } }
    func change(_ change: (inout Value) -> Void) { state.withLock { change(&$0) } }
}
