import BowerbirdCore

extension Picture {
    /// A picture of the colours that `color` gives for each place.
    static func colored(
        _ width: Int, _ height: Int, isOpaque: Bool = false, _ color: (_ x: Int, _ y: Int) -> Color
    ) throws -> DecodedImage {
        try geometric(width, height, isOpaque: isOpaque, color)
    }

    /// Many colours, opaque at the left edge and ever more transparent towards the right one.
    static func colorful(width: Int = 37, height: Int = 23) throws -> DecodedImage {
        try colored(width, height) { x, y in
            Color(
                red: UInt8(x * 97 % 256), green: UInt8(y * 61 % 256), blue: UInt8((x + y) * 37 % 256),
                alpha: UInt8(255 - x * 255 / max(1, width - 1)))
        }
    }
}

extension DecodedImage {
    /// Blue, green, red and alpha of each pixel, in the order of reading.
    var pixelBytes: [[UInt8]] {
        (0..<size.height).flatMap { y in (0..<size.width).map { x in pixel(x, y) } }
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
