import FoundationEssentials

/// One way to sign a URL: which query items make it, and where it says when it ends.
struct URLSignature: Sendable {
    /// The URL is signed in this way when it has all of these.
    let marks: Set<String>
    /// Other items of the signature.
    var others: Set<String> = []
    /// All items whose names begin so are of the signature.
    var prefix: String?
    let ending: Ending

    enum Ending: Sendable {
        /// A time and the seconds from then on, in items of these names.
        case after(seconds: String, since: String)
        /// Seconds since 1970, in `Expires`.
        case expires
        /// In `Expires`, else in the policy that is encoded in the item of this name.
        case expiresOrPolicy(String)
    }

    static let amazon = URLSignature(
        marks: ["X-Amz-Signature"], prefix: "X-Amz-", ending: .after(seconds: "X-Amz-Expires", since: "X-Amz-Date"))

    static let olderAmazon = URLSignature(
        marks: ["AWSAccessKeyId", "Signature", "Expires"], others: ["x-amz-security-token"], ending: .expires)

    static let cloudFront = URLSignature(
        marks: ["Signature", "Key-Pair-Id"], others: ["Expires", "Policy", "Hash-Algorithm"],
        ending: .expiresOrPolicy("Policy"))

    static let google = URLSignature(
        marks: ["X-Goog-Signature"], prefix: "X-Goog-", ending: .after(seconds: "X-Goog-Expires", since: "X-Goog-Date"))

    static let olderGoogle = URLSignature(
        marks: ["GoogleAccessId", "Signature", "Expires"], ending: .expires)

    /// The URL without this signature; as it is where it has none.
    func removed(from url: String) -> String {
        let text = URLText(url)
        return isOn(text.items) ? text.removingItems(where: isPart) : url
    }

    private func isOn(_ items: [URLText.Item]) -> Bool { marks.isSubset(of: items.map(\.name)) }

    private func isPart(_ name: String) -> Bool {
        marks.contains(name) || others.contains(name) || prefix.map(name.hasPrefix) ?? false
    }

    func expiry(of url: String) -> Date? {
        let items = URLText(url).items
        guard isOn(items) else { return nil }
        let value = { (name: String) in items.first { $0.name == name }?.value }
        switch ending {
        case .after(let seconds, let start):
            guard let start = value(start).flatMap(Date.init(compact:)), let seconds = value(seconds),
                let seconds = HTTPField.seconds(seconds)
            else { return nil }
            return start + TimeInterval(seconds)
        case .expires: return value("Expires").flatMap(Date.init(epoch:))
        case .expiresOrPolicy(let policy):
            return value("Expires").flatMap(Date.init(epoch:)) ?? value(policy).flatMap(Date.init(policy:))
        }
    }
}

extension Date {
    /// `20130524T000000Z`.
    fileprivate init?(compact text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else { return nil }
        let number = { (range: Range<Int>) in
            HTTPField.number(Substring(decoding: bytes[range], as: UTF8.self), digits: 2...4)
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8), let hour = number(9..<11),
            let minute = number(11..<13), let second = number(13..<15), hour < 24, minute < 60, second < 60
        else { return nil }
        self.init(year: year, month: month, day: day, secondOfDay: hour * 3600 + minute * 60 + second)
    }

    /// Seconds since 1970, of digits alone. Eleven of them reach beyond the year 5000.
    fileprivate init?(epoch text: String) {
        guard let seconds = HTTPField.number(text[...], digits: 1...11) else { return nil }
        self.init(timeIntervalSince1970: TimeInterval(seconds))
    }

    /// The earliest end in a policy of CloudFront: JSON in base64 with `-_~` in place of `+=/`.
    fileprivate init?(policy text: String) {
        let base64 = String(text.map { ["-": "+", "_": "=", "~": "/"][$0] ?? $0 })
        guard let json = Data(base64Encoded: base64), let policy = try? JSONDecoder().decode(Policy.self, from: json),
            let end = policy.statements.compactMap(\.condition.end?.seconds).min()
        else { return nil }
        self.init(timeIntervalSince1970: TimeInterval(end))
    }
}

/// The part of a CloudFront policy that says when it ends.
private struct Policy: Decodable {
    let statements: [Statement]
    enum CodingKeys: String, CodingKey { case statements = "Statement" }

    struct Statement: Decodable {
        let condition: Condition
        enum CodingKeys: String, CodingKey { case condition = "Condition" }
    }

    struct Condition: Decodable {
        let end: Time?
        enum CodingKeys: String, CodingKey { case end = "DateLessThan" }
    }

    struct Time: Decodable {
        let seconds: Int
        enum CodingKeys: String, CodingKey { case seconds = "AWS:EpochTime" }
    }
}
