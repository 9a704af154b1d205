import BowerbirdCore

/// EXIF data as what they are: a TIFF header and directories of numbered entries. The bytes are untrusted; what makes no
/// sense is as if it were not there. No directory is followed further than from the first to those that it names, so
/// that none can lead in circles.
struct ExifData {
    let bytes: [UInt8]
    /// Where the TIFF header is, from which offsets count.
    let start: Int
    let order: ByteOrder

    /// With or without `Exif` before the header; nil for what is no TIFF header.
    init?(_ bytes: RawSpan) {
        let start = bytes.matches("Exif\0\0") ? 6 : 0
        guard let order = ByteOrder(of: bytes, at: start) else { return nil }
        self.start = start
        self.order = order
        self.bytes = bytes.withUnsafeBytes { Array($0) }
    }

    /// The directory that describes the picture.
    var main: ExifDirectory? { directory(at: read32(start + 4)) }
    /// The one behind it, that describes the small picture.
    var thumbnail: ExifDirectory? { main.flatMap { directory(at: $0.next) } }
    /// The one of the photograph.
    var photograph: ExifDirectory? { main?.number(.photograph).flatMap { directory(at: UInt32(exactly: $0)) } }
    /// The one of the place.
    var place: ExifDirectory? { main?.number(.place).flatMap { directory(at: UInt32(exactly: $0)) } }

    private func directory(at offset: UInt32?) -> ExifDirectory? {
        guard let offset, offset > 0 else { return nil }
        return ExifDirectory(self, at: start + Int(offset))
    }

    func read16(_ offset: Int) -> UInt16? { order.read16(bytes.span.bytes, at: offset) }
    func read32(_ offset: Int) -> UInt32? { order.read32(bytes.span.bytes, at: offset) }
}

/// One directory: entries of twelve bytes, and the offset of the next.
struct ExifDirectory {
    static let entrySize = 12

    private let data: ExifData
    /// Where its entries begin, and how many lie inside the data.
    let start: Int
    let count: Int

    init?(_ data: ExifData, at offset: Int) {
        guard let claimed = data.read16(offset) else { return nil }
        self.data = data
        start = offset + 2
        count = min(Int(claimed), max(0, data.bytes.count - start) / Self.entrySize)
    }

    /// The offset of the next directory, from the TIFF header.
    var next: UInt32? { data.read32(start + count * Self.entrySize) }

    /// Where the first entry of a tag is.
    func entry(_ tag: ExifTag) -> Int? {
        for index in 0..<count where data.read16(start + index * Self.entrySize) == tag.rawValue {
            return start + index * Self.entrySize
        }
        return nil
    }

    /// The numbers of an entry, at most `limit` of them, as far as they lie inside the data.
    func numbers(_ tag: ExifTag, atMost limit: Int = 8) -> [Double] {
        guard let value = value(tag) else { return [] }
        return (0..<min(limit, value.count)).compactMap { index in
            number(value.kind, at: value.offset + index * value.kind.size)
        }
    }

    /// The first number, where it is whole and not negative.
    func number(_ tag: ExifTag) -> Int? {
        guard let number = numbers(tag, atMost: 1).first, number >= 0 else { return nil }
        return Int(exactly: number)
    }

    /// The first number, where it is more than nothing.
    func positive(_ tag: ExifTag) -> Double? { numbers(tag, atMost: 1).first.flatMap { $0 > 0 ? $0 : nil } }

    /// The text of an entry without the white space around it, as far as 64 KB; nil for an empty one.
    func text(_ tag: ExifTag) -> String? {
        guard let value = value(tag), value.kind.size == 1 else { return nil }
        let bytes = data.bytes[value.offset..<value.offset + min(value.count, 1 << 16)]
        // A copyright has two parts, by the photographer and by the editor, and the first may be a space.
        let parts = bytes.split(separator: 0).compactMap { Self.trimmedText($0) }
        return parts.first
    }

