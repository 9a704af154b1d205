import CCrypto

/// A cache key as the disk has it: the text, and a digest that is the same in every process.
///
/// The digest is the first 128 bits of SHA-256, so that nobody can make up two addresses with the same one; the text
/// is compared all the same.
struct DiskKey: Sendable {
    let text: String
    /// 16 bytes, in memory as they are on the disk.
    private let bits: (UInt64, UInt64)

    init(_ text: String) {
        self.text = text
        var whole = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        var text = text
        unsafe withUnsafeMutableBytes(of: &whole) { whole in
            text.withUTF8 { utf8 in
                unsafe bowerbird_sha256(utf8.baseAddress, utf8.count, whole.baseAddress)
            }
        }
        bits = (whole.0, whole.1)
    }

    var digest: [UInt8] { unsafe withUnsafeBytes(of: bits) { unsafe Array($0) } }

    /// 64 bits of the digest.
    var prefix: Int64 { Int64(bitPattern: bits.0.bigEndian) }

    /// The digest and the text, as bytes that must not leave the closure.
    func withBytes<R>(_ body: (_ digest: UnsafeRawBufferPointer, _ text: UnsafeBufferPointer<UInt8>) -> R) -> R {
        var text = text
        return unsafe withUnsafeBytes(of: bits) { digest in
            text.withUTF8 { unsafe body(digest, $0) }
        }
    }

    /// The digest as text.
    var hexadecimal: String { Self.hexadecimal(digest) }

    /// Two digits a byte.
    static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
        unsafe String(unsafeUninitializedCapacity: bytes.count * 2) { digits in
            var count = 0
            for byte in bytes {
                unsafe digits[count] = digit(byte >> 4)
                unsafe digits[count + 1] = digit(byte & 0xF)
                count += 2
            }
            return count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + UInt8(ascii: "0") : value + 87 }
}
