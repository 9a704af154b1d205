import CDeflate

/// A sound PNG file of whatever bytes: the first choose its kind, the others are its palette and its filtered rows.
struct PNGSketch {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private let width: Int
    private let height: Int
    private let color: UInt8
    private let depth: Int
    private let palette: [UInt8]
    private let transparency: [UInt8]
    private let rows: [UInt8]
    private let splitsData: Bool

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func take(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count)) + [UInt8](repeating: 0, count: max(0, count - rest.count))
        }
        let kind = take(5)
        width = 1 + Int(kind[0] % 64)
        height = 1 + Int(kind[1] % 64)
        color = [0, 2, 3, 4, 6, 0, 2, 3][Int(kind[2] & 7)]
        depth = color == 0 || color == 3 ? 1 << Int(kind[2] >> 3 & 3) : 8
        splitsData = kind[2] & 0x80 != 0
        let entries = 1 + Int(kind[3]) % min(256, 1 << depth)
        palette = color == 3 ? take(3 * entries) : []
        let hasTransparency = kind[2] & 0x40 != 0
        switch color {
        case 0 where hasTransparency: transparency = take(2)
        case 2 where hasTransparency: transparency = take(6)
        case 3 where hasTransparency: transparency = take(1 + Int(kind[4]) % entries)
        default: transparency = []
        }
        let components = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][color, default: 1]
        let size = height * (1 + (width * components * depth + 7) / 8)
        // By one bit the rows are as many as there are bytes, which is wrong nearly always.
        rows = kind[2] & 0x20 != 0 ? Array(rest) : take(size)
    }

    var file: [UInt8] {
        var file = Self.signature
        file += Self.chunk("IHDR", Self.bytes(width) + Self.bytes(height) + [UInt8(depth), color, 0, 0, 0])
        if !palette.isEmpty { file += Self.chunk("PLTE", palette) }
        if !transparency.isEmpty { file += Self.chunk("tRNS", transparency) }
        let stream = zlibStream
        let parts = splitsData ? [stream.prefix(stream.count / 3), stream.dropFirst(stream.count / 3)] : [stream[...]]
        for part in parts { file += Self.chunk("IDAT", Array(part)) }
        return file + Self.chunk("IEND", [])
    }

    /// Of blocks that are stored as they are.
    private var zlibStream: [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = rows[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(0xFFFF)
            let count = UInt16(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            for number in [count, ~count] { stream += [UInt8(number & 0xFF), UInt8(number >> 8)] }
            stream += block
        } while !rest.isEmpty
        return stream + Self.bytes(Int(libdeflate_adler32(1, rows, rows.count)))
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + data
        return bytes(data.count) + checked + bytes(Int(libdeflate_crc32(0, checked, checked.count)))
    }

    /// A number of 32 bits, the most significant first.
    static func bytes(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
