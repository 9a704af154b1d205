import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

/// Finds nothing, and only when the test lets it.
private final class SlowDataCache: DataCache {
    let gates: [String: Gate]

    init(_ keys: [String]) { gates = Dictionary(uniqueKeysWithValues: keys.map { ($0, Gate()) }) }

    func entry(for key: CacheKey) async -> CacheEntry? {
        await gates[key.text]?.pass()
        return nil
    }
    func store(_ entry: CacheEntry, for key: CacheKey) async {}
    func remove(for key: CacheKey) async {}
    func remove(source: String) async {}
    func removeAll() async {}
}

@Suite(.timeLimit(.minutes(1)))
struct `Those who wait for a transfer` {
    /// However long the disk was searched for each of them.
    @Test func areServedInTheOrderOfTheirAsking() async throws {
        let addresses = (0..<6).map { "http://host.test/\($0)" }
        let cache = SlowDataCache(Array(addresses.dropFirst()))
        let fixture = PipelineFixture {
            $0.maximumTransferCount = 1
            $0.dataCache = cache
        }
        let busy = Gate()
        fixture.loader.setScript([.gate(busy), .chunk(SolidImage.file())], for: addresses[0])
        for address in addresses.dropFirst() { fixture.loader.setScript([.chunk(SolidImage.file())], for: address) }
        let tasks = try addresses.map { fixture.pipeline.task(for: ImageRequest(try ImageSource($0))) }
        await busy.waitForArrivals()
        for (index, address) in addresses.dropFirst().reversed().enumerated() {
            cache.gates[address]?.open()
            #expect(await eventually { fixture.pipeline.transferSlots.waitingCount == index + 1 })
        }
        busy.open()
        for task in tasks { _ = try await task.response }
        #expect(fixture.loader.requests.map(\.url.absoluteString) == addresses)
    }
}

/// Every queue of so many places and so many guests, in random short stories.
@Suite
struct `A work queue` {
    @Test(arguments: UInt64(0)..<300)
    func neverRunsMoreThanItsLimitForgetsNobodyAndKeepsTheOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var story = Story(limit: Int.random(in: 1...3, using: &random))
        for _ in 0..<40 { story.goOn(&random) }
        story.end()
        #expect(story.faults == [])
    }

    private struct Story {
        let limit: Int
        var queue: WorkQueue.State<UInt64>
        var arriving: [UInt64] = []
        var waiting: Set<UInt64> = []
        var inside: [UInt64] = []
        var cancelled: Set<UInt64> = []
        var faults: [String] = []

        init(limit: Int) {
            self.limit = limit
            queue = WorkQueue.State(limit: limit)
        }

        mutating func goOn(_ random: inout SeededRandom) {
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: arrive()
            case 2: arriving.randomElement(using: &random).map { enter($0) }
            case 3: (arriving + waiting.sorted() + inside).randomElement(using: &random).map { cancel($0) }
            default: if !inside.isEmpty { leave() }
            }
            check()
        }

        /// Everybody comes in, and goes.
        mutating func end() {
            for ticket in arriving { enter(ticket) }
            while !inside.isEmpty { leave() }
            if !waiting.isEmpty { faults.append("\(waiting) wait for ever") }
            check()
        }

        private mutating func arrive() {
            let ticket = queue.takeTicket()
            queue.arrive(ticket)
            arriving.append(ticket)
        }

        private mutating func enter(_ ticket: UInt64) {
            arriving.removeAll { $0 == ticket }
            switch queue.enter(ticket, ticket) {
            case true?: inside.append(ticket)
            case false?: if !cancelled.contains(ticket) { faults.append("\(ticket) was sent away for nothing") }
            case nil:
                waiting.insert(ticket)
                if inside.count < limit { faults.append("\(ticket) waits beside an empty place") }
            }
        }

        private mutating func cancel(_ ticket: UInt64) {
            cancelled.insert(ticket)
            let sentAway = queue.cancel(ticket)
            if sentAway != (waiting.contains(ticket) ? ticket : nil) {
                faults.append("\(ticket) was not sent away once")
            }
            waiting.remove(ticket)
        }

        private mutating func leave() {
            inside.removeFirst()
            let next = queue.leave()
            if next != waiting.min() { faults.append("\(String(describing: next)) came before \(waiting.sorted())") }
            if let next, waiting.remove(next) != nil { inside.append(next) }
        }

        private mutating func check() {
            if inside.count > limit { faults.append("\(inside.count) are inside") }
            if queue.running != inside.count { faults.append("it counts \(queue.running), not \(inside.count)") }
            if queue.waitingCount != waiting.count { faults.append("\(queue.waitingCount) wait, not \(waiting.count)") }
        }
    }
}
