import BowerbirdCore
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

private let key = CacheKey("http://h/a")
private let now = Date(timeIntervalSince1970: 1_000_000)

private func loading(_ error: LoadingError) -> ImageError { .loading(error, address: "http://h/a") }
private func decoding(_ error: DecodingError) -> ImageError { .decoding(error, address: "http://h/a") }

@Suite
struct `A failure` {
    /// Seconds by reason (nil: not at all), and whether it is remembered for the session.
    @Test(
        arguments: [
            (loading(.status(404)), 600, true), (loading(.status(410)), 600, true), (loading(.status(400)), 60, true),
            (loading(.status(451)), 60, true), (loading(.status(499)), 60, true),
            (loading(.tooManyRedirects), 60, true),
            (loading(.status(401)), nil, true), (loading(.status(403)), nil, true), (loading(.status(407)), nil, true),
            (loading(.status(408)), nil, true), (loading(.status(425)), nil, true), (loading(.status(429)), nil, true),
            (loading(.status(500)), nil, true), (loading(.status(503)), nil, true), (loading(.status(304)), nil, true),
            (loading(.insecure("")), nil, true),
            (loading(.hostNotFound("")), nil, false), (loading(.cannotConnect("")), nil, false),
            (loading(.connectionLost("")), nil, false), (loading(.timedOut("")), nil, false),
            (loading(.incomplete(received: 1, expected: 2)), nil, false), (loading(.cancelled), nil, false),
            (loading(.tooLarge(maximumByteCount: 1)), nil, false), (loading(.outOfMemory), nil, false),
            (loading(.unsupportedScheme("x")), nil, false), (loading(.invalidDataURL("")), nil, false),
            (loading(.fileNotFound), nil, false), (loading(.isDirectory), nil, false),
            (loading(.permissionDenied), nil, false), (loading(.file("")), nil, false),
            (decoding(.corrupt("")), 3600, true), (decoding(.unsupportedFormat(nil, beginning: "<html>")), 3600, true),
            (decoding(.empty), 60, true), (decoding(.truncated(atByte: 9)), 60, true),
            (decoding(.tooLarge(PixelSize(width: 9, height: 9), maximumPixelCount: 1)), nil, false),
            (decoding(.tooManyScans(maximum: 1)), nil, false),
            (decoding(.outOfMemory(PixelSize(width: 9, height: 9))), nil, false), (decoding(.cancelled), nil, false),
            (.invalidURL("x"), nil, false), (.cancelled, nil, false),
            (.processing(.cancelled, address: ""), nil, false),
        ] as [(ImageError, TimeInterval?, Bool)])
    func isRememberedForAsLongAsItsReasonLasts(error: ImageError, seconds: TimeInterval?, session: Bool) {
        let byReason = FailureList()
        byReason.record(error, for: key, at: now)
        #expect(byReason.count == (seconds == nil ? 0 : 1))
        if let seconds {
            #expect(byReason.failure(for: key, at: now + seconds - 1) == error)
            #expect(byReason.failure(for: key, at: now + seconds) == nil)
            #expect(byReason.count == 0)
        }
        let forever = FailureList(policy: .session)
        forever.record(error, for: key, at: now)
        #expect(forever.failure(for: key, at: now + 1e9) == (session ? error : nil))
        let off = FailureList(policy: .off)
        off.record(error, for: key, at: now)
        #expect(off.count == 0)
    }

    @Test func recordedAnewBeginsAnew() {
        let list = FailureList()
        list.record(loading(.status(404)), for: key, at: now)
        list.record(loading(.status(410)), for: key, at: now + 500)
        #expect(list.count == 1)
        #expect(list.failure(for: key, at: now + 1000) == loading(.status(410)))
        list.record(loading(.status(503)), for: key, at: now + 1000)
        #expect(list.failure(for: key, at: now + 1000) == loading(.status(410)))
    }

    @Test func doesNotLastBecauseTheClockWasSetBack() {
        let list = FailureList()
        list.record(loading(.status(404)), for: key, at: now)
        #expect(list.failure(for: key, at: now - 599) != nil)
        #expect(list.failure(for: key, at: now - 600) == nil)
    }
}

@Suite
struct `The list of failures` {
    @Test func forgetsAKeyASourceOrEverything() {
        let list = FailureList(policy: .session)
        let keys = ["a", "a small", "b", "c"].map { CacheKey($0, source: String($0.prefix(1))) }
        for key in keys { list.record(loading(.status(404)), for: key, at: now) }
        list.remove(source: "a")
        #expect(keys.map { list.failure(for: $0, at: now) != nil } == [false, false, true, true])
        list.remove(for: keys[2])
        #expect(keys.map { list.failure(for: $0, at: now) != nil } == [false, false, false, true])
        list.removeAll()
        #expect(list.count == 0)
    }

    @Test func losesTheOldestWhenItIsFull() {
        let list = FailureList(policy: .session, maximumCount: 100)
        let keys = (0...100).map { CacheKey("\($0)") }
        for key in keys.dropLast() { list.record(loading(.status(404)), for: key, at: now) }
        list.record(loading(.status(404)), for: keys[0], at: now)
        #expect(list.count == 100)
        list.record(loading(.status(404)), for: keys[100], at: now)
        let kept = keys.indices.filter { list.failure(for: keys[$0], at: now) != nil }
        #expect(kept == [0] + Array(12...100))
    }

    @Test(arguments: [-1, 0, 1, 9])
    func neverHoldsMoreThanItsLimit(limit: Int) {
        let list = FailureList(policy: .session, maximumCount: limit)
        for index in 0..<20 {
            list.record(loading(.status(404)), for: CacheKey("\(index)"), at: now)
            #expect(list.count <= max(0, limit))
        }
        #expect((list.failure(for: CacheKey("19"), at: now) != nil) == (limit > 0))
    }

    @Test func standsManyThreads() async {
        let list = FailureList(policy: .session, maximumCount: 50)
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for step in 0..<500 {
                        let key = CacheKey("\((task * 7 + step) % 83)")
                        list.record(loading(.status(404)), for: key, at: now)
                        _ = list.failure(for: key, at: now)
                        if step % 11 == 0 { list.remove(for: key) }
                    }
                }
            }
        }
        #expect(list.count <= 50)
    }
}
