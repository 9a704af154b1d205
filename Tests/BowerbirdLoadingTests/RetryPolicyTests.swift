import BowerbirdLoading
import FoundationEssentials
import Testing

@Suite
struct `Trying again` {
    private let policy = RetryPolicy.backoff()

    @Test(arguments: [
        (LoadingError.timedOut(""), true), (.connectionLost(""), true), (.cannotConnect(""), true),
        (.hostNotFound(""), true), (.incomplete(received: 1, expected: nil), true), (.status(408), true),
        (.status(429), true), (.status(500), true), (.status(502), true), (.status(503), true), (.status(599), true),
        (.status(501), false), (.status(505), false), (.status(600), false), (.status(404), false),
        (.status(400), false), (.status(304), false), (.cancelled, false), (.insecure(""), false),
        (.tooManyRedirects, false), (.tooLarge(maximumByteCount: 1), false), (.outOfMemory, false),
        (.unsupportedScheme(""), false), (.invalidDataURL(""), false), (.fileNotFound, false), (.isDirectory, false),
        (.permissionDenied, false), (.file(""), false),
    ])
    func isForFaultsThatPass(error: LoadingError, isTried: Bool) {
        #expect((policy.delay(after: error, attempt: 1, spent: .zero, random: 0) != nil) == isTried)
        #expect(RetryPolicy.never.delay(after: error, attempt: 1, spent: .zero, random: 0) == nil)
    }

    @Test(arguments: [(1, 0.5), (2, 1), (3, 2), (4, 4), (5, 5), (1000, 5), (.max, 5), (0, 0.5), (.min, 0.5)])
    func waitsUpToTwiceAsLongEachTime(attempt: Int, longest: Double) {
        let policy = RetryPolicy.backoff(maximumAttempts: .max, maximum: .seconds(5))
        let delay = { (random: Double) in
            policy.delay(after: .status(500), attempt: attempt, spent: .zero, random: random)
        }
        guard attempt < .max else { return #expect(delay(0.5) == nil) }
        #expect(delay(0) == .zero)
        #expect(delay(0.5) == .seconds(longest / 2))
        #expect(delay(0.75) == .seconds(longest * 0.75))
    }

    @Test func endsAfterItsAttempts() {
        #expect(policy.delay(after: .status(500), attempt: 2, spent: .zero, random: 0) == .zero)
        #expect(policy.delay(after: .status(500), attempt: 3, spent: .zero, random: 0) == nil)
        let once = RetryPolicy.backoff(maximumAttempts: 0)
        #expect(once.delay(after: .status(500), attempt: 1, spent: .zero, random: 0) == nil)
    }

    @Test(arguments: [(59.5, true), (59.75, false), (1e6, false), (-5, true)])
    func endsWithItsBudget(spent: Double, isTried: Bool) {
        let delay = policy.delay(after: .timedOut(""), attempt: 1, spent: .seconds(spent), random: 0.999_999)
        #expect((delay != nil) == isTried)
    }

    @Test(
        arguments: [
            (LoadingError.status(503), 10, Duration.seconds(10)), (.status(429), 60, .seconds(60)),
            (.status(429), 61, nil), (.status(503), 0, .seconds(0.25)), (.status(503), -5, .seconds(0.25)),
            (.status(404), 10, nil),
            // A head that came before the connection broke says nothing about this.
            (.timedOut(""), 10, .seconds(0.25)),
        ] as [(LoadingError, Double, Duration?)])
    func isNotBeforeTheServerSays(error: LoadingError, seconds: Double, expected: Duration?) {
        let delay = policy.delay(
            after: error, retryAfter: .seconds(seconds), attempt: 1, spent: .zero, random: 0.5)
        #expect(delay == expected)
    }

    @Test(
        arguments: [
            ("120", 120), ("0", 0), ("99999999999999999999", 2_147_483_648), ("5, 10", 5),
            (At.minuteAfter, 60), (At.minuteBefore, 0), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 2_147_483_648), ("", nil), ("-1", nil), ("soon", nil), ("1.5", nil),
            ("Sun, 06 Nov 1994", nil),
        ] as [(String, Double?)])
    func isWhenTheServerSays(field: String, seconds: Double?) {
        #expect(RetryPolicy.wait(saidBy: field, at: receipt) == seconds.map { .seconds($0) })
    }

    /// Durations trap where they overflow.
    @Test func standsAnyFigures() {
        let durations: [Duration] = [
            .zero, .seconds(-1), .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(1), .seconds(1e18),
        ]
        for base in durations {
            for maximum in durations {
                for budget in durations {
                    let policy = RetryPolicy.backoff(
                        maximumAttempts: .max, base: base, maximum: maximum, budget: budget)
                    for random in [0, 0.5, 1, 2, -1, .nan, .infinity] {
                        for (attempt, after) in [(1, budget), (.max - 1, nil), (.min, maximum)] {
                            let delay = policy.delay(
                                after: .status(500), retryAfter: after, attempt: attempt, spent: base, random: random)
                            #expect(delay.map { $0 >= .zero } ?? true)
                        }
                    }
                }
            }
        }
    }
}
