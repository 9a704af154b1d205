import BowerbirdLoading
import FoundationEssentials

/// When the answers of these tests came: `Sun, 06 Nov 1994 08:49:37 GMT`.
let receipt = Date(timeIntervalSince1970: 784_111_777)

/// Times of `Date`, `Expires` and `Last-Modified`, by their distance from `receipt`.
enum At {
    static let hundredDaysBefore = "Fri, 29 Jul 1994 08:49:37 GMT"
    static let thousandSecondsBefore = "Sun, 06 Nov 1994 08:32:57 GMT"
    static let minuteBefore = "Sun, 06 Nov 1994 08:48:37 GMT"
    static let receipt = "Sun, 06 Nov 1994 08:49:37 GMT"
    static let minuteAfter = "Sun, 06 Nov 1994 08:50:37 GMT"
    static let hourAfter = "Sun, 06 Nov 1994 09:49:37 GMT"
}

func freshness(
    _ headers: [String: String], status: Int = 200, askedWith requestHeaders: [String: String] = [:]
) -> Freshness {
    Freshness(status: status, headers: headers, requestHeaders: requestHeaders, receivedAt: receipt)
}
