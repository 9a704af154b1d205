import BowerbirdCore
import Testing

/// The parts of a PNG file, to be changed and put together again.
struct PNGParts {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    var chunks: [(type: String, data: [UInt8])] = []

    /// The chunks of a well-formed file.
    init(of file: [UInt8]) {
        var offset = Self.signature.count
        while offset + 12 <= file.count {
            let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let data = offset + 8
            chunks.append((String(decoding: file[offset + 4..<data], as: UTF8.self), Array(file[data..<data + length])))
            offset = data + length + 4
        }
    }

    /// The file, every checksum as it should be.
    var file: [UInt8] {
        chunks.reduce(into: Self.signature) { file, chunk in
            let body = Array(chunk.type.utf8) + chunk.data
            file += bigEndian(UInt32(chunk.data.count)) + body + bigEndian(checksum(of: body))
        }
    }

    mutating func insert(_ type: String, _ data: [UInt8]) { chunks.insert((type, data), at: 1) }

    func index(of type: String) -> Int? { chunks.firstIndex { $0.type == type } }
}

func bigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

/// CRC-32.
private func checksum(of bytes: [UInt8]) -> UInt32 {
    var value: UInt32 = .max
    for byte in bytes {
        value ^= UInt32(byte)
        for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
}

/// An interlaced file of opaque straight RGBA pixels, not compressed.
func makeInterlacedPNG(of picture: Bitmap) -> [UInt8] {
    let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    var lines: [UInt8] = []
    for (left, top, columns, rows) in passes where left < picture.size.width {
        for y in stride(from: top, to: picture.size.height, by: rows) {
            lines.append(0)
            for x in stride(from: left, to: picture.size.width, by: columns) { lines += picture.pixel(x, y) }
        }
    }
    let size = bigEndian(UInt32(picture.size.width)) + bigEndian(UInt32(picture.size.height))
    var chunks = PNGParts(of: [])
    chunks.chunks = [("IHDR", size + [8, 6, 0, 0, 1]), ("IDAT", stored(lines)), ("IEND", [])]
    return chunks.file
}

/// A zlib stream that stores `bytes` as they are.
func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var offset = 0
    while offset < bytes.count {
        let block = bytes[offset..<min(offset + 0xFFFF, bytes.count)]
        offset += block.count
        let length = [UInt8(block.count & 0xFF), UInt8(block.count >> 8)]
        stream += [offset == bytes.count ? 1 : 0] + length + length.map(~) + block
    }
    let (low, high) = bytes.reduce((1, 0)) { sums, byte in
        let low = (sums.0 + Int(byte)) % 65521
        return (low, (sums.1 + low) % 65521)
    }
    return stream + bigEndian(UInt32(high << 16 | low))
}

/// The kinds of pixels that PNG has: bits of a component, the number of the colour type, components.
struct PNGKind: Hashable, Sendable, CustomTestStringConvertible {
    let bits: UInt8
    let colors: UInt8
    let components: Int

    static let all: [PNGKind] =
        [1, 2, 4, 8, 16].map { PNGKind(bits: $0, colors: 0, components: 1) }
        + [1, 2, 4, 8].map { PNGKind(bits: $0, colors: 3, components: 1) }
        + [8, 16].flatMap { bits in
            [(2, 3), (4, 2), (6, 4)].map { PNGKind(bits: bits, colors: UInt8($0.0), components: $0.1) }
        }

    var testDescription: String { "\(bits) bits, colour type \(colors)" }

    func bytesPerRow(_ width: Int) -> Int { (width * Int(bits) * components + 7) / 8 }

    /// The `tRNS` data that such pictures may have: keys that noise meets, a few alphas.
    var transparency: [UInt8]? {
        switch colors {
        case 0: [0x12, bits == 16 ? 0x34 : 1]
        case 2: [0, 7, 0, 7, 0, 7]
        case 3: [0, 100]
        default: nil
        }
    }
}

/// A file of noise, which is as good as any picture: rows whose filters are all five.
func makeNoisePNG(
    _ kind: PNGKind, _ width: Int, _ height: Int, isTransparent: Bool = false, paletteCount: Int? = nil,
    random: inout some RandomNumberGenerator
) -> PNGParts {
    let rows = (0..<height).flatMap { row -> [UInt8] in
        // A flat beginning, so that keys of transparency are met.
        let bytes = (0..<kind.bytesPerRow(width)).map { $0 < 12 ? 7 : UInt8.random(in: 0...255, using: &random) }
        return [row == 0 ? 0 : UInt8(row % 5)] + bytes
    }
    var parts = PNGParts(of: [])
    let size = bigEndian(UInt32(width)) + bigEndian(UInt32(height))
    parts.chunks = [("IHDR", size + [kind.bits, kind.colors, 0, 0, 0])]
    if kind.colors == 3 {
        let count = paletteCount ?? 1 << Int(kind.bits)
        parts.chunks.append(("PLTE", (0..<3 * count).map { _ in UInt8.random(in: 0...255, using: &random) }))
    }
    if isTransparent, let transparency = kind.transparency { parts.chunks.append(("tRNS", transparency)) }
    // In several pieces, one of them empty.
    let data = stored(rows)
    for part in [data[..<(data.count / 3)], [], data[(data.count / 3)...]] {
        parts.chunks.append(("IDAT", Array(part)))
    }
    parts.chunks.append(("IEND", []))
    return parts
}
