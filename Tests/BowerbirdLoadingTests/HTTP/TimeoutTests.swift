import Testing

@testable import BowerbirdLoading

struct TimeoutTests {
    @Test(arguments: [
        (Duration.milliseconds(1500), 1500), (.seconds(30), 30_000), (.microseconds(2999), 2), (.zero, 1),
        (.seconds(-5), 1), (.seconds(Int64.max), Int(Int32.max)), (.seconds(Int64.min), 1),
    ])
    func aTimeoutIsOneThatATimerTakes(_ duration: Duration, _ expected: Int) {
        #expect(duration.milliseconds == expected)
    }
}
