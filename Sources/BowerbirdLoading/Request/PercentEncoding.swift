extension StringProtocol {
    /// The text with every valid `%HH` decoded, where that is UTF-8; else the text itself. (`removingPercentEncoding` is
    /// not in FoundationEssentials.)
    var percentDecoded: String {
        String(validating: utf8.percentDecoded(), as: UTF8.self) ?? String(self)
    }
}

extension Sequence<UInt8> {
    /// The bytes with each `%HH` as the byte it stands for. A `%` without two hexadecimal digits stands for itself.
    func percentDecoded() -> [UInt8] {
        let bytes = Array(self)
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let escaped = bytes.escapedByte(at: index)
            decoded.append(escaped ?? bytes[index])
            index += escaped == nil ? 1 : 3
        }
        return decoded
    }
}

extension [UInt8] {
    /// The byte that a `%HH` at `index` stands for; nil where there is none.
    func escapedByte(at index: Int) -> UInt8? {
        guard index + 2 < count, self[index] == UInt8(ascii: "%"), let high = self[index + 1].hexadecimalValue,
            let low = self[index + 2].hexadecimalValue
        else { return nil }
        return high << 4 | low
    }
}

extension UInt8 {
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
