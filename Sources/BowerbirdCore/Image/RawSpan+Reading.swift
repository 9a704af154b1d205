extension RawSpan {
    /// The byte at `offset`, or nil beyond the end: what a parser of untrusted bytes wants.
    package func byte(at offset: Int) -> UInt8? {
        guard offset >= 0, offset < byteCount else { return nil }
        return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    package func bigEndian16(at offset: Int) -> UInt16? {
        guard let high = byte(at: offset), let low = byte(at: offset + 1) else { return nil }
        return UInt16(high) << 8 | UInt16(low)
    }

    package func bigEndian32(at offset: Int) -> UInt32? {
        guard let high = bigEndian16(at: offset), let low = bigEndian16(at: offset + 2) else { return nil }
        return UInt32(high) << 16 | UInt32(low)
    }

    package func littleEndian16(at offset: Int) -> UInt16? { bigEndian16(at: offset)?.byteSwapped }
    package func littleEndian32(at offset: Int) -> UInt32? { bigEndian32(at: offset)?.byteSwapped }

    /// Whether the bytes from `offset` are `pattern`.
    package func matches(_ pattern: [UInt8], at offset: Int = 0) -> Bool {
        guard offset >= 0, pattern.count <= byteCount - offset else { return false }
        for index in pattern.indices where byte(at: offset + index) != pattern[index] { return false }
        return true
    }

    /// Whether the bytes from `offset` are the ASCII characters of `text`.
    package func matches(_ text: StaticString, at offset: Int = 0) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, length <= byteCount - offset else { return false }
        for index in 0..<length where unsafe byte(at: offset + index) != text.utf8Start[index] { return false }
        return true
    }
}
