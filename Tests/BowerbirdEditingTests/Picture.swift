import BowerbirdCore
import BowerbirdTestSupport

/// Pictures of one colour, and a look at single pixels.
enum Picture {
    static func solid(_ color: Color, width: Int = 40, height: Int = 30) throws -> DecodedImage {
        let size = PixelSize(width: width, height: height)
        var buffer = try PixelBuffer.make(width, height, isOpaque: color.alpha == 255)
        let alpha = Int(color.alpha)
        let premultiplied = [color.blue, color.green, color.red, 255].map { UInt8((Int($0) * alpha + 127) / 255) }
        for row in 0..<height {
            buffer.withRow(row) { bytes in
                for offset in 0..<bytes.byteCount {
                    bytes.storeBytes(of: premultiplied[offset % 4], toByteOffset: offset, as: UInt8.self)
                }
            }
        }
        return DecodedImage(bitmap: buffer.freeze(), header: ImageHeader(format: .png, storedSize: size))
    }
}

extension DecodedImage {
    /// Blue, green, red, alpha, premultiplied.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        bitmap.withRow(y) { row in
            var values: [UInt8] = []
            for offset in x * 4..<x * 4 + 4 { values.append(row.byte(at: offset) ?? 0) }
            return values
        }
    }
}
