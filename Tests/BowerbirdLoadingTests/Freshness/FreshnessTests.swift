import FoundationEssentials
import Testing

@testable import BowerbirdLoading

/// An answer, its age in seconds by our clock, and what is to be done with it.
struct FreshnessRow: Sendable, CustomTestStringConvertible {
    let headers: [String: String]
    let age: TimeInterval
    let expected: Freshness.Decision

    /// Every answer has a validator, so that `.fetch` is told from `.revalidate`.
    init(_ headers: [String: String], _ age: TimeInterval, _ expected: Freshness.Decision) {
        self.headers = headers.merging(["etag": "\"1\""]) { given, _ in given }
        self.age = age
        self.expected = expected
    }

    init(_ control: String, _ age: TimeInterval, _ expected: Freshness.Decision) {
        self.init(["cache-control": control], age, expected)
    }

    var testDescription: String { "\(headers) after \(age) s" }
}

@Suite
struct `The freshness of an answer` {
    @Test(arguments: [
        FreshnessRow("max-age=60", 0, .use), .init("max-age=60", 59.9, .use), .init("max-age=60", 60, .revalidate),
        .init("MAX-AGE = 60", 59, .use), .init("max-age=\"60\"", 59, .use), .init("public,max-age=60", 59, .use),
        .init("max-age=0", 0, .revalidate), .init("s-maxage=60", 0, .revalidate),
        // A number that makes no sense is none; one that is too large is a large one.
        .init("max-age", 0, .revalidate), .init("max-age=", 0, .revalidate), .init("max-age=-1", 0, .revalidate),
        .init("max-age=1.5", 0, .revalidate), .init("max-age=+9", 0, .revalidate), .init("max-age=٣", 0, .revalidate),
        .init("max-age=99999999999999999999999", 2_147_483_647, .use),
        .init("max-age=99999999999999999999999", 2_147_483_648, .revalidate),
        // Given twice, the smaller counts.
        .init("max-age=60, max-age=10", 30, .revalidate), .init("max-age=10, max-age=60", 30, .revalidate),
        .init("max-age=60, max-age=x", 0, .revalidate),
        // What stands in quotes is no directive.
        .init("extension=\"no-store, max-age=0\", max-age=60", 59, .use),
        .init("extension=\"\\\", no-store\", max-age=60", 59, .use), .init("extension=\"max-age=60", 0, .revalidate),
        .init(", ,;,max-age=60,,", 59, .use),
    ])
    func lastsForItsMaximumAge(row: FreshnessRow) { expect(row) }

    @Test(arguments: [
        FreshnessRow(["expires": At.hourAfter], 3599, .use), .init(["expires": At.hourAfter], 3600, .revalidate),
        .init(["expires": At.hourAfter, "date": At.minuteAfter], 3539, .use),
        .init(["expires": At.hourAfter, "date": At.minuteAfter], 3540, .revalidate),
        .init(["expires": At.minuteBefore], 0, .revalidate), .init(["expires": "0"], 0, .revalidate),
        .init(["expires": "-1"], 0, .revalidate), .init(["expires": ""], 0, .revalidate),
        .init(["expires": "\(At.hourAfter), \(At.hourAfter)"], 0, .revalidate),
        .init(["expires": At.hourAfter, "date": "yesterday"], 3599, .use),
        .init(["expires": At.minuteBefore, "cache-control": "max-age=60"], 59, .use),
        .init(["expires": At.hourAfter, "cache-control": "max-age=60"], 61, .revalidate),
        .init(["expires": At.hourAfter, "cache-control": "max-age=x"], 0, .revalidate),
        // An `Expires` in the past leaves no room for guessing.
        .init(["expires": "0", "last-modified": At.hundredDaysBefore], 0, .revalidate),
    ])
    func lastsUntilItsExpiry(row: FreshnessRow) { expect(row) }

    @Test(arguments: [
        FreshnessRow(["cache-control": "max-age=60", "age": "50"], 9, .use),
        .init(["cache-control": "max-age=60", "age": "50"], 10, .revalidate),
        .init(["cache-control": "max-age=60", "age": "50, 5"], 10, .revalidate),
        .init(["cache-control": "max-age=60", "age": "-50"], 59, .use),
        .init(["cache-control": "max-age=60", "age": "old"], 59, .use),
        .init(["cache-control": "max-age=60", "age": "99999999999999999999"], 0, .revalidate),
        .init(["cache-control": "max-age=90", "date": At.minuteBefore], 29, .use),
        .init(["cache-control": "max-age=90", "date": At.minuteBefore], 30, .revalidate),
        .init(["cache-control": "max-age=90", "date": At.minuteBefore, "age": "80"], 10, .revalidate),
        .init(["cache-control": "max-age=90", "date": At.minuteBefore, "age": "5"], 29, .use),
        // A server whose clock is ahead of ours.
        .init(["cache-control": "max-age=90", "date": At.hourAfter], 89, .use),
        // Our own clock was set back.
        .init("max-age=60", -59, .use), .init("max-age=60", -60, .revalidate),
        .init("max-age=60", .nan, .revalidate), .init("max-age=60", .infinity, .revalidate),
        .init("max-age=60, stale-while-revalidate=60", .nan, .revalidate),
    ])
    func countsTheAgeItCameWith(row: FreshnessRow) { expect(row) }

