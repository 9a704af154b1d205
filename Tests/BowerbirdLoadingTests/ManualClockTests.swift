import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `A manual clock` {
    private let clock = ManualClock(date: Date(timeIntervalSinceReferenceDate: 1000))

    @Test func standsStillUntilItIsMovedAndNeverGoesBack() {
        let start = clock.now
        #expect(clock.now == start)
        clock.advance(by: .seconds(2))
        clock.advance(by: .seconds(-5))
        #expect(start.duration(to: clock.now) == .seconds(2))
    }

    @Test func showsADateThatMovesWithIt() {
        clock.advance(by: .milliseconds(1500))
        #expect(clock.date == Date(timeIntervalSinceReferenceDate: 1001.5))
    }

    @Test func wakesWhoeverHasSleptLongEnoughAndNobodyElse() async throws {
        let short = Task { try await clock.sleep(for: .seconds(1)) }
        let long = Task { try await clock.sleep(for: .seconds(3)) }
        await clock.waitForSleepers(2)
        clock.advance(by: .milliseconds(999))
        #expect(clock.sleeperCount == 2)
        clock.advance(by: .milliseconds(1))
        try await short.value
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(10))
        try await long.value
    }

    @Test func letsNobodySleepUntilAMomentThatHasPassed() async throws {
        try await clock.sleep(until: clock.now)
        #expect(clock.sleeperCount == 0)
    }

    @Test func wakesAtOnceWhoIsCancelled() async {
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers()
        sleeper.cancel()
        #expect(clock.sleeperCount == 0)
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(until: clock.now)
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    /// Each wakes alone when the clock goes from deadline to deadline.
    @Test(arguments: UInt64(0)..<10)
    func wakesSleepersInTheOrderOfTheirDeadlines(seed: UInt64) {
        let executor = SeededExecutor(seed: seed)
        let wake = Wakings()
        for seconds in (1...20).shuffled() {
            Task(executorPreference: executor) {
                try await clock.sleep(for: .seconds(seconds))
                wake.note(seconds)
            }
        }
        repeat { executor.runUntilIdle() } while clock.advanceToNextDeadline()
        #expect(wake.all == Array(1...20))
        #expect(clock.now.offset == .seconds(20))
    }

    /// On an executor that keeps the order, whoever is resumed first runs first.
    @Test func wakesSleepersOfOneMoveInOrderToo() {
        let executor = FirstInFirstOut()
        let wake = Wakings()
        for seconds in [3, 1, 2, 1] {
            Task(executorPreference: executor) {
                try await clock.sleep(for: .seconds(seconds))
                wake.note(seconds)
            }
        }
        executor.run()
        clock.advance(by: .seconds(5))
        executor.run()
        #expect(wake.all == [1, 1, 2, 3])
    }
}

private final class Wakings: Sendable {
    private let state = Lock<[Int]>([])

    var all: [Int] { state.withLock { $0 } }
    func note(_ seconds: Int) { state.withLock { $0.append(seconds) } }
}

private final class FirstInFirstOut: TaskExecutor {
    private let jobs = Lock<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    func run() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
