import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

private struct Count: Mergeable, Equatable {
    var value: Int

    mutating func merge(newer: Count) { self = newer }
}

private typealias Work = SharedWork<Int, Count, Int>

/// Remembers what it was told.
private final class RecordingAsker: Asker {
    private let heard = Lock<(updates: [Int], outcomes: [Result<Int, ImageError>])>(([], []))

    func receive(_ update: Count) { heard.withLock { $0.updates.append(update.value) } }
    func receive(older update: Count) { heard.withLock { $0.updates.append(update.value) } }
    func finish(_ outcome: Result<Int, ImageError>) { heard.withLock { $0.outcomes.append(outcome) } }

    var updates: [Int] { heard.withLock { $0.updates } }
    var outcomes: [Result<Int, ImageError>] { heard.withLock { $0.outcomes } }
}

/// Random short stories of askers who come and go and of jobs that report and end, told to the state as a value.
@Suite
struct `Shared work` {
    @Test(arguments: UInt64(0)..<500)
    func answersEachAskerOnceAndOnlyWithTheJobItJoined(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var story = Story()
        for _ in 0..<30 { story.goOn(&random) }
        story.end()
        #expect(story.faults == [])
    }

    private struct Story {
        struct Job {
            let key: Int
            let entry: UInt64
            let relay: PriorityRelay
            let handle: JobHandle
            var isCancelled = false
            var hasFinished = false
            var hasEnded = false

            init(key: Int, _ joined: Work.State.Joined) {
                self.key = key
                entry = joined.entry
                relay = joined.relay
                handle = joined.handle
            }
        }
        struct Guest {
            let key: Int
            let entry: UInt64
            let place: UInt64
            let asker: RecordingAsker
            var priority: WorkPriority
            var hasLeft = false
        }
        var work = Work.State()
        var jobs: [Job] = []
        var guests: [Guest] = []
        var faults: [String] = []

        mutating func goOn(_ random: inout SeededRandom) {
            let priority = WorkPriority.all.randomElement(using: &random) ?? WorkPriority()
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: join(Int.random(in: 0..<2, using: &random), priority)
            case 2, 3: guests.indices.randomElement(using: &random).map { leave($0) }
            case 8, 9: guests.indices.randomElement(using: &random).map { setPriority($0, priority) }
            case 4, 5: jobs.indices.randomElement(using: &random).map { publish($0) }
            case 6: jobs.indices.randomElement(using: &random).map { finish($0) }
            default: jobs.indices.randomElement(using: &random).map { end($0) }
            }
            checkPriorities()
        }

        /// Every job runs out.
        mutating func end() {
            for index in jobs.indices {
                finish(index)
                end(index)
            }
            for guest in guests {
                let answers = guest.asker.outcomes.compactMap { try? $0.get() }
                let expected = guest.hasLeft ? [] : [Int(guest.entry)]
                if answers != expected { faults.append("\(answers) came to one who waits for \(expected)") }
            }
            for job in jobs where job.isCancelled != isAbandoned(job) { faults.append("cancelled wrongly: \(job)") }
        }

        /// Whether all its askers left before it finished: those who stayed were told.
        private func isAbandoned(_ job: Job) -> Bool {
            guests.allSatisfy { $0.entry != job.entry || $0.hasLeft }
        }

        /// Each job that somebody waits for is as urgent as the most urgent of them.
        private mutating func checkPriorities() {
            let running = jobs.filter { !$0.hasFinished && !isAbandoned($0) }
            for job in running {
                let highest = guests.filter { $0.entry == job.entry && !$0.hasLeft }.map(\.priority).max()
                if job.relay.current != highest { faults.append("\(job.relay.current) instead of \(highest as Any)") }
                if !work.isRunning(job.key) { faults.append("\(job.key) is under way") }
            }
            if work.runningCount != running.count { faults.append("it counts \(work.runningCount) jobs") }
        }

        private mutating func join(_ key: Int, _ priority: WorkPriority) {
            let asker = RecordingAsker()
            let place = work.takePlace()
            let joined = work.join(key, asker, priority, at: place)
            guests.append(Guest(key: key, entry: joined.entry, place: place, asker: asker, priority: priority))
            let known = jobs.last { $0.entry == joined.entry }
            if joined.isFirst != (known == nil) { faults.append("a job was begun twice, or not at all") }
            if known?.isCancelled == true || known?.hasFinished == true { faults.append("it joined what is over") }
            if joined.isFirst { jobs.append(Job(key: key, joined)) }
        }

