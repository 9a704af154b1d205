import FoundationEssentials

/// Reads the values of header fields. None of it trusts the sender: what is not well formed is nil.
enum HTTPField {
    /// The members of a list, trimmed, without empty ones. A comma in a quoted string does not part them.
    static func members(of list: String) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        let parts = list.utf8.split { byte in
            let isQuote = byte == UInt8(ascii: "\"") && !isEscaped
            isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
            if isQuote { isQuoted.toggle() }
            return byte == UInt8(ascii: ",") && !isQuoted
        }
        return parts.map { trimmed(Substring($0)) }.filter { !$0.isEmpty }
    }

    static func trimmed(_ text: Substring) -> Substring {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let head = text.utf8.drop(while: isSpace)
        guard let last = head.lastIndex(where: { !isSpace($0) }) else { return "" }
        return Substring(head[...last])
    }

    /// Whether it can be the name of a header field: RFC 9110, section 5.6.2.
    static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !delimiters.contains($0) }
    }

    private static let delimiters = Set("\"(),/:;<=>?@[\\]{}".utf8)

    /// The greatest number of seconds that RFC 9111 has a recipient know; it stands for all that are greater.
    static let maximumSeconds = 1 << 31

    /// A whole number of seconds, of digits alone.
    static func seconds(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
        return min(Int(text) ?? .max, maximumSeconds)
    }

    fileprivate static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

// MARK: Dates

extension HTTPField {
    /// The three forms that RFC 9110 knows: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
    /// `Sun Nov  6 08:49:37 1994`.
    static func date(_ text: String) -> Date? {
        var words = text.split { " ,-".contains($0) }
        guard let weekday = words.first, weekdays.contains(weekday.prefix(3).lowercased()) else { return nil }
        words.removeFirst()
        if words.last?.uppercased() == "GMT" { words.removeLast() }
        guard words.count == 4 else { return nil }
        let isMonthFirst = month(words[0]) != nil
        if isMonthFirst { words = [words[1], words[0], words[3], words[2]] }
        guard let day = number(words[0], digits: 1...2), let month = month(words[1]), let year = year(words[2]),
            let time = time(words[3])
        else { return nil }
        return Date(year: year, month: month, day: day, secondOfDay: time)
    }

    private static let weekdays: Set = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func month(_ word: Substring) -> Int? { months.firstIndex(of: word.lowercased()).map { $0 + 1 } }

    /// Two digits are a year from 1970 to 2069.
    private static func year(_ word: Substring) -> Int? {
        guard let year = number(word, digits: 2...4), word.utf8.count != 3 else { return nil }
        return word.utf8.count == 4 ? year : year < 70 ? 2000 + year : 1900 + year
    }

    /// The second of the day; a leap second is the one before it.
    private static func time(_ word: Substring) -> Int? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2...2) }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2], hour < 24,
            minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + min(second, 59)
    }

    static func number(_ word: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(word.utf8.count), word.utf8.allSatisfy(isDigit) else { return nil }
        return Int(word)
    }
}

extension Date {
    /// A day of the Gregorian calendar in UTC; nil where the calendar has no such day.
    init?(year: Int, month: Int, day: Int, secondOfDay: Int) {
        guard (1...12).contains(month), (1...Self.length(ofMonth: month, in: year)).contains(day) else { return nil }
        // Counted in years that begin in March, so that the leap day is the last of its year.
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let days = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
        self.init(timeIntervalSince1970: TimeInterval(days * 86_400 + secondOfDay))
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
