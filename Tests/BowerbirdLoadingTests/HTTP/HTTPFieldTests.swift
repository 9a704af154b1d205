import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdLoading

@Suite
struct `The value of a header field` {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("sun, 6 nov 1994 08:49:37 gmt", 784_111_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
        ("Friday, 31-Dec-99 23:59:60 GMT", 946_684_799), ("Monday, 01-Jan-24 00:00:00 GMT", 1_704_067_200),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ])
    func isReadAsADateInEachForm(text: String, expected: TimeInterval) {
        #expect(HTTPField.date(text)?.timeIntervalSince1970 == expected)
    }

    @Test(arguments: [
        "", "0", "-1", "now", "06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 PST",
        "Sun, 06 Nov 1994 08:49:37 +0100", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Wed, 29 Feb 2023 00:00:00 GMT", "Mon, 29 Feb 1900 00:00:00 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 06 Nov 994 08:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 1994 08:49:37:00 GMT", "Sun, 006 Nov 1994 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun,,,,", "::::",
    ])
    func isNoDateWhereItIsNotWellFormed(text: String) {
        #expect(HTTPField.date(text) == nil)
    }

    /// Every day of two centuries, against the calendar of the system.
    @Test func hasTheDaysOfTheCalendar() throws {
        var days = 0
        for year in 1900..<2101 {
            for month in 1...12 {
                for day in 1...31 {
                    guard let date = Date(year: year, month: month, day: day, secondOfDay: 0) else { continue }
                    #expect(date.timeIntervalSince1970 == TimeInterval(days - 25_567) * 86_400)
                    days += 1
                }
            }
        }
        #expect(days == 73_414)
        #expect(Date(year: 2000, month: 13, day: 1, secondOfDay: 0) == nil)
        #expect(Date(year: 2000, month: 0, day: 1, secondOfDay: 0) == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("007", 7), ("2147483647", 2_147_483_647), ("2147483649", 1 << 31),
            ("99999999999999999999", 1 << 31), ("", nil), ("-1", nil), ("+1", nil), ("1 ", nil), ("1.0", nil),
            ("١", nil),
        ] as [(String, Int?)])
    func isReadAsSeconds(text: String, expected: Int?) {
        #expect(HTTPField.seconds(text) == expected)
    }

    @Test(arguments: [
        ("", []), (" , ,\t,", []), ("a", ["a"]), (" a\t, b c ,d", ["a", "b c", "d"]),
        ("a=\"1,2\",b", ["a=\"1,2\"", "b"]), ("a=\"1\\\",2\",b", ["a=\"1\\\",2\"", "b"]),
        ("a=\"1\\\\\",b", ["a=\"1\\\\\"", "b"]), ("a=\"1,b", ["a=\"1,b"]), ("a\\,b", ["a\\", "b"]),
    ])
    func isReadAsAList(text: String, expected: [Substring]) {
        #expect(HTTPField.members(of: text) == expected)
    }

    @Test func mayBeAnything() {
        var random = SeededRandom(seed: 7)
        let alphabet = Array("Sun, 06Nov:GMT-\"\\=\u{0}é\n*9")
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? " " })
            _ = HTTPField.date(text)
            let answer = freshness([
                "cache-control": text, "expires": text, "age": text, "vary": text, "date": text, "etag": text,
            ])
            let kept = FreshnessRecord(answer).freshness
            #expect(kept.decision(for: [:], at: receipt) == answer.decision(for: [:], at: receipt))
        }
    }
}
