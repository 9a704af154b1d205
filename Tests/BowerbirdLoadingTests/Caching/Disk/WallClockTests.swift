import BowerbirdCore
import Testing

@testable import BowerbirdLoading

/// A clock that a test sets.
final class TestClock: Sendable {
    private let time: Lock<Int64>
    var wallClock: WallClock { WallClock { self.time.withLock { $0 } } }

    init(_ microseconds: Int64 = 1_000_000_000_000_000) { time = Lock(microseconds) }

    func advance(by duration: Duration) { time.withLock { $0 += Int64(duration / .microseconds(1)) } }
}

@Suite
struct `The clock of a disk cache` {
    @Test func neverGivesATimeTwice() {
        let clock = TestClock(1000).wallClock
        #expect([clock.next(), clock.next(), clock.next()] == [1000, 1001, 1002])
    }

    @Test func goesOnWhenTheSystemsClockIsSetBack() {
        let system = TestClock(1000)
        let clock = system.wallClock
        #expect(clock.next() == 1000)
        system.advance(by: .microseconds(-500))
        #expect(clock.next() == 1001)
        #expect(clock.now == 500)
        system.advance(by: .seconds(1))
        #expect(clock.next() == 1_000_500)
    }

    @Test func goesOnFromATimeThatWasWrittenDown() {
        let clock = TestClock(1000).wallClock
        clock.advance(past: 5000)
        clock.advance(past: 10)
        #expect(clock.next() == 5001)
    }

    @Test func bringsEarlierTimesBehindOneThatWasWrittenDown() {
        let clock = TestClock(1000).wallClock
        let early = [clock.next(), clock.next()]
        clock.advance(past: 5000)
        let late = clock.next()
        #expect((early + [late]).map(clock.settled) == [5001, 5002, 5003])
    }

    @Test func leavesTimesAloneThatAreLater() {
        let clock = TestClock(1000).wallClock
        let early = clock.next()
        clock.advance(past: 999)
        #expect([early, clock.next()].map(clock.settled) == [1000, 1001])
    }

    @Test func staysAtTheEndOfTime() {
        let clock = TestClock(1000).wallClock
        clock.advance(past: .max)
        #expect([clock.next(), clock.next()] == [.max, .max])
        clock.advance(past: .max)
        #expect(clock.settled(.max) == .max)
    }
}
