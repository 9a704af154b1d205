package import BowerbirdCore

/// Changes in EXIF data what a picture that was turned makes wrong.
package enum ExifWriter {
    /// The data for a file with new pixels: with another orientation, without the small picture, which shows what was there
    /// before and would betray what was cut off; everything else as it was. From a TIFF header on, without `Exif` before
    /// it. Nil where nothing is to be said: no data, and pixels that are upright. What is no EXIF data is replaced.
    package static func setting(_ orientation: Orientation, in exif: [UInt8]?) -> [UInt8]? {
        guard let exif, let original = ExifData(exif.span.bytes),
            let data = ExifData(withoutThumbnail(original).span.bytes)
        else { return orientation == .topLeft ? nil : minimal(orientation) }
        guard let directory = data.main else { return minimal(orientation) }
        if let entry = directory.entry(.orientation) { return patched(data, entry, orientation) }
        return orientation == .topLeft ? data.bytes : extended(data, directory, orientation)
    }

    /// From the TIFF header on; the small picture becomes zeros, and nothing leads to its directory.
    private static func withoutThumbnail(_ data: ExifData) -> [UInt8] {
        var bytes = data.bytes
        if let range = ExifReader.thumbnail(in: bytes.span.bytes) {
            bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
        }
        if let main = data.main, main.next != nil {
            let link = main.start + main.count * ExifDirectory.entrySize
            bytes.replaceSubrange(link..<link + 4, with: [0, 0, 0, 0])
        }
        return Array(bytes[data.start...])
    }

    /// Big-endian, one directory of one entry.
    private static func minimal(_ orientation: Orientation) -> [UInt8] {
        let header: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1]
        return header + entry(orientation, .big) + [0, 0, 0, 0]
    }

    private static func entry(_ orientation: Orientation, _ order: ByteOrder) -> [UInt8] {
        order.bytes(ExifTag.orientation.rawValue) + order.bytes(ExifKind.short.rawValue) + order.bytes(UInt32(1))
            + order.bytes(UInt16(orientation.rawValue)) + [0, 0]
    }

    private static func patched(_ data: ExifData, _ entry: Int, _ orientation: Orientation) -> [UInt8] {
        var bytes = data.bytes
        bytes.replaceSubrange(entry..<entry + ExifDirectory.entrySize, with: Self.entry(orientation, data.order))
        return bytes
    }

    /// The directory has no room: a longer copy of it goes to the end, and the header names that one. What entries point
    /// to stays where it is.
    private static func extended(_ data: ExifData, _ directory: ExifDirectory, _ orientation: Orientation) -> [UInt8] {
        let order = data.order
        var bytes = data.bytes + (data.bytes.count.isMultiple(of: 2) ? [] : [0])
        guard let place = UInt32(exactly: bytes.count), let count = UInt16(exactly: directory.count + 1) else {
            return data.bytes
        }
        let starts = (0..<directory.count).map { directory.start + $0 * ExifDirectory.entrySize }
        var entries = starts.map { Array(data.bytes[$0..<$0 + ExifDirectory.entrySize]) }
        // Entries are sorted by their tags.
        let index = starts.firstIndex { (data.read16($0) ?? 0) > ExifTag.orientation.rawValue } ?? entries.count
        entries.insert(entry(orientation, order), at: index)
        bytes += order.bytes(count) + entries.joined() + order.bytes(directory.next ?? 0)
        bytes.replaceSubrange(4..<8, with: order.bytes(place))
        return bytes
    }
}
