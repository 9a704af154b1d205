/// A BMP file put together by hand.
struct BMPFile {
    var header: [UInt8]
    /// Masks behind the header, and colours.
    var palette: [UInt8] = []
    var gap = 0
    var pixels: [UInt8]

    /// A header of `byteCount` bytes.
    init(
        _ byteCount: Int = 40, width: Int, height: Int, bits: Int, compression: Int = 0, usedColors: Int = 0,
        masks: [Int] = [], palette: [UInt8] = [], pixels: [UInt8]
    ) {
        self.pixels = pixels
        if byteCount == 12 {
            header = littleEndian(12) + littleEndian(width, height, 1, bits, bytes: 2)
        } else {
            header = littleEndian(byteCount, width, height) + littleEndian(1, bits, bytes: 2)
            header += littleEndian(compression, 0, 0, 0, usedColors, 0)
            if byteCount > 40 { masks.forEach { header += littleEndian($0) } }
            header = Array(header.prefix(byteCount))
            header += Array(repeating: 0, count: max(0, byteCount - header.count))
            if byteCount == 40 { masks.forEach { self.palette += littleEndian($0) } }
        }
        self.palette += palette
    }

    var pixelOffset: Int { 14 + header.count + palette.count + gap }

    var bytes: [UInt8] {
        Array("BM".utf8) + littleEndian(pixelOffset + pixels.count, 0, pixelOffset) + header + palette
            + Array(repeating: 0xEE, count: gap) + pixels
    }
}
