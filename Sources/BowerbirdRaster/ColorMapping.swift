package import BowerbirdCore
import CKernels

/// A table of numbers in memory that C reads.
///
/// Invariant of the `@unchecked Sendable`: it is written in `init` only.
@safe
package final class LightTable: @unchecked Sendable {
    package let count: Int
    fileprivate let values: UnsafeMutablePointer<Float>

    /// `value` is called for each index in order.
    package init(count: Int, _ value: (Int) -> Float) {
        self.count = count
        unsafe values = .allocate(capacity: max(1, count))
        for index in 0..<count { unsafe values[index] = value(index) }
    }

    deinit { unsafe values.deallocate() }

    package subscript(index: Int) -> Float {
        precondition(index >= 0 && index < count)
        return unsafe values[index]
    }
}

/// How the colours of one space become sRGB: by tables to light, through a matrix, and back. White has the light 1.
package struct ColorMapping: Sendable {
    /// One less than the entries of `luminanceFactors`.
    package static let lightSteps = Int(BB_LIGHT_STEPS)

    /// The light of each value of a component: 256 entries, or 65,536 for pixels of 16 bits.
    package var red: LightTable
    package var green: LightTable
    package var blue: LightTable
    /// Nine numbers, row by row.
    package var matrix: [Double]
    /// For each luminance before the matrix the factor by which all light grows; nil for none.
    package var luminanceFactors: LightTable?
    /// What red, green and blue have of that luminance.
    package var luminanceWeights: [Double] = [0, 1, 0]
    /// The light that becomes white, and the light from which on it is bent; no light is where the peak is 1.
    package var peak = 1.0
    package var knee = 1.0

    package init(red: LightTable, green: LightTable, blue: LightTable, matrix: [Double]) {
        precondition(matrix.count == 9)
        precondition(red.count == green.count && green.count == blue.count)
        self.red = red
        self.green = green
        self.blue = blue
        self.matrix = matrix
    }

    /// How many entries the tables have for pixels of a format.
    package static func valueCount(of format: PixelFormat) -> Int { format == .rgba16Straight ? 65536 : 256 }

    /// Writes `pixelCount` converted pixels; both may be the same memory.
    package func convert(
        _ source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, pixelCount: Int, _ format: PixelFormat
    ) {
        precondition(red.count == Self.valueCount(of: format))
        var kernel = unsafe self.kernel
        let bytes = unsafe source.assumingMemoryBound(to: UInt8.self)
        let result = unsafe destination.assumingMemoryBound(to: UInt8.self)
        switch format {
        case .bgra8Premultiplied: unsafe bb_convert_colors_bgra8(&kernel, bytes, result, pixelCount)
        case .rgba8Straight: unsafe bb_convert_colors_rgba8(&kernel, bytes, result, pixelCount)
        case .rgba16Straight:
            unsafe bb_convert_colors_rgba16(
                &kernel, source.assumingMemoryBound(to: UInt16.self), destination.assumingMemoryBound(to: UInt16.self),
                pixelCount)
        }
    }

    private var kernel: BBColorConversion {
        let m = matrix.map(Float.init)
        let weights = luminanceWeights.map(Float.init)
        return unsafe BBColorConversion(
            red: red.values, green: green.values, blue: blue.values,
            matrix: (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]), encoded: SRGBTables.shared.bytes,
            encoded_wide: SRGBTables.shared.words.values, luminance_factors: luminanceFactors?.values,
            luminance_weights: (weights[0], weights[1], weights[2]), peak: Float(peak), knee: Float(knee))
    }
}

/// From light to the values of sRGB.
///
/// Invariant of the `@unchecked Sendable`: it is written in `init` only. There is one, and it stays.
@safe
private final class SRGBTables: @unchecked Sendable {
    static let shared = SRGBTables()

    let bytes: UnsafeMutablePointer<UInt8>
    let words: LightTable

    private init() {
        let count = ColorMapping.lightSteps + 1
        words = LightTable(count: count) { Float(65535 * SRGB.encoded(Double($0) / Double(count - 1))) }
        unsafe bytes = .allocate(capacity: count)
        for index in 0..<count { unsafe bytes[index] = UInt8((words[index] / 257).rounded()) }
    }

    deinit { unsafe bytes.deallocate() }
}
