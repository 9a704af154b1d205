import BowerbirdCore
import BowerbirdRaster
import Glibc

/// What a picture's hash is made of: at most 100 pixels a side, laid over the average colour where they are transparent.
struct PlaceholderPixels {
    let size: PixelSize
    /// Red, green, blue and alpha from 0 to 1.
    private(set) var pixels: [SIMD4<Double>]

    /// More detail than any hash can hold.
    private static let room = PixelSize(width: 100, height: 100)

    init(_ bitmap: Bitmap) throws(ProcessingError) {
        guard bitmap.format == .bgra8Premultiplied else { throw .unsupportedPixels(bitmap.format) }
        let small = try Self.reduced(bitmap)
        size = small.size
        pixels = Self.components(of: small)
        layOverAverage()
    }

    private static func reduced(_ bitmap: Bitmap) throws(ProcessingError) -> Bitmap {
        do {
            let size = ScaleMode.fit.size(of: bitmap.size, in: room, allowsUpscaling: false)
            return try bitmap.resampled(to: size, filter: .box)
        } catch {
            throw ProcessingError(error)
        }
    }

    private static func components(of bitmap: Bitmap) -> [SIMD4<Double>] {
        bitmap.withBytes { bytes in
            var pixels: [SIMD4<Double>] = []
            pixels.reserveCapacity(bitmap.size.pixelCount)
            for offset in stride(from: 0, to: bytes.byteCount, by: 4) {
                // Rows are whole pixels without gaps, and every pattern of bits is one.
                let pixel = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                pixels.append(SIMD4(Double(pixel.z), Double(pixel.y), Double(pixel.x), Double(pixel.w)) / 255)
            }
            return pixels
        }
    }

    private mutating func layOverAverage() {
        let sum = pixels.reduce(SIMD4(), +)
        var average = sum.w > 0 ? sum / sum.w : SIMD4()
        average.w = 0
        for index in pixels.indices { pixels[index] += average * (1 - pixels[index].w) }
    }

    /// Whether any pixel lets something shine through.
    var hasAlpha: Bool { pixels.contains { $0.w < 1 } }

    /// The same with each pixel changed.
    func mapped(_ change: (SIMD4<Double>) -> SIMD4<Double>) -> PlaceholderPixels {
        var copy = self
        copy.pixels = pixels.map(change)
        return copy
    }

    /// How much the picture has of the product of two cosine waves, so many half waves across and down; `phase` is where
    /// in a pixel the wave is looked at. Nothing of waves that are too short for so few pixels.
    func coefficient(across: Int, down: Int, phase: Double) -> SIMD4<Double> {
        guard across < size.width, down < size.height else { return SIMD4() }
        let columns = cosines(halfWaves: across, length: size.width, phase: phase)
        let rows = cosines(halfWaves: down, length: size.height, phase: phase)
        var sum = SIMD4<Double>()
        for y in 0..<size.height {
            var line = SIMD4<Double>()
            for x in 0..<size.width { line += pixels[y * size.width + x] * columns[x] }
            sum += line * rows[y]
        }
        return sum / Double(size.pixelCount)
    }
}

/// A cosine wave along a side of a picture.
func cosines(halfWaves: Int, length: Int, phase: Double) -> [Double] {
    (0..<length).map { cos(.pi * Double(halfWaves) * (Double($0) + phase) / Double(length)) }
}
