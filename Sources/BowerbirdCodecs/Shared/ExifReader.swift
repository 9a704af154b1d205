import BowerbirdCore

/// Reads what decoding needs of EXIF data: the orientation. The bytes are untrusted; what makes no sense is as if it
/// were not there.
struct ExifReader {
    private static let orientationTag: UInt16 = 0x0112
    private static let entrySize = 12

    /// The orientation in `bytes`, which are a TIFF header and its directories, with or without `Exif` before them.
    static func orientation(in bytes: RawSpan) -> Orientation? {
        let start = bytes.matches("Exif\0\0") ? 6 : 0
        guard let order = ByteOrder(of: bytes, at: start) else { return nil }
        guard let offset = order.read32(bytes, at: start + 4) else { return nil }
        return orientation(inDirectoryAt: start + Int(offset), from: bytes, order)
    }

    private static func orientation(
        inDirectoryAt directory: Int, from bytes: RawSpan, _ order: ByteOrder
    ) -> Orientation? {
        guard let count = order.read16(bytes, at: directory) else { return nil }
        for index in 0..<Int(count) {
            let entry = directory + 2 + index * entrySize
            guard let tag = order.read16(bytes, at: entry) else { return nil }
            if tag == orientationTag { return orientation(ofEntryAt: entry, from: bytes, order) }
        }
        return nil
    }

    /// The tag is a 16-bit number by the standard; some writers make it one of 32 bits.
    private static func orientation(ofEntryAt entry: Int, from bytes: RawSpan, _ order: ByteOrder) -> Orientation? {
        guard let type = order.read16(bytes, at: entry + 2) else { return nil }
        let value: UInt32? =
            switch type {
            case 3: order.read16(bytes, at: entry + 8).map(UInt32.init)
            case 4: order.read32(bytes, at: entry + 8)
            default: nil
            }
        return value.flatMap(UInt8.init(exactly:)).flatMap(Orientation.init)
    }
}

/// The byte order that a TIFF header declares.
private enum ByteOrder {
    case big, little

    init?(of bytes: RawSpan, at offset: Int) {
        if bytes.matches([0x4D, 0x4D, 0, 0x2A], at: offset) {
            self = .big
        } else if bytes.matches([0x49, 0x49, 0x2A, 0], at: offset) {
            self = .little
        } else {
            return nil
        }
    }

    func read16(_ bytes: RawSpan, at offset: Int) -> UInt16? {
        self == .big ? bytes.bigEndian16(at: offset) : bytes.littleEndian16(at: offset)
    }

    func read32(_ bytes: RawSpan, at offset: Int) -> UInt32? {
        self == .big ? bytes.bigEndian32(at: offset) : bytes.littleEndian32(at: offset)
    }
}
