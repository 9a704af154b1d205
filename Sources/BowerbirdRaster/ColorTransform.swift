import CKernels

/// Nine numbers, row by row, that make red, green and blue of red, green and blue. White stays white where each row has
/// the sum 1.
package struct ColorTransform: Hashable, Sendable {
    package var values: [Double]

    package init(_ values: [Double]) {
        precondition(values.count == 9)
        self.values = values
    }

    package static let identity = ColorTransform([1, 0, 0, 0, 1, 0, 0, 0, 1])

    /// This one after `other`.
    package static func * (one: ColorTransform, other: ColorTransform) -> ColorTransform {
        ColorTransform((0..<9).map { one.product(with: other, row: $0 / 3, column: $0 % 3) })
    }

    private func product(with other: ColorTransform, row: Int, column: Int) -> Double {
        var sum = 0.0
        for index in 0..<3 { sum += values[row * 3 + index] * other.values[index * 3 + column] }
        return sum
    }

    /// `share` of the way from this one, 0, to the `other`, 1.
    package func mixed(with other: ColorTransform, _ share: Double) -> ColorTransform {
        ColorTransform(zip(values, other.values).map { $0 * (1 - share) + $1 * share })
    }

    /// Changes canonical pixels. A `curve` of 256 numbers leads straight colours to what the matrix is for, 1 being
    /// white; without one colours stay premultiplied, which is the same and loses nothing.
    package func apply(to pixels: UnsafeMutableRawBufferPointer, after curve: [Float]? = nil) {
        guard let bytes = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let matrix = values.map(Float.init)
        guard let curve else { return unsafe bb_transform_colors(matrix, bytes, pixels.count / 4) }
        precondition(curve.count == 256)
        unsafe bb_adjust_colors(curve, matrix, bytes, pixels.count / 4)
    }
}