    /// UTF-8, as EXIF 3 allows and many wrote before; else Latin 1, which all bytes are.
    private static func trimmedText(_ bytes: ArraySlice<UInt8>) -> String? {
        let latin = { String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })) }
        let text = String(validating: bytes, as: UTF8.self) ?? latin()
        let visible = text.drop(while: \.isWhitespace)
        guard let last = visible.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(visible[...last])
    }

    private func value(_ tag: ExifTag) -> (kind: ExifKind, offset: Int, count: Int)? {
        guard let entry = entry(tag), let kind = data.read16(entry + 2).flatMap(ExifKind.init) else { return nil }
        guard let count = data.read32(entry + 4).map(Int.init), let offset = data.read32(entry + 8) else { return nil }
        let size = count * kind.size
        let place = size <= 4 ? entry + 8 : data.start + Int(offset)
        guard count > 0, place + size <= data.bytes.count else { return nil }
        return (kind, place, count)
    }

    private func number(_ kind: ExifKind, at offset: Int) -> Double? {
        switch kind {
        case .ascii, .utf8: nil
        case .byte, .undefined: Double(data.bytes[offset])
        case .signedByte: Double(Int8(bitPattern: data.bytes[offset]))
        case .short: data.read16(offset).map(Double.init)
        case .signedShort: data.read16(offset).map { Double(Int16(bitPattern: $0)) }
        case .long: data.read32(offset).map(Double.init)
        case .signedLong: data.read32(offset).map { Double(Int32(bitPattern: $0)) }
        case .rational: ratio(data.read32(offset).map(Double.init), data.read32(offset + 4).map(Double.init))
        case .signedRational:
            ratio(
                data.read32(offset).map { Double(Int32(bitPattern: $0)) },
                data.read32(offset + 4).map { Double(Int32(bitPattern: $0)) })
        }
    }

    private func ratio(_ numerator: Double?, _ denominator: Double?) -> Double? {
        guard let numerator, let denominator, denominator != 0 else { return nil }
        return numerator / denominator
    }
}

/// What an entry is made of.
enum ExifKind: UInt16 {
    case byte = 1, ascii, short, long, rational, signedByte, undefined, signedShort, signedLong, signedRational
    case utf8 = 129

    /// Bytes of one value.
    var size: Int {
        switch self {
        case .byte, .ascii, .signedByte, .undefined, .utf8: 1
        case .short, .signedShort: 2
        case .long, .signedLong: 4
        case .rational, .signedRational: 8
        }
    }
}

/// The tags that are looked at.
enum ExifTag: UInt16 {
    case imageDescription = 0x010E
    case make = 0x010F
    case model = 0x0110
    case orientation = 0x0112
    case horizontalResolution = 0x011A
    case verticalResolution = 0x011B
    case resolutionUnit = 0x0128
    case software = 0x0131
    case dateTime = 0x0132
    case artist = 0x013B
    case thumbnailOffset = 0x0201
    case thumbnailLength = 0x0202
    case copyright = 0x8298
    case exposureTime = 0x829A
    case fNumber = 0x829D
    case photograph = 0x8769
    case sensitivity = 0x8827
    case place = 0x8825
    case dateTimeOriginal = 0x9003
    case offsetTime = 0x9010
    case offsetTimeOriginal = 0x9011
    case focalLength = 0x920A
    case lensModel = 0xA434
    // Numbers of the directory of the place.
    case latitudeReference = 1
    case latitude = 2
    case longitudeReference = 3
    case longitude = 4
    case altitudeReference = 5
    case altitude = 6
}

/// The byte order that a TIFF header declares.
enum ByteOrder {
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

    func bytes(_ value: UInt16) -> [UInt8] {
        let bytes = [UInt8(value >> 8), UInt8(value & 0xFF)]
        return self == .big ? bytes : bytes.reversed()
    }

    func bytes(_ value: UInt32) -> [UInt8] {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
        return self == .big ? bytes : bytes.reversed()
    }
}