        private mutating func setPriority(_ index: Int, _ priority: WorkPriority) {
            guests[index].priority = priority
            _ = work.setPriority(guests[index].key, guests[index].place, priority)
        }

        private mutating func leave(_ index: Int) {
            let guest = guests[index]
            let cancelled = work.leave(guest.key, guest.place).abandoned
            if guest.asker.outcomes.isEmpty { guests[index].hasLeft = true }
            guard let job = jobs.firstIndex(where: { $0.entry == guest.entry }) else { return }
            if let cancelled {
                if cancelled !== jobs[job].handle { faults.append("another job was cancelled") }
                jobs[job].isCancelled = true
            }
        }

        private mutating func publish(_ index: Int) {
            guard !jobs[index].hasFinished else { return }
            for asker in work.publish(Count(value: 1), jobs[index].key, jobs[index].entry) {
                asker.receive(Count(value: 1))
            }
        }

        private mutating func finish(_ index: Int) {
            guard !jobs[index].hasFinished else { return }
            jobs[index].hasFinished = true
            for asker in work.finish(jobs[index].key, jobs[index].entry) {
                asker.finish(.success(Int(jobs[index].entry)))
            }
        }

        private mutating func end(_ index: Int) {
            guard jobs[index].hasFinished, !jobs[index].hasEnded else { return }
            jobs[index].hasEnded = true
            _ = work.end()
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: 0..<200)
    func isCancelledWhenItsOnlyAskerLeavesAtOnce(_: Int) async {
        let work = Work()
        let gate = Gate()
        let asker = RecordingAsker()
        let membership = work.join(1, asker, priority: WorkPriority()) { job in
            job.report(Count(value: 1))
            await gate.pass()
            return .success(1)
        }
        membership.leave()
        membership.leave()
        await work.waitUntilIdle()
        #expect(asker.outcomes.isEmpty)
    }

    @Test func isLetGoOfWhenItHasEnded() async {
        weak var gone: RecordingAsker?
        let work = Work()
        do {
            let asker = RecordingAsker()
            gone = asker
            _ = work.join(1, asker, priority: WorkPriority()) { _ in .success(1) }
            await work.waitUntilIdle()
            #expect(asker.outcomes.count == 1)
        }
        #expect(gone == nil)
    }

    @Test(.timeLimit(.minutes(5)))
    func knowsWhatIsUnderWayAndForgetsWhatIsLeft() async {
        let work = Work()
        let gate = Gate()
        let membership = work.join(1, RecordingAsker(), priority: WorkPriority()) { _ in
            await gate.pass(ignoresCancellation: true)
            return .success(1)
        }
        #expect(work.isRunning(1))
        #expect(!work.isRunning(2))
        #expect(work.runningCount == 1)
        membership.leave()
        #expect(!work.isRunning(1))
        #expect(work.runningCount == 0, "nobody waits for the job, though it has not ended")
        gate.open()
        await work.waitUntilIdle()
    }

    @Test(.timeLimit(.minutes(5)))
    func answersEverybodyWithCancelledWhenAllOfItIs() async {
        let work = Work()
        let gate = Gate()
        let askers = (0..<3).map { _ in RecordingAsker() }
        for (key, asker) in [1, 1, 2].enumerated().map({ ($1, askers[$0]) }) {
            _ = work.join(key, asker, priority: WorkPriority()) { _ in
                await gate.pass()
                return .success(1)
            }
        }
        work.cancelAll()
        #expect(askers.map(\.outcomes) == Array(repeating: [.failure(.cancelled)], count: 3))
        #expect(work.runningCount == 0)
        await work.waitUntilIdle()
        #expect(askers.allSatisfy { $0.outcomes.count == 1 }, "jobs that were cancelled answer nobody")
        let after = RecordingAsker()
        _ = work.join(1, after, priority: WorkPriority()) { _ in .success(2) }
        await work.waitUntilIdle()
        #expect(after.outcomes == [.success(2)])
    }

    @Test(.timeLimit(.minutes(5)))
    func tellsItsAskersInTheOrderOfTheirComing() async {
        let work = Work()
        let gate = Gate()
        let order = Lock<[Int]>([])
        for number in 0..<20 {
            let asker = CallingAsker { order.withLock { $0.append(number) } }
            _ = work.join(1, asker, priority: WorkPriority()) { _ in
                await gate.pass()
                return .success(1)
            }
        }
        gate.open()
        await work.waitUntilIdle()
        #expect(order.withLock { $0 } == Array(0..<20))
    }
}

/// Calls a function at the end.
private final class CallingAsker: Asker {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    func receive(_ update: Count) {}
    func receive(older update: Count) {}
    func finish(_ outcome: Result<Int, ImageError>) { action() }
}

