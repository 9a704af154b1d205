import BowerbirdCore

/// Numbers that a header must have, with the least significant byte first; `.truncated` where the bytes end before.
extension RawSpan {
    func required8(at offset: Int) throws(DecodingError) -> Int {
        guard let value = byte(at: offset) else { throw .truncated(atByte: byteCount) }
        return Int(value)
    }

    func required16(at offset: Int) throws(DecodingError) -> Int {
        guard let value = littleEndian16(at: offset) else { throw .truncated(atByte: byteCount) }
        return Int(value)
    }

    func required32(at offset: Int) throws(DecodingError) -> Int {
        guard let value = littleEndian32(at: offset) else { throw .truncated(atByte: byteCount) }
        return Int(value)
    }

    func requiredSigned32(at offset: Int) throws(DecodingError) -> Int {
        guard let value = littleEndian32(at: offset) else { throw .truncated(atByte: byteCount) }
        return Int(Int32(bitPattern: value))
    }
}
