import BowerbirdCore
import BowerbirdEditing
import BowerbirdTestSupport
import Testing

extension Picture {
    /// Each pixel as the closure says, from its column and row.
    static func geometric(
        _ width: Int, _ height: Int, isOpaque: Bool = true, _ color: (Int, Int) -> Color = numbered
    ) throws -> DecodedImage {
        var buffer = try PixelBuffer.make(width, height, isOpaque: isOpaque)
        for y in 0..<height {
            buffer.withRow(y) { row in
                for x in 0..<width {
                    row.storeBytes(of: premultiplied(color(x, y)), toByteOffset: 4 * x, as: UInt32.self)
                }
            }
        }
        let header = ImageHeader(format: .png, storedSize: PixelSize(width: width, height: height))
        return DecodedImage(bitmap: buffer.freeze(), header: header)
    }

    /// A colour that tells the place.
    static func numbered(x: Int, y: Int) -> Color {
        Color(red: UInt8(truncatingIfNeeded: x), green: UInt8(truncatingIfNeeded: y), blue: UInt8(x / 256 + y / 256))
    }

    /// The picture that Pillow was given for the values in these tests.
    static func measured() throws -> DecodedImage {
        try geometric(12, 9) { x, y in
            Color(
                red: UInt8(truncatingIfNeeded: x * 20), green: UInt8(truncatingIfNeeded: y * 25),
                blue: UInt8(truncatingIfNeeded: x * x * 3 + y * y * 5 + x * y))
        }
    }

    /// A picture whose pixels processors do not work on.
    static func deep() throws -> DecodedImage {
        let size = PixelSize(width: 6, height: 4)
        let bitmap = try PixelBuffer.make(6, 4, format: .rgba16Straight).freeze()
        return DecodedImage(bitmap: bitmap, header: ImageHeader(format: .png, storedSize: size))
    }

    private static func premultiplied(_ color: Color) -> UInt32 {
        let parts = [color.blue, color.green, color.red, 255].map { (UInt32($0) * UInt32(color.alpha) + 127) / 255 }
        return parts[0] | parts[1] << 8 | parts[2] << 16 | parts[3] << 24
    }
}

extension DecodedImage {
    /// All pixels in the order of reading, each with alpha in the highest byte and blue in the lowest.
    var pixels: [UInt32] {
        bitmap.withUnsafeBytes { bytes in
            (0..<size.pixelCount).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
        }
    }

    /// Red, green and blue.
    func rgb(_ x: Int, _ y: Int) -> [Int] { pixel(x, y)[..<3].reversed().map(Int.init) }

    /// Whether all of them have the same size and pixels.
    func looks(like other: DecodedImage) -> Bool { size == other.size && pixels == other.pixels }

    /// No colour exceeds its alpha, and an opaque picture has full alpha everywhere.
    var isValid: Bool {
        pixels.allSatisfy { pixel in
            let alpha = pixel >> 24
            let colors = [pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255]
            return colors.allSatisfy { $0 <= alpha } && (alpha == 255 || !bitmap.isOpaque)
        }
    }
}

/// Whether no number differs by more than the tolerance.
func isNear(_ values: [Int], _ others: [Int], tolerance: Int) -> Bool {
    values.count == others.count && zip(values, others).allSatisfy { abs($0 - $1) <= tolerance }
}

extension ImageProcessor {
    /// Expects that a task that was cancelled gets no picture.
    func expectCancellation(of image: DecodedImage) async {
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return Result { () throws(ProcessingError) in try process(image) }
        }
        task.cancel()
        guard case .failure(.cancelled) = await task.value else {
            Issue.record("\(cacheKey) was not cancelled")
            return
        }
    }
}
