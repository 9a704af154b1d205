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
            let task = Task<Void, Never> {}
            var isAttached = false
            var isCancelled = false
            var hasFinished = false
            var hasEnded = false
        }
        struct Guest {
            let key: Int
            let entry: UInt64
            let member: UInt64
            let asker: RecordingAsker
            var hasLeft = false
        }
        var work = Work.State()
        var jobs: [Job] = []
        var guests: [Guest] = []
        var faults: [String] = []

        mutating func goOn(_ random: inout SeededRandom) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: join(Int.random(in: 0..<2, using: &random))
            case 2, 3: guests.indices.randomElement(using: &random).map { leave($0) }
            case 4: jobs.indices.randomElement(using: &random).map { attach($0) }
            case 5: jobs.indices.randomElement(using: &random).map { publish($0) }
            case 6: jobs.indices.randomElement(using: &random).map { finish($0) }
            default: jobs.indices.randomElement(using: &random).map { end($0) }
            }
        }

        /// Every job runs out.
        mutating func end() {
            for index in jobs.indices {
                attach(index)
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

        private mutating func join(_ key: Int) {
            let asker = RecordingAsker()
            let joined = work.join(key, asker)
            guests.append(Guest(key: key, entry: joined.entry, member: joined.member, asker: asker))
            let known = jobs.last { $0.entry == joined.entry }
            if joined.isFirst != (known == nil) { faults.append("a job was begun twice, or not at all") }
            if known?.isCancelled == true || known?.hasFinished == true { faults.append("it joined what is over") }
            if joined.isFirst { jobs.append(Job(key: key, entry: joined.entry)) }
        }

        private mutating func leave(_ index: Int) {
            let guest = guests[index]
            let cancelled = work.leave(guest.key, guest.entry, guest.member)
            if guest.asker.outcomes.isEmpty { guests[index].hasLeft = true }
            guard let job = jobs.firstIndex(where: { $0.entry == guest.entry }) else { return }
            if let cancelled {
                if cancelled != jobs[job].task { faults.append("another job was cancelled") }
                jobs[job].isCancelled = true
            }
        }

        private mutating func attach(_ index: Int) {
            guard !jobs[index].isAttached else { return }
            jobs[index].isAttached = true
            let isWanted = work.attach(jobs[index].task, jobs[index].key, jobs[index].entry)
            if !isWanted, !jobs[index].hasFinished { jobs[index].isCancelled = true }
            if !isWanted, isAbandoned(jobs[index]) { jobs[index].isCancelled = true }
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

    @Test(.timeLimit(.minutes(1)), arguments: 0..<200)
    func isCancelledWhenItsOnlyAskerLeavesAtOnce(_: Int) async {
        let work = Work()
        let gate = Gate()
        let asker = RecordingAsker()
        let membership = work.join(1, asker) { report in
            report(Count(value: 1))
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
            _ = work.join(1, asker) { _ in .success(1) }
            await work.waitUntilIdle()
            #expect(asker.outcomes.count == 1)
        }
        #expect(gone == nil)
    }
}

@Suite
struct `A reserved place` {
    private typealias Work = SharedWork<Int, OriginalUpdate, Int>

    @Test func thatIsLeftBeforeItIsTakenStartsAndJoinsNothing() {
        var work = Work.State()
        let asker = Mailbox<OriginalUpdate, Result<Int, ImageError>>()
        let place = work.reserve()
        let cancelled = work.leave(1, place)
        #expect(cancelled == nil)
        let joined = work.join(1, asker, at: place)
        #expect(joined == nil)
        let next = work.join(1, asker)
        #expect(next.isFirst)
    }

    @Test func thatIsTakenIsLeftLikeAnyOther() {
        var work = Work.State()
        let asker = Mailbox<OriginalUpdate, Result<Int, ImageError>>()
        let place = work.reserve()
        let joined = work.join(1, asker, at: place)
        #expect(joined?.isFirst == true)
        _ = work.leave(1, place)
        let next = work.join(1, asker)
        #expect(next.isFirst, "nobody joins what was left")
    }
}
