import BowerbirdCore
import BowerbirdTestSupport

extension Picture {
    /// A picture of the colours that `color` gives for each place.
    static func colored(
        _ width: Int, _ height: Int, isOpaque: Bool = false, _ color: (_ x: Int, _ y: Int) -> Color
    ) throws -> DecodedImage {
        var buffer = try PixelBuffer.make(width, height, isOpaque: isOpaque)
        for row in 0..<height {
            buffer.withRow(row) { bytes in
                for column in 0..<width {
                    for (index, value) in premultiplied(color(column, row)).enumerated() {
                        bytes.storeBytes(of: value, toByteOffset: column * 4 + index, as: UInt8.self)
                    }
                }
            }
        }
        let size = PixelSize(width: width, height: height)
        return DecodedImage(bitmap: buffer.freeze(), header: ImageHeader(format: .png, storedSize: size))
    }

    /// Many colours, opaque at the left edge and ever more transparent towards the right one.
    static func colorful(width: Int = 37, height: Int = 23) throws -> DecodedImage {
        try colored(width, height) { x, y in
            Color(
                red: UInt8(x * 97 % 256), green: UInt8(y * 61 % 256), blue: UInt8((x + y) * 37 % 256),
                alpha: UInt8(255 - x * 255 / max(1, width - 1)))
        }
    }

    /// Pixels that processors do not take.
    static func uncanonical() throws -> DecodedImage {
        let deep = try PixelBuffer.make(1, 1, format: .rgba16Straight).freeze()
        return DecodedImage(
            bitmap: deep, header: ImageHeader(format: .png, storedSize: PixelSize(width: 1, height: 1)))
    }

    private static func premultiplied(_ color: Color) -> [UInt8] {
        [color.blue, color.green, color.red, 255].map { UInt8((Int($0) * Int(color.alpha) + 127) / 255) }
    }
}

extension DecodedImage {
    /// All rows, one pixel after the other.
    var pixels: [[UInt8]] {
        (0..<size.height).flatMap { y in (0..<size.width).map { x in pixel(x, y) } }
    }

    /// Whether every colour is at most its alpha, and every alpha full where the picture says that it is opaque.
    var isSound: Bool {
        pixels.allSatisfy { pixel in
            pixel[0...2].allSatisfy { $0 <= pixel[3] } && (!bitmap.isOpaque || pixel[3] == 255)
        }
    }
}

extension ImageProcessor {
    /// Whether a task that was cancelled gets `.cancelled`, and not the picture.
    func endsWhenCancelled() async throws -> Bool {
        let image = try Picture.colorful()
        let task = Task { () -> ProcessingError? in
            while !Task.isCancelled { await Task.yield() }
            do {
                _ = try process(image)
                return nil
            } catch {
                return error as? ProcessingError
            }
        }
        task.cancel()
        return await task.value == .cancelled
    }
}
