public import FoundationEssentials

/// Which parts of a URL do not belong to the identity of its picture: signatures that are renewed, marks of campaigns.
///
///     KeyRule.amazonS3.key(for: "https://b.s3.amazonaws.com/a.jpg?versionId=3&X-Amz-Signature=ab…&X-Amz-Date=…")
///     // https://b.s3.amazonaws.com/a.jpg?versionId=3
///
/// Whoever has a URL with an old signature, or with a wrong one, then gets the picture that a good one brought into the
/// cache. A URL to which a rule does not apply stays as it is, byte for byte.
public struct KeyRule: Sendable {
    /// For logs.
    public let name: String
    private let makeKey: @Sendable (String) -> String
    private let findExpiry: @Sendable (String) -> Date?

    /// What stands for `url` in a key.
    public func key(for url: String) -> String { makeKey(url) }

    /// When the signature of `url` ends, where it says so in a way that this rule knows.
    public func expiry(of url: String) -> Date? { findExpiry(url) }

    /// A rule of your own. Both closures are called on any thread, often, and must always give the same for the same URL.
    public static func custom(
        _ name: String, key: @escaping @Sendable (String) -> String,
        expiry: @escaping @Sendable (String) -> Date? = { _ in nil }
    ) -> KeyRule {
        KeyRule(name: name, makeKey: key, findExpiry: expiry)
    }

    /// Leaves out query items by their names, which are compared with regard to case, after percent-decoding. The others
    /// keep their order and encoding.
    public static func ignoringQueryItems(_ names: Set<String>) -> KeyRule {
        custom("without \(names.sorted().joined(separator: ", "))") { url in
            URLText(url).removingItems { names.contains($0) }
        }
    }

    /// URLs that Amazon S3 signed, with `X-Amz-…` items or the older `AWSAccessKeyId`, `Signature` and `Expires`. The
    /// version of an object stays.
    public static let amazonS3 = signed("Amazon S3", by: [.amazon, .olderAmazon])

    /// URLs that CloudFront signed.
    public static let cloudFront = signed("CloudFront", by: [.cloudFront])

    /// URLs that Google Cloud Storage signed, with `X-Goog-…` items or the older `GoogleAccessId`, `Signature` and
    /// `Expires`. The generation of an object stays.
    public static let googleCloudStorage = signed("Google Cloud Storage", by: [.google, .olderGoogle])

    /// All rules for signed URLs.
    public static let signedURLs: [KeyRule] = [.amazonS3, .cloudFront, .googleCloudStorage]

    private static func signed(_ name: String, by signatures: [URLSignature]) -> KeyRule {
        custom(
            name, key: { url in signatures.reduce(url) { url, signature in signature.removed(from: url) } },
            expiry: { url in signatures.lazy.compactMap { $0.expiry(of: url) }.first })
    }
}

extension Sequence<KeyRule> {
    /// What stands for `url` in a key when all rules are followed, one after the other.
    public func key(for url: String) -> String { reduce(url) { $1.key(for: $0) } }

    /// The first expiry that a rule finds.
    public func expiry(of url: String) -> Date? { lazy.compactMap { $0.expiry(of: url) }.first }
}
