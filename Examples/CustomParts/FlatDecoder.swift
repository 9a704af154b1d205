import Bowerbird

/// A format of one line of text: `FLAT 8x4 ff8800` is eight by four pixels of orange.
struct FlatDecoder: ImageDecoder {
    static let format = ImageFormat(name: "Flat", mediaType: "image/x-flat", fileExtensions: ["flat"])

    let formats = [format]

    /// Asked where the bytes begin like no format that is known.
    func recognizes(_ bytes: RawSpan) -> Bool { text(of: bytes).hasPrefix("FLAT ") }

    func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
        ImageHeader(format: Self.format, storedSize: try parse(bytes).size)
    }

    func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
        let (storedSize, color) = try parse(bytes)
        try options.limits.check(storedSize)
        let size = options.outputSize(of: storedSize)
        guard var pixels = PixelBuffer(size: size, isOpaque: true) else { throw .outOfMemory(size) }
        for row in 0..<size.height {
            pixels.withRow(row) { bytes in
                // Blue, green, red, alpha: the number in the byte order of most machines.
                for column in 0..<size.width {
                    bytes.storeBytes(of: (color | 0xFF00_0000).littleEndian, toByteOffset: column * 4, as: UInt32.self)
                }
            }
        }
        return DecodedImage(bitmap: pixels.freeze(), header: try header(of: bytes))
    }

    private func parse(_ bytes: RawSpan) throws(DecodingError) -> (size: PixelSize, color: UInt32) {
        let words = text(of: bytes).split(separator: " ")
        guard words.count == 3 else { throw .truncated(atByte: bytes.byteCount) }
        let sides = words[1].split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2, let color = UInt32(words[2], radix: 16), color <= 0xFF_FFFF else {
            throw .corrupt("“\(words[1]) \(words[2])” is no size and colour")
        }
        return (PixelSize(width: sides[0], height: sides[1]), color)
    }

    private func text(of bytes: RawSpan) -> String {
        bytes.withUnsafeBytes { String(decoding: $0.prefix(64), as: UTF8.self) }
    }
}
