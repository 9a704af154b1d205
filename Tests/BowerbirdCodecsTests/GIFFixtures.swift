import BowerbirdCodecs
import BowerbirdCore
import BowerbirdTestSupport
import Testing

/// A GIF file made by hand, block by block.
struct GIFFixture {
    var version = "GIF89a"
    var width: Int
    var height: Int
    /// Red, green and blue of each colour; their number is a power of two.
    var palette: [UInt8]? = GIFFixture.colors
    var blocks: [[UInt8]] = []
    var end: [UInt8] = [0x3B]

    /// Black, red, green, blue.
    static let colors: [UInt8] = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]

    init(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }

    var bytes: [UInt8] {
        Array(version.utf8) + word(width) + word(height) + [flags(palette), 0, 0] + (palette ?? [])
            + blocks.flatMap { $0 } + end
    }

    mutating func addControl(transparent: UInt8? = nil, disposal: UInt8 = 0, delay: Int = 0) {
        blocks.append(
            [0x21, 0xF9, 4, disposal << 2 | (transparent == nil ? 0 : 1)] + word(delay) + [transparent ?? 0, 0])
    }

    /// A picture of which `indices` are the pixels, or as many of them as there are.
    mutating func addFrame(
        _ indices: [UInt8], x: Int = 0, y: Int = 0, _ width: Int, _ height: Int, palette: [UInt8]? = nil,
        isInterlaced: Bool = false, codeSize: Int = 2
    ) {
        let descriptor = [0x2C] + word(x) + word(y) + word(width) + word(height)
        let flags = flags(palette) & 0x87 | (isInterlaced ? 0x40 : 0)
        blocks.append(descriptor + [flags] + (palette ?? []) + Self.packed(indices, codeSize: codeSize))
    }

    /// A picture of one colour.
    mutating func addFrame(_ index: UInt8, x: Int = 0, y: Int = 0, _ width: Int, _ height: Int) {
        addFrame(Array(repeating: index, count: width * height), x: x, y: y, width, height)
    }

    mutating func addLoop(_ count: Int, name: String = "NETSCAPE2.0") {
        blocks.append([0x21, 0xFF, 11] + Array(name.utf8) + [3, 1] + word(count) + [0])
    }

    mutating func addExtension(_ label: UInt8, _ subBlocks: [[UInt8]]) {
        blocks.append([0x21, label] + subBlocks.flatMap { [UInt8($0.count)] + $0 } + [0])
    }

    private func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

    private func flags(_ palette: [UInt8]?) -> UInt8 {
        guard let palette else { return 0x70 }
        return 0xF0 | UInt8((palette.count / 3).trailingZeroBitCount - 1)
    }

    /// LZW data without a string: so many single colours as fit before the codes would grow, then a clear. With codes of
    /// 1 bit there is no room for one: they have grown behind the first colour.
    static func packed(_ indices: [UInt8], codeSize: Int) -> [UInt8] {
        let clear = 1 << codeSize
        var bits: [Bool] = []
        func write(_ code: Int, isGrown: Bool = false) {
            bits += (0...(isGrown ? codeSize + 1 : codeSize)).map { code >> $0 & 1 == 1 }
        }
        for (position, index) in indices.enumerated() {
            let hasGrown = codeSize == 1 && position > 0
            if position.isMultiple(of: max(1, clear - 2)) { write(clear, isGrown: hasGrown) }
            write(Int(index))
        }
        write(clear + 1, isGrown: codeSize == 1 && !indices.isEmpty)
        return [UInt8(codeSize)] + blocks(of: bytes(bits)) + [0]
    }

    /// LZW data of one colour, at least so many pixels: each code is the string that it makes itself.
    static func flat(_ pixelCount: Int) -> [UInt8] {
        var bits: [Bool] = []
        var (codeSize, nextCode, length, written) = (3, 6, 2, 1)
        func write(_ code: Int) { bits += (0..<codeSize).map { code >> $0 & 1 == 1 } }
        write(4)
        write(1)
        while written < pixelCount {
            write(nextCode)
            nextCode += 1
            if nextCode == 1 << codeSize { codeSize += 1 }
            (written, length) = (written + length, length + 1)
        }
        return [2] + blocks(of: bytes(bits)) + [0]
    }

    static func blocks(of bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: 255).flatMap { start in
            let block = bytes[start..<min(start + 255, bytes.count)]
            return [UInt8(block.count)] + block
        }
    }

    private static func bytes(_ bits: [Bool]) -> [UInt8] {
        stride(from: 0, to: bits.count, by: 8).map { start in
            (start..<min(start + 8, bits.count)).reduce(0) { $0 | (bits[$1] ? 1 << UInt8($1 - start) : 0) }
        }
    }
}

extension GIFFixture {
    /// An animation with all that a file can have.
    static func rich() -> GIFFixture {
        var file = GIFFixture(9, 8)
        file.addLoop(3)
        file.addExtension(0xFE, [Array("two ".utf8), Array("blocks".utf8)])
        file.addControl(disposal: 1, delay: 5)
        file.addFrame((0..<72).map { UInt8($0 % 4) }, 9, 8, isInterlaced: true)
        file.addControl(transparent: 2, disposal: 2, delay: 7)
        file.addFrame((0..<12).map { UInt8($0 % 3) }, x: 3, y: 2, 4, 3)
        file.addControl(transparent: 0, disposal: 3, delay: 1)
        file.addFrame((0..<20).map { UInt8($0 % 2) }, x: 6, y: 5, 5, 4, palette: [9, 8, 7, 6, 5, 4])
        file.addFrame(3, x: 0, y: 7, 2, 1)
        return file
    }
}

extension ImageDecoder {
    func frames(_ bytes: [UInt8], _ options: DecodingOptions = DecodingOptions()) throws -> (any FrameSource)? {
        try frames(in: #require(EncodedImage(bytes)), options)
    }

    func metadata(_ bytes: [UInt8], _ limits: DecodingLimits = DecodingLimits()) throws(DecodingError) -> ImageMetadata
    {
        try metadata(of: bytes.span.bytes, limits)
    }
}

extension DecodingOptions {
    static let exact = DecodingOptions(pixels: .exact, color: .asStored)
}

/// Pixels of at most `count` colours, nothing among them where it is not opaque.
func makeFlatPicture(
    _ width: Int, _ height: Int, colorCount: Int, isOpaque: Bool = true, seed: UInt64 = 1
) throws -> Bitmap {
    var random = SeededRandom(seed: seed)
    var buffer = try makeBuffer(width, height, .rgba8Straight, isOpaque: isOpaque)
    for y in 0..<height {
        for x in 0..<width {
            let index = (y * width + x) % 5 == 0 ? Int.random(in: 0..<colorCount, using: &random) : (x + y) % colorCount
            let color = [UInt8(index & 255), UInt8(index * 7 & 255), UInt8(index >> 8), 255]
            let isNothing = !isOpaque && (x + 2 * y).isMultiple(of: 7)
            buffer.withRow(y) { row in
                for (component, value) in (isNothing ? [0, 0, 0, 0] : color).enumerated() {
                    row.storeBytes(of: value, toByteOffset: 4 * x + component, as: UInt8.self)
                }
            }
        }
    }
    return buffer.freeze()
}
