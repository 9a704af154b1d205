/// The identity of something cached: its full text, with a digest made once so that looking it up is cheap.
public struct CacheKey: Hashable, Sendable, CustomStringConvertible {
    /// What is cached, in full: two keys are equal when their texts are. They are compared by 128 bits of each, mixed with
    /// a seed that nobody outside this process knows: nobody can make up two texts that pass for one.
    public var text: String { names.text }
    /// What it was made from. All keys of one source (its sizes, edits and headers) can be found and removed together.
    /// Two keys are equal whatever their sources say.
    public var source: String { names.source }
    // Behind one reference: with two texts to move about in each key, a hit in memory took a quarter longer.
    private let names: Names
    package let digest: KeyDigest

    /// Whether the text is the source: the key of an original, under which the source's name alone finds it.
    package var isOwnSource: Bool { names.isOwnSource }

    private final class Names: Sendable {
        let isOwnSource: Bool
        let text: String
        let source: String

        init(text: String, source: String?) {
            isOwnSource = source == nil
            self.text = text
            self.source = source ?? text
        }
    }

    /// Makes the digest: one pass over the text. Without a `source` of its own, the text is the source.
    public init(_ text: String, source: String? = nil) {
        names = Names(text: text, source: source)
        digest = KeyDigest(of: text)
    }

    public static func == (left: CacheKey, right: CacheKey) -> Bool {
        left.digest == right.digest
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(digest.low) }

    public var description: String { text }
}

/// 128 bits of a text: two multiply-and-fold lanes over 8 bytes at a time, the inner loop of wyhash. Fast, seeded, and
/// not meant to be kept: keys on disk have a digest of their own.
package struct KeyDigest: Hashable, Sendable {
    package private(set) var low: UInt64
    package private(set) var high: UInt64

    private static let seed: (low: UInt64, high: UInt64) = (
        .random(in: 1 ... .max), .random(in: 1 ... .max)
    )

    package init(of text: String) {
        low = Self.seed.low
        high = Self.seed.high
        var text = text
        text.withUTF8 { bytes in
            unsafe mix(UnsafeRawBufferPointer(bytes))
        }
    }

    private mutating func mix(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + 8 <= bytes.count {
            fold(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        for index in offset..<bytes.count { rest = unsafe rest << 8 | UInt64(bytes[index]) }
        fold(rest)
        fold(UInt64(bytes.count))
    }

    private mutating func fold(_ word: UInt64) {
        let first = (low ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        let second = (high ^ word).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
        low = first.high ^ first.low
        high = second.high ^ second.low
    }
}
