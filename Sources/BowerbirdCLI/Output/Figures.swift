/// Byte counts and durations as people read them.
enum Figures {
    /// In decimal units, three digits at most: `999 bytes`, `1.2 kB`, `34 MB`.
    static func bytes(_ count: Int) -> String {
        guard count >= 1000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
        var value = Double(count) / 1000
        var units = ["kB", "MB", "GB", "TB"][...]
        while value >= 999.5, units.count > 1 {
            value /= 1000
            units.removeFirst()
        }
        return "\(value < 9.95 ? tenths(value) : String(Int(value.rounded()))) \(units.first ?? "")"
    }

    /// Whole, with commas: `3,214,555`.
    static func grouped(_ count: Int) -> String {
        var digits = String(count)[...]
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits = digits.dropLast(3)
        }
        return ([digits] + groups).joined(separator: ",")
    }

    static func milliseconds(_ duration: Duration) -> Int { Int((duration / .milliseconds(1)).rounded()) }

    /// In milliseconds, to the microsecond.
    static func exactMilliseconds(_ duration: Duration) -> Double { rounded(duration / .milliseconds(1)) }

    /// In seconds, to the millisecond: `2.4 s`.
    static func seconds(_ duration: Duration) -> String { "\(decimal(duration / .seconds(1))) s" }

    /// How long ago, in the largest unit that fits: `5 s`, `3 min`, `2 h`, `4 d`.
    static func age(_ seconds: Double) -> String {
        let seconds = seconds.isFinite ? max(0, min(seconds, 1e12)) : 0
        switch seconds {
        case ..<60: return "\(Int(seconds)) s"
        case ..<3600: return "\(Int(seconds / 60)) min"
        case ..<86_400: return "\(Int(seconds / 3600)) h"
        default: return "\(Int(seconds / 86_400)) d"
        }
    }

    /// Three decimals at most, none for a whole number.
    static func decimal(_ value: Double) -> String {
        let value = rounded(value)
        return Int(exactly: value).map(String.init) ?? "\(value)"
    }

    /// `1 frame`, `12 frames`.
    static func count(_ count: Int, _ noun: String) -> String { "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")" }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
