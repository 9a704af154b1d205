import BowerbirdCore
import BowerbirdTestSupport
import Dispatch
import Synchronization
import Testing

@testable import BowerbirdLoading

@Suite struct ReadLanesTests {
    @Test func everyCallerGetsItsOwnAnswer() async {
        let lanes = ReadLanes(width: 3)
        await withTaskGroup { group in
            for number in 0..<500 {
                group.addTask { #expect(await lanes.run { number } == number) }
            }
        }
    }

    @Test func noMoreThanTheWidthGoOnAtOnce() async {
        let lanes = ReadLanes(width: 2)
        let running = Running()
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    await lanes.run {
                        running.enter()
                        running.leave()
                    }
                }
            }
        }
        #expect(running.most <= 2)
    }

    @Test func whoIsCancelledInTheLineGetsNothingAtOnce() async {
        let lanes = ReadLanes(width: 1)
        let gate = DispatchSemaphore(value: 0)
        let hasBegun = Gate()
        async let first = lanes.run { () -> Int in
            hasBegun.open()
            gate.wait()
            return 1
        }
        await hasBegun.pass()
        let second = Task { await lanes.run { 2 } }
        second.cancel()
        #expect(await second.value == nil, "it waited for the one before it")
        gate.signal()
        #expect(await first == 1)
        #expect(await lanes.run { 3 } == 3)
    }

    @Test func whoIsCancelledBeforeTheLineGetsNothing() async {
        let lanes = ReadLanes(width: 1)
        let task = Task { () -> Int? in
            withUnsafeCurrentTask { $0?.cancel() }
            return await lanes.run { 1 }
        }
        #expect(await task.value == nil)
    }
}

/// How many are somewhere at once.
private final class Running: Sendable {
    private let counts = Lock((now: 0, most: 0))
    var most: Int { counts.withLock { $0.most } }
    func enter() { counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
    func leave() { counts.withLock { $0.now -= 1 } }
}
