import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct `Pictures one after the other for an owner` {
    private final class Owner {}

    /// What was called, in order.
    private final class Calls {
        var all: [String] = []
    }

    private let fixture = PipelineFixture()
    private let calls = Calls()

    private func load(
        _ requests: [ImageRequest], startingAt start: Int = 0, for owner: Owner,
        onLeave: ImageSequenceLoader.OnLeave = .finishCurrent
    ) -> Task<Void, Never> {
        ImageSequenceLoader(pipeline: fixture.pipeline, onLeave: onLeave).load(
            requests, startingAt: start, for: owner,
            progress: { [calls] index, progress in calls.all.append("\(index): \(progress.received)") },
            image: { [calls] index, outcome in
                calls.all.append("\(index) \((try? outcome.get()) == nil ? "failed" : "came")")
            },
            completion: { [calls] outcome in
                let count = (try? outcome.get())?.count
                calls.all.append(count.map { "\($0) in all" } ?? "none")
            })
    }

    @Test func areToldInOrderAndEndOnce() async throws {
        let owner = Owner()
        var requests = try fixture.requests(4)
        requests[2] = try fixture.request(2, [.failure(.status(500))])
        let loading = load(requests, startingAt: 1, for: owner)
        #expect(calls.all.isEmpty)
        await loading.value
        #expect(calls.all.filter { !$0.contains(":") } == ["1 came", "2 failed", "3 came", "2 in all"])
        withExtendedLifetime(owner) {}
    }

    @Test func tellTheirProgress() async throws {
        let owner = Owner()
        let (gate, file) = (Gate(), SolidImage.file(byteCount: 200))
        let request = try fixture.request(0, [.chunk(Array(file[..<100])), .gate(gate), .chunk(Array(file[100...]))])
        let loading = load([request], for: owner)
        await gate.waitForArrivals()
        #expect(await eventually { calls.all == ["0: 100"] })
        gate.open()
        await loading.value
        #expect(calls.all.suffix(2) == ["0 came", "1 in all"])
        withExtendedLifetime(owner) {}
    }

    @Test func areASuccessWithNothingToLoad() async {
        let owner = Owner()
        await load([], for: owner).value
        #expect(calls.all == ["0 in all"])
        withExtendedLifetime(owner) {}
    }

    @Test func areAFailureWhereNoneComes() async throws {
        let owner = Owner()
        await load([try fixture.request(0, [.failure(.status(500))])], for: owner).value
        #expect(calls.all == ["0 failed", "none"])
        withExtendedLifetime(owner) {}
    }

    @Test func callNothingWhenTheOwnerIsGoneAndLetTheCurrentOneFinish() async throws {
        var owner: Owner? = Owner()
        let gate = Gate()
        let loading = load(try fixture.requests(3, behind: gate), for: try #require(owner))
        await gate.waitForArrivals()
        owner = nil
        gate.open()
        await loading.value
        await fixture.pipeline.waitUntilIdle()
        #expect(calls.all.isEmpty)
        #expect(fixture.asked == [0])
        #expect(fixture.images.all.count == 1)
    }

    @Test func cancelTheCurrentOneWhereThatIsWanted() async throws {
        var owner: Owner? = Owner()
        let (first, second, file) = (Gate(), Gate(), SolidImage.file(byteCount: 200))
        let request = try fixture.request(
            0, [.gate(first), .chunk(Array(file[..<100])), .gate(second), .chunk(Array(file[100...]))])
        let loading = load([request, request], for: try #require(owner), onLeave: .cancelCurrent)
        await first.waitForArrivals()
        owner = nil
        first.open()
        await loading.value
        await fixture.pipeline.waitUntilIdle()
        #expect(calls.all.isEmpty)
        #expect(fixture.images.all.isEmpty)
        #expect(fixture.loader.cancelledCount == 1)
        #expect(fixture.asked == [0])
    }

    @Test(arguments: [ImageSequenceLoader.OnLeave.finishCurrent, .cancelCurrent])
    func callNothingWhenTheyAreCancelled(onLeave: ImageSequenceLoader.OnLeave) async throws {
        let owner = Owner()
        let gate = Gate()
        let loading = load(try fixture.requests(3, behind: gate), for: owner, onLeave: onLeave)
        await gate.waitForArrivals()
        loading.cancel()
        await loading.value
        if onLeave == .finishCurrent { gate.open() }
        await fixture.pipeline.waitUntilIdle()
        #expect(calls.all.isEmpty)
        #expect(fixture.asked == [0])
        #expect(fixture.images.all.count == (onLeave == .finishCurrent ? 1 : 0))
        withExtendedLifetime(owner) {}
    }

    @Test func doNotKeepTheirOwnerAlive() async throws {
        var owner: Owner? = Owner()
        weak let trace = owner
        let gate = Gate()
        let loading = load(try fixture.requests(1, behind: gate), for: try #require(owner))
        await gate.waitForArrivals()
        owner = nil
        #expect(trace == nil)
        gate.open()
        await loading.value
    }
}
