public import FoundationEssentials

/// Makes a correct URL of what people and servers write: `http://host/东方不败.jpg`, spaces, half-encoded mixtures.
///
/// Everything that RFC 3986 does not allow is percent-encoded as UTF-8, every valid `%HH` is left alone, so that
/// normalising twice changes nothing. (`URL(string:)` encodes all of a component or none of it, and so encodes a mixed
/// one twice.)
public enum URLNormalizer {
    /// The normalised text. White space around it is dropped; nothing else is taken away.
    public static func normalize(_ text: String) -> String {
        let bytes = Array(text.trimmingWhitespace.utf8)
        let authority = authorityRange(in: bytes)
        let fragment = bytes.firstIndex(of: UInt8(ascii: "#"))
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 32)
        for (index, byte) in bytes.enumerated() {
            if index == fragment || isAllowed(byte, at: index, in: bytes, authority: authority) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The URL that `text` means, or nil where it has no scheme or is no URL even so.
    public static func url(_ text: String) -> URL? {
        guard let url = URL(string: normalize(text), encodingInvalidCharacters: false) else { return nil }
        return url.scheme == nil ? nil : url
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    /// RFC 3986, section 2: unreserved, then general and other delimiters but for the brackets and the number sign,
    /// which is allowed once.
    private static let allowed: Set<UInt8> = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?@!$&'()*+,;=".utf8)

    private static func isAllowed(_ byte: UInt8, at index: Int, in bytes: [UInt8], authority: Range<Int>) -> Bool {
        switch byte {
        case UInt8(ascii: "%"): bytes.escapedByte(at: index) != nil
        // Brackets are legal only around an IPv6 host.
        case UInt8(ascii: "["), UInt8(ascii: "]"): authority.contains(index)
        default: allowed.contains(byte)
        }
    }

    /// What stands between `//` and the next `/`, `?` or `#`.
    private static func authorityRange(in bytes: [UInt8]) -> Range<Int> {
        let slash = UInt8(ascii: "/")
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 2 < bytes.count,
            bytes[colon + 1] == slash, bytes[colon + 2] == slash
        else { return 0..<0 }
        let start = colon + 3
        let end = bytes[start...].firstIndex { $0 == slash || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        return start..<(end ?? bytes.count)
    }
}

extension String {
    /// Only what keyboards and copying add by accident. U+3000, the full-width space, can be part of a file's name and
    /// stays.
    var trimmingWhitespace: Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        let head = drop(while: isSpace)
        guard let last = head.lastIndex(where: { !isSpace($0) }) else { return "" }
        return head[...last]
    }
}
