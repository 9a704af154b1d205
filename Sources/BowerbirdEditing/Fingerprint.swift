/// A number that tells contents apart in cache keys: the same on every machine and in every run. It is not meant to
/// withstand somebody who looks for two contents with the same number.
struct Fingerprint: Hashable, Sendable {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Each step can be undone, so contents that differ in one word never have the same number.
    mutating func add(_ word: UInt64) {
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 32
    }

    mutating func add(_ bytes: borrowing RawSpan) {
        add(UInt64(bytes.byteCount))
        for offset in stride(from: 0, to: bytes.byteCount - 7, by: 8) {
            // Eight bytes from here on are in the span; every pattern of bits is a number.
            add(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        for offset in bytes.byteCount / 8 * 8..<bytes.byteCount {
            add(UInt64(unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)))
        }
    }

    var inCacheKey: String { String(state, radix: 16) }
}