@Suite(.timeLimit(.minutes(5)))
struct `The priority of a job` {
    private let work = Work()
    private let gate = Gate()
    private let relay = RelayOfAJob()

    /// Everybody asks for the same job, which waits for the gate.
    private func join(_ level: RequestPriority) -> Membership {
        work.join(1, RecordingAsker(), priority: WorkPriority(level)) { [gate, relay] job in
            relay.note(job.priority)
            await gate.pass()
            return .success(1)
        }
    }

    /// A job that waits for the job of the others.
    private func joinAbove(_ above: Work, _ level: RequestPriority) -> Membership {
        above.join(2, RecordingAsker(), priority: WorkPriority(level)) { [work, gate, relay] job in
            let outcome = await work.outcome(of: 1, priority: job.priority, telling: { _ in }) { below in
                relay.note(below.priority)
                await gate.pass()
                return .success(1)
            }
            return outcome ?? .failure(.cancelled)
        }
    }

    @Test func isTheHighestOfItsAskersAndFallsWhenTheyLeave() async {
        let low = join(.low)
        await gate.waitForArrivals()
        #expect(relay.current == WorkPriority(.low))
        let high = join(.high)
        #expect(relay.current == WorkPriority(.high))
        low.setPriority(WorkPriority(.veryHigh))
        #expect(relay.current == WorkPriority(.veryHigh))
        low.leave()
        #expect(relay.current == WorkPriority(.high))
        low.setPriority(WorkPriority(.veryHigh))
        #expect(relay.current == WorkPriority(.high), "who has left has no say")
        high.leave()
        await work.waitUntilIdle()
    }

    @Test func followsThatOfTheJobThatWaitsForIt() async {
        let above = Work()
        let first = joinAbove(above, .low)
        await gate.waitForArrivals()
        #expect(relay.current == WorkPriority(.low))
        let second = joinAbove(above, .high)
        #expect(relay.current == WorkPriority(.high))
        first.setPriority(WorkPriority(.veryHigh))
        #expect(relay.current == WorkPriority(.veryHigh))
        first.leave()
        #expect(relay.current == WorkPriority(.high))
        second.setPriority(WorkPriority(.veryLow, lane: .prefetch))
        #expect(relay.current == WorkPriority(.veryLow, lane: .prefetch))
        let other = join(.normal)
        #expect(relay.current == WorkPriority(.normal))
        other.leave()
        #expect(relay.current == WorkPriority(.veryLow, lane: .prefetch))
        second.leave()
        #expect(!work.isRunning(1))
        await above.waitUntilIdle()
        await work.waitUntilIdle()
    }

    @Test func isFollowedNoLongerThanTheWaitLasts() async {
        let priority = PriorityRelay()
        gate.open()
        let outcome = await work.outcome(of: 1, priority: priority, telling: { _ in }) { _ in .success(1) }
        #expect(outcome == .success(1))
        #expect(priority.listenerCount == 0)
    }
}

/// The relay that a job was given.
private final class RelayOfAJob: Sendable {
    private let relay = Lock<PriorityRelay?>(nil)

    var current: WorkPriority? { relay.withLock { $0?.current } }
    func note(_ priority: PriorityRelay) { relay.withLock { $0 = priority } }
}

@Suite(.timeLimit(.minutes(5)))
struct `A task that wants an outcome` {
    private let work = Work()

    @Test func startsAndJoinsNothingWhenItIsCancelledBefore() async {
        let hasRun = Lock(false)
        let outcome = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await work.outcome(of: 1, priority: PriorityRelay(), telling: { _ in }) { _ in
                hasRun.withLock { $0 = true }
                return .success(1)
            }
        }.value
        #expect(outcome == nil)
        await work.waitUntilIdle()
        #expect(!hasRun.withLock { $0 })
    }

    @Test func hasLeftWhenTheCallThatCancelsItReturns() async {
        let gate = Gate()
        let task = Task {
            await work.outcome(of: 1, priority: PriorityRelay(), telling: { _ in }) { _ in
                await gate.pass(ignoresCancellation: true)
                return .success(1)
            }
        }
        await gate.waitForArrivals()
        task.cancel()
        #expect(!work.isRunning(1), "nobody joins what was left")
        let again = await work.outcome(of: 1, priority: PriorityRelay(), telling: { _ in }) { _ in .success(2) }
        #expect(again == .success(2))
        gate.open()
        #expect(await task.value == nil)
        await work.waitUntilIdle()
    }
}
