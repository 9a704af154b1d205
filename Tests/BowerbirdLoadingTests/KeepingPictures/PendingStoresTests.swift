import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `Pictures that are still to be stored` {
    private let stores = PendingStores(byteLimit: 100, executor: WorkExecutor.storing())
    private let priority = PriorityRelay()
    private let stored = Record<String>()

    private func picture() throws -> ProducedImage {
        let bitmap = try PixelBuffer.make(1, 1).freeze()
        let header = ImageHeader(format: SolidImage.format, storedSize: bitmap.size)
        return ProducedImage(image: DecodedImage(bitmap: bitmap, header: header), origin: .network)
    }

    private func add(_ name: String, _ byteCount: Int = 10, encoding gate: Gate = Gate(isOpen: true)) async throws {
        let room = try #require(await stores.reserve(byteCount, priority: priority))
        let entry = CacheEntry(data: try #require(EncodedImage(SolidImage.file())), url: name)
        let steps = PendingStores.Steps {
            await gate.pass(ignoresCancellation: true)
            return entry
        } store: { [stored] entry in
            stored.note(entry.url)
        }
        stores.add(try picture(), for: CacheKey(name, source: "source of \(name)"), room, steps)
    }

    @Test func areStoredOneAfterTheOtherInOrder() async throws {
        let gate = Gate()
        try await add("a", encoding: gate)
        await gate.waitForArrivals()
        try await add("b", encoding: gate)
        #expect(stores.count == 2)
        #expect(gate.arrivals == 1)
        gate.open()
        await stores.waitUntilIdle()
        #expect(stored.all == ["a", "b"])
        #expect(stores.count == 0)
    }

    @Test func waitForRoomBeforeTheirAnswersWhereManyAreThere() async throws {
        let gate = Gate()
        try await add("a", 90, encoding: gate)
        let next = Task { [stores, priority] in await stores.reserve(20, priority: priority) }
        let cancelled = Task { [stores, priority] in await stores.reserve(20, priority: priority) }
        cancelled.cancel()
        if await cancelled.value != nil { Issue.record("there was room") }
        gate.open()
        let room = try #require(await next.value)
        await stores.waitUntilIdle()
        #expect(stored.all == ["a"])
        room.giveBack()
        try await add("b", 1000)
        await stores.waitUntilIdle()
        #expect(stored.all == ["a", "b"])
    }

    @Test func ofOneSourceAreDroppedAndOthersStay() async throws {
        let gate = Gate()
        for name in ["a", "b", "c"] { try await add(name, encoding: gate) }
        await gate.waitForArrivals()
        await stores.drop(source: "source of a")
        await stores.drop(source: "source of c")
        gate.open()
        await stores.waitUntilIdle()
        #expect(stored.all == ["b"])
    }

    /// The room of what was dropped is free once its encoder has noticed.
    @Test func giveTheirRoomBackWhenTheyAreDropped() async throws {
        let gate = Gate()
        try await add("a", 100, encoding: gate)
        await gate.waitForArrivals()
        stores.cancelAll()
        gate.open()
        try await add("b", 100)
        await stores.waitUntilIdle()
        #expect(stored.all == ["b"])
    }

    @Test func areReplacedByNewerOnesUnderTheSameKey() async throws {
        let gate = Gate()
        try await add("a", encoding: gate)
        await gate.waitForArrivals()
        try await add("a")
        #expect(stores.count == 1)
        gate.open()
        await stores.waitUntilIdle()
        #expect(stored.all == ["a"])
    }
}
