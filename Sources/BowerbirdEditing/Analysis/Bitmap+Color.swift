public import BowerbirdCore
import BowerbirdRaster

extension Bitmap {
    /// The mean of all pixels, each colour by its alpha, so that what is transparent gives no colour.
    ///
    /// Reads every pixel once. Throws `.unsupportedPixels` unless the pixels are
    /// canonical, and `.cancelled`.
    public var averageColor: Color {
        get throws(ProcessingError) {
            guard format == .bgra8Premultiplied else { throw .unsupportedPixels(format) }
            let sums = try sumOfPixels()
            return Color(premultiplied: SIMD4<Double>(sums) / (255 * Double(size.pixelCount)))
        }
    }

    private func sumOfPixels() throws(ProcessingError) -> SIMD4<UInt64> {
        var sums = SIMD4<UInt64>()
        try size.forEachBand { rows in
            unsafe withUnsafeBytes { bytes in
                let range = rows.lowerBound * bytesPerRow..<rows.upperBound * bytesPerRow
                unsafe sums &+= Effects.sums(UnsafeRawBufferPointer(rebasing: bytes[range]))
            }
        }
        return sums
    }

    /// The colour of one pixel, the first of the first row being at 0, 0; nil outside the picture. Costs nothing.
    ///
    /// Of pixels of 16 bits a component it is the nearest of 8 bits.
    public func color(at x: Int, _ y: Int) -> Color? {
        guard (0..<size.width).contains(x), (0..<size.height).contains(y) else { return nil }
        return withRow(y) { row in
            switch format {
            case .bgra8Premultiplied: Color(premultiplied: row.components(of: x, as: UInt8.self))
            case .rgba8Straight: Color(straight: row.components(of: x, as: UInt8.self))
            case .rgba16Straight: Color(straight: row.components(of: x, as: UInt16.self))
            }
        }
    }
}

extension DecodedImage {
    /// `Bitmap.averageColor` of its pixels.
    public var averageColor: Color {
        get throws(ProcessingError) { try bitmap.averageColor }
    }

    /// `Bitmap.color(at:_:)` of its pixels.
    public func color(at x: Int, _ y: Int) -> Color? { bitmap.color(at: x, y) }
}

extension RawSpan {
    /// The four components of a pixel, each from 0 to 1.
    fileprivate func components<Component: FixedWidthInteger & BitwiseCopyable>(
        of pixel: Int, as type: Component.Type
    ) -> SIMD4<Double> {
        let width = MemoryLayout<Component>.size
        precondition(pixel >= 0 && (pixel + 1) * 4 * width <= byteCount)
        var result = SIMD4<Double>()
        for index in 0..<4 {
            // Inside the span, and every pattern of bits is a number.
            let value = unsafe unsafeLoadUnaligned(fromByteOffset: (pixel * 4 + index) * width, as: type)
            result[index] = Double(value) / Double(Component.max)
        }
        return result
    }
}

extension Color {
    /// Blue, green, red and alpha from 0 to 1, the colours multiplied by alpha.
    init(premultiplied bgra: SIMD4<Double>) {
        let straight = bgra.w > 0 ? bgra / bgra.w : SIMD4()
        self.init(straight: SIMD4(straight.z, straight.y, straight.x, bgra.w))
    }

    /// Red, green, blue and alpha; what is not from 0 to 1 is brought there.
    init(straight rgba: SIMD4<Double>) {
        let bytes = (rgba.clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 1)) * 255).rounded(
            .toNearestOrAwayFromZero)
        self.init(red: UInt8(bytes.x), green: UInt8(bytes.y), blue: UInt8(bytes.z), alpha: UInt8(bytes.w))
    }
}
