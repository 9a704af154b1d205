import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

@Suite
struct `A priority of work` {
    @Test func isLowerForPrefetchingThanForAnythingOrdinary() {
        #expect(WorkPriority(.veryHigh, lane: .prefetch) < WorkPriority(.veryLow))
    }

    @Test func growsWithItsLevel() {
        let levels: [RequestPriority] = [.veryLow, .low, .normal, .high, .veryHigh]
        #expect(RequestPriority.allCases.shuffled().sorted() == levels)
        #expect(WorkPriority.all.filter { $0.lane == .ordinary }.map(\.level) == levels)
    }

    @Test func standsAtItsRank() {
        #expect(WorkPriority.all.count == 10)
        #expect(WorkPriority.all.map(\.rank) == Array(0..<10))
        #expect(WorkPriority.all == WorkPriority.all.sorted())
    }
}

@Suite
struct `A tally of priorities` {
    @Test(arguments: UInt64(0)..<50)
    func knowsTheHighestOfThoseWhoAreThere(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var tally = PriorityTally()
        var there: [WorkPriority] = []
        for _ in 0..<60 {
            if Bool.random(using: &random), let index = there.indices.randomElement(using: &random) {
                tally.remove(there.remove(at: index))
            } else if let priority = WorkPriority.all.randomElement(using: &random) {
                tally.add(priority)
                there.append(priority)
            }
            #expect(tally.highest == there.max())
        }
    }
}

@Suite
struct `A relay of priorities` {
    /// What a follower saw at each call.
    private final class Follower: Sendable {
        private let seen = Lock<[WorkPriority]>([])

        var all: [WorkPriority] { seen.withLock { $0 } }

        func follow(_ relay: PriorityRelay) -> PriorityRelay.Subscription {
            relay.subscribe { [self, relay] in seen.withLock { $0.append(relay.current) } }
        }
    }

    @Test func tellsOfEachChangeAndOfNothingElse() {
        let relay = PriorityRelay(WorkPriority(.low))
        let follower = Follower()
        let subscription = follower.follow(relay)
        relay.set(WorkPriority(.low))
        #expect(follower.all.isEmpty)
        relay.set(WorkPriority(.high))
        relay.set(WorkPriority(.high))
        relay.set(WorkPriority(.low))
        #expect(follower.all == [WorkPriority(.high), WorkPriority(.low)])
        subscription.cancel()
    }

    @Test func tellsNobodyWhoHasLeft() {
        let relay = PriorityRelay()
        let (gone, there) = (Follower(), Follower())
        let subscriptions = [gone.follow(relay), there.follow(relay)]
        subscriptions[0].cancel()
        subscriptions[0].cancel()
        relay.set(WorkPriority(.high))
        #expect(gone.all.isEmpty)
        #expect(there.all == [WorkPriority(.high)])
        subscriptions[1].cancel()
        #expect(relay.listenerCount == 0)
    }

    @Test func tellsItsFollowersInTheOrderOfTheirComing() {
        let relay = PriorityRelay()
        let order = Lock<[Int]>([])
        let subscriptions = (0..<20).map { number in relay.subscribe { order.withLock { $0.append(number) } } }
        relay.set(WorkPriority(.high))
        #expect(order.withLock { $0 } == Array(0..<20))
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test func tellsNobodyByItselfWhenItIsOnlyChanged() {
        let relay = PriorityRelay()
        let follower = Follower()
        let subscription = follower.follow(relay)
        let listeners = relay.change(to: WorkPriority(.high))
        #expect(relay.current == WorkPriority(.high))
        #expect(follower.all.isEmpty)
        for listener in listeners { listener() }
        #expect(follower.all == [WorkPriority(.high)])
        subscription.cancel()
    }

    /// Whoever looks when it is told has the newest in the end, in whatever order the calls come.
    @Test(.timeLimit(.minutes(5)), arguments: 0..<50)
    func leavesItsFollowersWithTheNewest(_: Int) async {
        let relay = PriorityRelay(WorkPriority.all[0])
        let followed = Lock(WorkPriority.all[0])
        let subscription = relay.subscribe { followed.withLock { $0 = relay.current } }
        await withTaskGroup { group in
            for priority in WorkPriority.all { group.addTask { relay.set(priority) } }
        }
        #expect(followed.withLock { $0 } == relay.current)
        subscription.cancel()
    }
}
