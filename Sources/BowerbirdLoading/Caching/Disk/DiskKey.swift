import CCrypto

/// A cache key as the disk has it: the text, and a digest that is the same in every process.
///
/// The digest is the first 128 bits of SHA-256, so that nobody can make up two addresses with the same one; the text
/// is compared all the same.
struct DiskKey: Sendable {
    let text: String
    let digest: [UInt8]

    init(_ text: String) {
        self.text = text
        var whole = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        var text = text
        text.withUTF8 { utf8 in _ = unsafe SHA256(utf8.baseAddress, utf8.count, &whole) }
        digest = Array(whole.prefix(16))
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
