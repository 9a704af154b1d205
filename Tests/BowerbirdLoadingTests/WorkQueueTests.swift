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

@Suite(.timeLimit(.minutes(5)))
struct `Those who wait for a transfer` {
    /// However long the disk was searched for each of them.
    @Test func areServedInTheOrderOfTheirAsking() async throws {
        let addresses = (0..<6).map { "http://host.test/\($0)" }
        let cache = SlowDataCache(Array(addresses.dropFirst()))
        let fixture = PipelineFixture {
            $0.maximumTransferCount = 1
            $0.maximumDiskReadCount = 6
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

/// Random short stories told to a queue and to a model of it that is too simple to be wrong.
@Suite
struct `A work queue` {
    @Test(arguments: UInt64(0)..<500)
    func letsInWhomTheRulesNameAndForgetsNobody(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var story = Story(&random)
        for _ in 0..<60 { story.goOn(&random) }
        story.end()
        #expect(story.faults == [])
    }

    private struct Story {
        var model: QueueModel
        var queue: WorkQueue.State<UInt64>
        var tickets: [UInt64] = []
        var faults: [String] = []

        init(_ random: inout SeededRandom) {
            model = QueueModel(limit: Int.random(in: 1...4, using: &random), costLimit: 10)
            queue = WorkQueue.State(limit: model.limit, costLimit: 10)
        }

        mutating func goOn(_ random: inout SeededRandom) {
            switch Int.random(in: 0..<16, using: &random) {
            case 0...2: tickets.append(queue.takeTicket())
            case 3...6:
                if let index = tickets.indices.randomElement(using: &random) {
                    enter(QueueModel.Guest(tickets.remove(at: index), &random))
                }
            case 7: model.waiting.randomElement(using: &random).map { cancel($0.ticket) }
            case 8, 9: model.waiting.randomElement(using: &random).map { prioritize($0.ticket, &random) }
            case 10: setLimit(Int.random(in: 0...5, using: &random))
            case 11: setCostLimit(Int.random(in: 0...20, using: &random))
            case 12: setSuspended(Bool.random(using: &random))
            default: model.running.randomElement(using: &random).map { leave($0.ticket) }
            }
            check()
        }

        /// Everybody goes in, and leaves.
        mutating func end() {
            setSuspended(false)
            while let guest = model.running.first { leave(guest.ticket) }
            if queue.waitingCount + queue.runningCount + queue.runningCost > 0 { faults.append("some wait for ever") }
        }

        private mutating func enter(_ guest: QueueModel.Guest) {
            model.waiting.append(guest)
            if queue.enterAtOnce(guest.ticket, guest.load) {
                expect(WorkQueue.Answers(admitted: [guest.ticket]))
            } else {
                expect(queue.enter(guest.ticket, guest.ticket, guest.load, guest.priority))
            }
        }

        private mutating func cancel(_ ticket: UInt64) {
            model.waiting.removeAll { $0.ticket == ticket }
            expect(queue.cancel(ticket), refused: ticket)
            expect(queue.cancel(ticket))
        }

        private mutating func prioritize(_ ticket: UInt64, _ random: inout SeededRandom) {
            guard let index = model.waiting.firstIndex(where: { $0.ticket == ticket }),
                let priority = WorkPriority.all.randomElement(using: &random)
            else { return }
            let guest = model.waiting[index]
            if guest.priority != priority {
                model.waiting.remove(at: index)
                model.waiting.append(guest.moved(to: priority, behind: queue.takeTicket()))
            }
            expect(queue.setPriority(ticket, priority))
        }

        private mutating func leave(_ ticket: UInt64) {
            model.running.removeAll { $0.ticket == ticket }
            expect(queue.leave(ticket))
            expect(queue.leave(ticket))
            expect(queue.cancel(ticket))
        }

        private mutating func setLimit(_ limit: Int) {
            model.limit = max(1, limit)
            expect(queue.setLimit(limit))
        }

        private mutating func setCostLimit(_ limit: Int) {
            model.costLimit = limit
            expect(queue.setCostLimit(limit))
        }

        private mutating func setSuspended(_ isSuspended: Bool) {
            model.isSuspended = isSuspended
            expect(queue.setSuspended(isSuspended))
        }

        private mutating func expect(_ answers: WorkQueue.Answers<UInt64>, refused: UInt64? = nil) {
            let expected = model.admit()
            if answers.admitted != expected { faults.append("\(answers.admitted) came in instead of \(expected)") }
            if answers.refused != refused { faults.append("\(answers) instead of \(refused, default: "nobody")") }
        }

        private mutating func check() {
            let cost = model.running.map(\.load.cost).reduce(0, +)
            if queue.runningCount != model.running.count { faults.append("it counts \(queue.runningCount) inside") }
            if queue.waitingCount != model.waiting.count { faults.append("it counts \(queue.waitingCount) waiting") }
            if queue.runningCost != cost { faults.append("it counts \(queue.runningCost), not \(cost)") }
        }
    }

    @Test func keepsTheOrderOfAskingAmongManyThousands() {
        var queue = WorkQueue.State<UInt64>(limit: 1)
        var tickets = (0..<10_000).map { _ in queue.takeTicket() }
        let first = tickets.removeFirst()
        let isIn = queue.enterAtOnce(first, WorkQueue.Load())
        #expect(isIn)
        for ticket in tickets.reversed() { _ = queue.enter(ticket, ticket, WorkQueue.Load(), WorkPriority()) }
        var order: [UInt64] = []
        var running = first
        while let next = queue.leave(running).admitted.first {
            order.append(next)
            running = next
        }
        #expect(order == tickets)
    }
}

/// What a queue is to do, said in the plainest way.
private struct QueueModel {
    struct Guest {
        let ticket: UInt64
        var position: UInt64
        var priority: WorkPriority
        var load: WorkQueue.Load

        init(_ ticket: UInt64, _ random: inout SeededRandom) {
            self.ticket = ticket
            position = ticket
            // Few priorities, so that many stand at one.
            priority = WorkPriority(
                Bool.random(using: &random) ? .normal : .high,
                lane: Int.random(in: 0..<3, using: &random) == 0 ? .prefetch : .ordinary)
            load = WorkQueue.Load(
                host: ["a", "b", "c"][Int.random(in: 0..<3, using: &random)],
                cost: Bool.random(using: &random) ? 0 : Int.random(in: 1...12, using: &random))
        }

        func moved(to priority: WorkPriority, behind ticket: UInt64) -> Guest {
            var moved = self
            moved.priority = priority
            moved.position = ticket
            return moved
        }
    }

    var limit: Int
    var costLimit: Int
    var isSuspended = false
    var waiting: [Guest] = []
    var running: [Guest] = []

    mutating func admit() -> [UInt64] {
        var admitted: [UInt64] = []
        while !isSuspended, running.count < limit, let next, running.isEmpty || cost + next.load.cost <= costLimit {
            waiting.removeAll { $0.ticket == next.ticket }
            running.append(next)
            admitted.append(next.ticket)
        }
        return admitted
    }

    private var cost: Int { running.map(\.load.cost).reduce(0, +) }

    private var next: Guest? {
        let highest = waiting.map(\.priority).max()
        let line = waiting.filter { $0.priority == highest }.sorted { $0.position < $1.position }
        return line.first { runningCount(of: $0.load.host) < share } ?? line.first
    }

    private func runningCount(of host: String) -> Int { running.count { $0.load.host == host } }

    private var share: Int {
        let hosts = Set((waiting + running).map(\.load.host))
        return Int((Double(limit) / Double(hosts.count)).rounded(.up))
    }
}

/// The rules one by one, each in the smallest story that shows it.
@Suite
struct `Those who wait for a place` {
    /// A queue whose guests have names.
    private final class Queue {
        var state: WorkQueue.State<String>
        private var tickets: [String: UInt64] = [:]

        init(limit: Int, costLimit: Int = .max) { state = WorkQueue.State(limit: limit, costLimit: costLimit) }

        func ask(_ names: String...) { for name in names { tickets[name] = state.takeTicket() } }

        /// Who is let in by it.
        func enter(
            _ name: String, _ priority: WorkPriority = WorkPriority(), host: String = "", cost: Int = 0
        ) -> [String] {
            if tickets[name] == nil { ask(name) }
            let load = WorkQueue.Load(host: host, cost: cost)
            if state.enterAtOnce(ticket(name), load) { return [name] }
            return state.enter(ticket(name), name, load, priority).admitted
        }

        func leave(_ name: String) -> [String] { state.leave(ticket(name)).admitted }
        func cancel(_ name: String) -> WorkQueue.Answers<String> { state.cancel(ticket(name)) }
        func setPriority(_ name: String, _ priority: WorkPriority) -> [String] {
            state.setPriority(ticket(name), priority).admitted
        }

        /// The order in which they go in when one leaves after the other.
        func order(after name: String) -> [String] {
            var order: [String] = []
            var running = [name]
            while !running.isEmpty {
                let admitted = leave(running.removeFirst())
                order += admitted
                running += admitted
            }
            return order
        }

        private func ticket(_ name: String) -> UInt64 { tickets[name] ?? 0 }
    }

    private static let prefetch = WorkPriority(.veryHigh, lane: .prefetch)

    @Test func goInByTicketNotByWhoCameToTheQueueFirst() {
        let queue = Queue(limit: 1)
        queue.ask("a", "b", "c")
        #expect(queue.enter("a") == ["a"])
        #expect(queue.enter("c") == [])
        #expect(queue.enter("b") == [])
        #expect(queue.order(after: "a") == ["b", "c"])
    }

    @Test func goInAsOrdinaryWorkBeforePrefetchWorkWhateverCameFirst() {
        let queue = Queue(limit: 1)
        for (name, priority) in [("a", WorkPriority()), ("p", Self.prefetch), ("o", WorkPriority(.veryLow))] {
            _ = queue.enter(name, priority)
        }
        #expect(queue.order(after: "a") == ["o", "p"])
    }

    @Test func goInByPriorityAndThenByTicket() {
        let queue = Queue(limit: 1)
        _ = queue.enter("a")
        for level in RequestPriority.allCases {
            for number in 1...2 { _ = queue.enter("\(level)\(number)", WorkPriority(level)) }
        }
        let order = queue.order(after: "a")
        #expect(
            order == [
                "veryHigh1", "veryHigh2", "high1", "high2", "normal1", "normal2", "low1", "low2", "veryLow1",
                "veryLow2",
            ])
    }

    @Test func goToTheTailOfTheOrdinaryLaneWhenTheyWerePrefetchedBefore() {
        let queue = Queue(limit: 1)
        _ = queue.enter("a")
        _ = queue.enter("prefetched", Self.prefetch)
        _ = queue.enter("o1")
        _ = queue.enter("o2")
        _ = queue.setPriority("prefetched", WorkPriority())
        _ = queue.enter("o3")
        #expect(queue.order(after: "a") == ["o1", "o2", "prefetched", "o3"])
    }

    @Test func keepTheirPlaceWhenTheirPriorityIsSetToWhatItIs() {
        let queue = Queue(limit: 1)
        for name in ["a", "b", "c"] { _ = queue.enter(name) }
        _ = queue.setPriority("b", WorkPriority())
        #expect(queue.order(after: "a") == ["b", "c"])
    }

    @Test func mayHaveAllPlacesForOneHostWhileNoOtherWaits() {
        let queue = Queue(limit: 3)
        for name in ["a1", "a2", "a3"] {
            let admitted = queue.enter(name, host: "a")
            #expect(admitted == [name])
        }
        _ = queue.enter("a4", host: "a")
        #expect(queue.leave("a1") == ["a4"])
    }

    @Test func getThePlacesOfAHostThatHasMoreThanItsShare() {
        let queue = Queue(limit: 4)
        for number in 1...8 { _ = queue.enter("a\(number)", host: "a") }
        for number in 1...3 { _ = queue.enter("b\(number)", host: "b") }
        let next = ["a1", "a2", "a3"].map { queue.leave($0) }
        #expect(next == [["b1"], ["b2"], ["a5"]])
    }

    @Test func goInByTicketWhenEveryHostHasItsShare() {
        let queue = Queue(limit: 2)
        for (name, host) in [("a1", "a"), ("b1", "b"), ("a2", "a"), ("b2", "b"), ("a3", "a")] {
            _ = queue.enter(name, host: host)
        }
        // A third host that only waits makes the share one place, which both hosts have.
        _ = queue.enter("c", Self.prefetch, host: "c")
        #expect(queue.state.setLimit(3).admitted == ["a2"])
    }

    @Test func goInByPriorityBeforeTheirHostsShareCounts() {
        let queue = Queue(limit: 2)
        for name in ["a1", "a2"] { _ = queue.enter(name, host: "a") }
        _ = queue.enter("b", host: "b")
        _ = queue.enter("a3", WorkPriority(.high), host: "a")
        #expect(queue.leave("a1") == ["a3"])
    }

    @Test func goInAtOnceWhenTheLimitIsRaised() {
        let queue = Queue(limit: 1)
        for name in ["a", "b", "c", "d"] { _ = queue.enter(name) }
        #expect(queue.state.setLimit(3).admitted == ["b", "c"])
    }

    @Test func waitUntilEnoughHaveLeftWhenTheLimitIsLowered() {
        let queue = Queue(limit: 3)
        for name in ["a", "b", "c", "d"] { _ = queue.enter(name) }
        let lowered = queue.state.setLimit(0)
        #expect(lowered.admitted == [])
        #expect(queue.state.limit == 1)
        #expect(queue.state.runningCount == 3)
        let next = ["a", "b", "c"].map { queue.leave($0) }
        #expect(next == [[], [], ["d"]])
    }

    @Test func waitBesideEmptyPlacesWhileTheQueueIsSuspended() {
        let queue = Queue(limit: 2)
        _ = queue.state.setSuspended(true)
        #expect(queue.enter("a") == [])
        #expect(queue.enter("b") == [])
        #expect(queue.state.setSuspended(false).admitted == ["a", "b"])
    }

    @Test func waitBesideEmptyPlacesUntilTheLastHoldIsReleased() {
        let queue = Queue(limit: 1)
        _ = queue.enter("a")
        _ = queue.enter("b")
        for _ in 0..<2 { queue.state.hold() }
        #expect(queue.leave("a") == [])
        #expect(queue.state.release().admitted == [])
        #expect(queue.state.release().admitted == ["b"])
    }

    @Test func areNotOvertakenByWhatIsCheaper() {
        let queue = Queue(limit: .max, costLimit: 10)
        #expect(queue.enter("a", cost: 6) == ["a"])
        #expect(queue.enter("dear", cost: 6) == [])
        #expect(queue.enter("cheap", cost: 1) == [])
        #expect(queue.enter("urgent", WorkPriority(.high), cost: 1) == ["urgent"])
        #expect(queue.leave("a") == ["dear", "cheap"])
    }

    @Test func goInAloneWhenTheyCostMoreThanThereIs() {
        let queue = Queue(limit: .max, costLimit: 10)
        #expect(queue.enter("a", cost: 1) == ["a"])
        #expect(queue.enter("giant", cost: .max) == [])
        #expect(queue.leave("a") == ["giant"])
        #expect(queue.enter("b", cost: 1) == [])
        #expect(queue.leave("giant") == ["b"])
    }

    @Test func makeRoomForThoseBehindThemWhenTheyLeave() {
        let queue = Queue(limit: .max, costLimit: 10)
        for (name, cost) in [("a", 6), ("dear", 6), ("cheap", 1)] { _ = queue.enter(name, cost: cost) }
        let answers = queue.cancel("dear")
        #expect(answers.refused == "dear")
        #expect(answers.admitted == ["cheap"])
    }
}

/// The same queue with tasks that wait.
@Suite(.timeLimit(.minutes(5)))
struct `A task that waits for a place` {
    private let queue = WorkQueue(limit: 1)
    private let priority = PriorityRelay()

    private func occupy() async -> WorkQueue.Ticket {
        let ticket = queue.takeTicket()
        #expect(await queue.enter(ticket, priority: priority))
        return ticket
    }

    @Test func isSentAwayInTheCallThatCancelsIt() async {
        let first = await occupy()
        let waiting = Task { await queue.enter(queue.takeTicket(), priority: priority) }
        #expect(await eventually { queue.waitingCount == 1 })
        waiting.cancel()
        #expect(queue.waitingCount == 0)
        #expect(await !waiting.value)
        queue.leave(first)
        #expect(queue.runningCount == 0)
    }

    @Test func getsNoPlaceWhenItIsCancelledBefore() async {
        let entering = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await queue.enter(queue.takeTicket(), priority: priority)
        }
        #expect(await !entering.value)
        #expect(queue.runningCount == 0)
    }

    @Test(arguments: 0..<200)
    func isLetInOrSentAwayButNeverBoth(_: Int) async {
        let first = await occupy()
        let ticket = queue.takeTicket()
        let waiting = Task { await queue.enter(ticket, priority: priority) }
        let leaving = Task { queue.leave(first) }
        waiting.cancel()
        await leaving.value
        if await waiting.value { queue.leave(ticket) }
        #expect(queue.runningCount == 0)
        #expect(queue.waitingCount == 0)
    }

    @Test func followsItsPriorityAndThenLetsGoOfIt() async {
        let first = await occupy()
        let relay = PriorityRelay(WorkPriority(.high, lane: .prefetch))
        let order = Lock<[String]>([])
        let enter = { @Sendable [queue] (name: String, priority: PriorityRelay) in
            let ticket = queue.takeTicket()
            _ = await queue.enter(ticket, priority: priority)
            order.withLock { $0.append(name) }
            queue.leave(ticket)
        }
        let raised = Task { await enter("raised", relay) }
        #expect(await eventually { queue.waitingCount == 1 })
        let ordinary = Task { await enter("ordinary", priority) }
        #expect(await eventually { queue.waitingCount == 2 })
        relay.set(WorkPriority(.veryHigh))
        queue.leave(first)
        _ = await (raised.value, ordinary.value)
        #expect(order.withLock { $0 } == ["raised", "ordinary"])
        #expect(relay.listenerCount == 0)
        #expect(priority.listenerCount == 0)
    }

    @Test func isLetInByAHigherLimitAndByTheEndOfASuspension() async {
        let first = await occupy()
        let tickets = (0..<2).map { _ in queue.takeTicket() }
        let waiting = Task { await queue.enter(tickets[0], priority: priority) }
        #expect(await eventually { queue.waitingCount == 1 })
        queue.limit = 2
        #expect(await waiting.value)
        queue.isSuspended = true
        queue.limit = 3
        let suspended = Task { await queue.enter(tickets[1], priority: priority) }
        #expect(await eventually { queue.waitingCount == 1 })
        queue.isSuspended = false
        #expect(await suspended.value)
        for ticket in [first] + tickets { queue.leave(ticket) }
        #expect(queue.runningCount == 0)
    }
}