    @Test(arguments: [
        FreshnessRow(["last-modified": At.thousandSecondsBefore], 99, .use),
        .init(["last-modified": At.thousandSecondsBefore], 100, .revalidate),
        .init(["last-modified": At.thousandSecondsBefore, "cache-control": "public"], 99, .use),
        .init(["last-modified": At.thousandSecondsBefore, "cache-control": "max-age=10"], 10, .revalidate),
        .init(["last-modified": At.hundredDaysBefore], 86_399, .use),
        .init(["last-modified": At.hundredDaysBefore], 86_400, .revalidate),
        .init(["last-modified": At.hourAfter], 0, .revalidate), .init(["last-modified": "once"], 0, .revalidate),
        .init([:], 0, .revalidate),
    ])
    func isGuessedWhereNothingIsSaid(row: FreshnessRow) { expect(row) }

    @Test func isNotGuessedForAStatusThatDoesNotAllowIt() {
        let old = ["last-modified": At.hundredDaysBefore]
        #expect(freshness(old, status: 203).decision(for: [:], at: receipt) == .use)
        #expect(freshness(old, status: 202).decision(for: [:], at: receipt) == .revalidate)
    }

    @Test(arguments: [
        FreshnessRow("no-cache, max-age=60", 0, .revalidate), .init("no-cache=\"\", max-age=60", 0, .revalidate),
        .init("no-cache=\"set-cookie\", max-age=60", 59, .use),
        .init("no-cache=\"a, b\", no-cache, max-age=60", 0, .revalidate),
        .init("no-cache, max-age=60, stale-while-revalidate=60", 0, .revalidate),
        .init("no-store, max-age=60", 0, .fetch), .init("no-store, must-understand, max-age=60", 59, .use),
        .init("must-revalidate, max-age=60", 59, .use), .init("must-revalidate, max-age=60", 60, .revalidate),
        .init("immutable, max-age=60", 59, .use), .init("immutable, max-age=60", 60, .revalidate),
        .init("private, max-age=60", 59, .use), .init("proxy-revalidate, max-age=60", 59, .use),
    ])
    func followsItsDirectives(row: FreshnessRow) { expect(row) }

    @Test(arguments: [
        FreshnessRow("max-age=60, stale-while-revalidate=30", 59, .use),
        .init("max-age=60, stale-while-revalidate=30", 60, .useAndRevalidate),
        .init("max-age=60, stale-while-revalidate=30", 89, .useAndRevalidate),
        .init("max-age=60, stale-while-revalidate=30", 90, .revalidate),
        .init("max-age=60, stale-while-revalidate=x", 60, .revalidate),
        .init("max-age=60, stale-while-revalidate=30, must-revalidate", 60, .revalidate),
        .init("max-age=60, stale-if-error=30", 60, .revalidate),
        .init(["expires": At.minuteBefore, "cache-control": "stale-while-revalidate=30"], 0, .useAndRevalidate),
    ])
    func mayBeOverWhileItIsAskedFor(row: FreshnessRow) { expect(row) }

    @Test(
        arguments: [
            ("max-age=60", 59, true), ("max-age=60", 60, false), ("max-age=60, stale-if-error=30", 89, true),
            ("max-age=60, stale-if-error=30", 90, false), ("max-age=60, stale-if-error=30, must-revalidate", 60, false),
            ("max-age=60, stale-if-error=30, must-revalidate", 59, true), ("no-cache, stale-if-error=30", 0, false),
            ("max-age=60, stale-while-revalidate=30", 60, false), ("no-store, max-age=60", 0, false),
            ("max-age=60, stale-if-error=30", -.infinity, false), ("max-age=60, stale-if-error=30", .nan, false),
        ] as [(String, TimeInterval, Bool)])
    func maySubstituteAFailure(control: String, age: TimeInterval, expected: Bool) {
        let answer = freshness(["cache-control": control])
        #expect(answer.maySubstituteFailure(at: receipt + age) == expected)
    }

    @Test(arguments: [
        (200, "", true), (200, "no-store", false), (200, "no-store, must-understand", true), (404, "", true),
        (202, "", false), (202, "max-age=1", true), (202, "private", true), (206, "max-age=1", false),
        (304, "max-age=1", false), (103, "max-age=1", false), (302, "public", true), (500, "", false),
    ])
    func saysWhetherItMayBeKept(status: Int, control: String, expected: Bool) {
        #expect(freshness(["cache-control": control], status: status).isStorable == expected)
    }

    @Test func anExpiryMakesAnyStatusStorable() {
        #expect(freshness(["expires": At.hourAfter], status: 302).isStorable)
    }

    private func expect(_ row: FreshnessRow) {
        let decision = freshness(row.headers).decision(for: [:], at: receipt + row.age)
        #expect(decision == row.expected)
    }
}
