@testable import BowerbirdCodecs

/// EXIF data of our own making.
struct ExifBuilder {
    var order = ByteOrder.little
    var main: [(UInt16, Value)] = []
    var photograph: [(UInt16, Value)] = []
    var place: [(UInt16, Value)] = []
    /// A small picture behind the first directory.
    var thumbnail: [UInt8] = []

    enum Value {
        case text(String)
        case raw(UInt16, [UInt8])
        case short(UInt16)
        case long(UInt32)
        case rationals([(UInt32, UInt32)])
    }

    /// From the TIFF header on.
    var bytes: [UInt8] {
        var main = main
        // Directories lie one behind the other: photograph, place, main, thumbnail.
        var file = (order == .big ? [0x4D, 0x4D, 0, 0x2A] : [0x49, 0x49, 0x2A, 0]) + [0, 0, 0, 0] as [UInt8]
        if !photograph.isEmpty { main.append((0x8769, .long(add(photograph, to: &file)))) }
        if !place.isEmpty { main.append((0x8825, .long(add(place, to: &file)))) }
        let start = add(main.sorted { $0.0 < $1.0 }, to: &file)
        file.replaceSubrange(4..<8, with: order.bytes(start))
        guard !thumbnail.isEmpty else { return file }
        let picture = UInt32(file.count)
        file += thumbnail
        let link = Int(start) + 2 + 12 * main.count
        let second = add([(0x0201, .long(picture)), (0x0202, .long(UInt32(thumbnail.count)))], to: &file)
        file.replaceSubrange(link..<link + 4, with: order.bytes(second))
        return file
    }

    private func add(_ entries: [(UInt16, Value)], to file: inout [UInt8]) -> UInt32 {
        let start = file.count
        var data: [UInt8] = []
        let dataStart = start + 2 + 12 * entries.count + 4
        file += order.bytes(UInt16(entries.count))
        for (tag, value) in entries {
            let (kind, count, bytes) = encoded(value)
            file += order.bytes(tag) + order.bytes(kind) + order.bytes(UInt32(count))
            if bytes.count <= 4 {
                file += bytes + Array(repeating: 0, count: 4 - bytes.count)
            } else {
                file += order.bytes(UInt32(dataStart + data.count))
                data += bytes
            }
        }
        file += [0, 0, 0, 0] + data
        return UInt32(start)
    }

    private func encoded(_ value: Value) -> (UInt16, Int, [UInt8]) {
        switch value {
        case .text(let text): (2, text.utf8.count + 1, Array(text.utf8) + [0])
        case .raw(let kind, let bytes): (kind, bytes.count, bytes)
        case .short(let number): (3, 1, order.bytes(number))
        case .long(let number): (4, 1, order.bytes(number))
        case .rationals(let values): (5, values.count, values.flatMap { order.bytes($0.0) + order.bytes($0.1) })
        }
    }

    /// A camera's.
    static func camera(_ order: ByteOrder = .little) -> ExifBuilder {
        ExifBuilder(
            order: order,
            main: [
                (0x010E, .text("  A bird\n")), (0x010F, .text("Make")), (0x0110, .text("Model 1")), (0x0112, .short(6)),
                (0x011A, .rationals([(300, 1)])), (0x011B, .rationals([(150, 1)])), (0x0128, .short(2)),
                (0x0131, .text("Firmware")), (0x0132, .text("2024:06:01 00:00:00")), (0x013B, .text("Zoë")),
                (0x8298, .raw(2, Array(" \0The editor\0".utf8))),
            ],
            photograph: [
                (0x829A, .rationals([(1, 250)])), (0x829D, .rationals([(28, 10)])), (0x8827, .short(400)),
                (0x9003, .text("2024:05:17 12:30:00")), (0x9011, .text("+02:00")), (0x920A, .rationals([(50, 1)])),
                (0xA434, .text("Lens 50mm")),
            ],
            place: [
                (1, .text("S")), (2, .rationals([(33, 1), (51, 1), (36, 1)])), (3, .text("E")),
                (4, .rationals([(151, 1), (126, 10), (0, 1)])), (5, .raw(1, [1])), (6, .rationals([(25, 10)])),
            ])
    }
}

extension [UInt8] {
    /// A file whose EXIF data, big-endian with nothing but an orientation, tell of another one.
    func withExifOrientation(_ value: UInt8) -> [UInt8] {
        let tag: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0]
        guard let start = indices.first(where: { self[$0...].starts(with: tag) }) else { return self }
        var file = self
        file[start + tag.count] = value
        return file
    }
}
