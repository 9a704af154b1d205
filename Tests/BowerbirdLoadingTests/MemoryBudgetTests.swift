import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `A memory budget` {
    private let budget = MemoryBudget(byteLimit: 100)
    private let priority = PriorityRelay()

    private func enter(_ byteCount: Int) async throws -> WorkQueue.Ticket {
        try #require(await budget.enter(byteCount: byteCount, priority: priority))
    }

    @Test func letsInWhatFitsAndCountsIt() async throws {
        let tickets = [try await enter(60), try await enter(40)]
        #expect(budget.bytesInFlight == 100)
        let third = Task { try await enter(1) }
        #expect(await eventually { budget.waitingCount == 1 })
        budget.leave(tickets[1])
        budget.leave(try await third.value)
        #expect(budget.bytesInFlight == 60)
        budget.leave(tickets[0])
        #expect(budget.bytesInFlight == 0)
    }

    @Test func letsInAloneWhatIsLargerThanAllOfIt() async throws {
        let giant = try await enter(1000)
        #expect(budget.bytesInFlight == 1000)
        let small = Task { try await enter(1) }
        #expect(await eventually { budget.waitingCount == 1 })
        budget.leave(giant)
        budget.leave(try await small.value)
    }

    @Test func letsInWhatIsSeenBeforeWhatIsOnlyAheadOfNeed() async throws {
        let first = try await enter(100)
        let prefetch = PriorityRelay(WorkPriority(.veryHigh, lane: .prefetch))
        let ahead = Task { await budget.enter(byteCount: 100, priority: prefetch) }
        #expect(await eventually { budget.waitingCount == 1 })
        let seen = Task { try await enter(100) }
        #expect(await eventually { budget.waitingCount == 2 })
        budget.leave(first)
        budget.leave(try await seen.value)
        budget.leave(try #require(await ahead.value))
        #expect(budget.bytesInFlight == 0)
    }

    @Test func sendsAwayWhoIsCancelled() async throws {
        let first = try await enter(100)
        let waiting = Task { await budget.enter(byteCount: 1, priority: priority) }
        #expect(await eventually { budget.waitingCount == 1 })
        waiting.cancel()
        #expect(await waiting.value == nil)
        budget.leave(first)
        #expect(budget.bytesInFlight == 0)
    }

    @Test func letsInAtOnceWhoWaitsWhenItGrows() async throws {
        let first = try await enter(100)
        let waiting = Task { try await enter(50) }
        #expect(await eventually { budget.waitingCount == 1 })
        budget.limit = 150
        let second = try await waiting.value
        budget.limit = -1
        #expect(budget.limit == 0)
        #expect(budget.bytesInFlight == 150, "lowering it stops nothing")
        budget.leave(first)
        budget.leave(second)
    }

    @Test func isAQuarterOfTheMemoryUnlessMoreIsSaid() {
        #expect(MemoryBudget.shared.limit == max(64 << 20, MemoryAvailability.processLimit / 4))
        #expect(MemoryBudget.shared === MemoryBudget.shared)
    }
}
