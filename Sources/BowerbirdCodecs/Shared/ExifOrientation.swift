import BowerbirdCore

/// Writes the orientation into EXIF data, for files with pixels that are to be turned, or no longer are.
enum ExifOrientation {
    private static let entrySize = 12

    /// The data with this orientation; made where there are none, unless the picture is upright. Data that are no EXIF
    /// data stay as they are.
    static func set(_ orientation: Orientation, in exif: [UInt8]?) -> [UInt8]? {
        guard let exif, !exif.isEmpty else { return orientation == .topLeft ? nil : make(orientation) }
        var writer = ExifWriter(exif)
        return writer?.set(UInt16(orientation.rawValue)) ?? exif
    }

    /// A header and a directory with nothing else.
    private static func make(_ orientation: Orientation) -> [UInt8] {
        [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation.rawValue]
            + [0, 0, 0, 0, 0, 0]
    }
}

/// EXIF data whose first directory is being changed.
private struct ExifWriter {
    private var bytes: [UInt8]
    private let isBigEndian: Bool
    private let directory: Int
    private let count: Int

    private static let entrySize = 12
    private static let orientationTag = 0x0112

    /// Nil for data without a sound first directory.
    init?(_ bytes: [UInt8]) {
        let span = bytes.span.bytes
        isBigEndian = span.matches([0x4D, 0x4D, 0, 0x2A])
        guard isBigEndian || span.matches([0x49, 0x49, 0x2A, 0]) else { return nil }
        let offset = isBigEndian ? span.bigEndian32(at: 4) : span.littleEndian32(at: 4)
        guard let offset else { return nil }
        let count = isBigEndian ? span.bigEndian16(at: Int(offset)) : span.littleEndian16(at: Int(offset))
        guard let count, Int(offset) + 2 + Int(count) * Self.entrySize + 4 <= bytes.count else { return nil }
        self.bytes = bytes
        directory = Int(offset)
        self.count = Int(count)
    }

    /// In place where there is one; else in a copy of the directory behind everything, so that no offset changes.
    mutating func set(_ orientation: UInt16) -> [UInt8]? {
        let entry = number16(Self.orientationTag) + number16(3) + number32(1) + number16(Int(orientation)) + [0, 0]
        if let index = (0..<count).first(where: { tag(ofEntry: $0) == Self.orientationTag }) {
            bytes.replaceSubrange(range(ofEntry: index), with: entry)
            return bytes
        }
        guard orientation != 1 else { return bytes }
        let position = (0..<count).first { tag(ofEntry: $0) > Self.orientationTag } ?? count
        let entries = (0..<count).map { Array(bytes[range(ofEntry: $0)]) }
        let next = Array(bytes[range(ofEntry: count).lowerBound...].prefix(4))
        if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
        let offset = bytes.count
        guard count < 0xFFFF, offset <= Int32.max else { return nil }
        bytes += number16(count + 1)
        bytes += (entries[..<position] + [entry] + entries[position...]).joined()
        bytes += next
        bytes.replaceSubrange(4..<8, with: number32(offset))
        return bytes
    }

    private func range(ofEntry index: Int) -> Range<Int> {
        let start = directory + 2 + index * Self.entrySize
        return start..<start + Self.entrySize
    }

    private func tag(ofEntry index: Int) -> Int {
        let start = range(ofEntry: index).lowerBound
        let (first, second) = (Int(bytes[start]), Int(bytes[start + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
    }

    private func number16(_ value: Int) -> [UInt8] {
        let (high, low) = (UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value))
        return isBigEndian ? [high, low] : [low, high]
    }

    private func number32(_ value: Int) -> [UInt8] {
        isBigEndian ? number16(value >> 16) + number16(value) : number16(value) + number16(value >> 16)
    }
}
