import BowerbirdCore

extension Picture {
    /// A picture whose colours a function gives; it is opaque when they are.
    static func drawn(
        width: Int, height: Int, isOpaque: Bool = true, _ color: (_ x: Int, _ y: Int) -> Color
    ) throws -> DecodedImage {
        try geometric(width, height, isOpaque: isOpaque, color)
    }

    /// Twelve by eight pixels with steep edges, the same as the scripts drew that the expected pixels come from.
    static func filteringSample() throws -> DecodedImage {
        try drawn(width: 12, height: 8) { x, y in
            Color(red: UInt8(x * 23 % 256), green: UInt8(y * 41 % 256), blue: UInt8(x * y * 7 % 256))
        }
    }

    /// A red disc with a smooth edge on nothing.
    static func redDisc() throws -> DecodedImage {
        try drawn(width: 40, height: 40, isOpaque: false) { x, y in
            let (dx, dy) = (Double(x) - 19.5, Double(y) - 19.5)
            let coverage = min(1, max(0, 10 - (dx * dx + dy * dy).squareRoot()))
            return Color(red: 200, green: 0, blue: 0, alpha: UInt8(coverage * 255))
        }
    }
}

extension DecodedImage {
    /// All pixels, row by row.
    var allBytes: [UInt8] {
        (0..<size.height).flatMap { y in (0..<size.width).flatMap { x in pixel(x, y) } }
    }

    /// The mean of each of the four bytes.
    var meanPixel: [Double] {
        var sums = [0.0, 0, 0, 0]
        for (index, byte) in allBytes.enumerated() { sums[index % 4] += Double(byte) }
        return sums.map { $0 / Double(size.pixelCount) }
    }
}

/// What a processor does in a task that was cancelled before.
func cancelledResult(of processor: any ImageProcessor, _ image: DecodedImage) async -> ProcessingError? {
    let task = Task { () -> ProcessingError? in
        withUnsafeCurrentTask { $0?.cancel() }
        do throws(ProcessingError) {
            _ = try processor.process(image)
            return nil
        } catch {
            return error
        }
    }
    return await task.value
}

/// The greatest difference between two lists of numbers.
func greatestDifference(_ first: [Int], _ second: [Int]) -> Int {
    zip(first, second).map { abs($0 - $1) }.max() ?? .max
}
