package import BowerbirdCore
import CKernels

/// A straight line through a picture, along which a row of another picture lies. Positions are in pixels of it: (0, 0)
/// is the outer corner of its first pixel.
package struct SamplingLine {
    /// Where the middle of the row's first pixel lies.
    package var x, y: Double
    /// From there to the middle of the next.
    package var xStep, yStep: Double

    package init(x: Double, y: Double, xStep: Double, yStep: Double) {
        self.x = x
        self.y = y
        self.xStep = xStep
        self.yStep = yStep
    }
}

extension Bitmap {
    /// Fills `row`, memory of whole pixels, with what lies along the line, each pixel mixed of the four around its
    /// place. What lies outside is `background`, a premultiplied pixel, so that the edge between is smooth.
    ///
    /// Takes canonical pixels alone. No place may be as far as 2³⁸ pixels from the picture.
    package func sample(
        along line: SamplingLine, background: UInt32, into row: UnsafeMutableRawBufferPointer
    ) {
        precondition(format == .bgra8Premultiplied)
        unsafe withUnsafeBytes { bytes in
            guard let pixels = bytes.baseAddress, let result = row.baseAddress else { return }
            let picture = unsafe BBPicture(
                pixels: pixels.assumingMemoryBound(to: UInt8.self), bytes_per_row: bytesPerRow,
                width: size.width, height: size.height)
            unsafe bb_sample_row(
                picture, BBLine(line), background, result.assumingMemoryBound(to: UInt8.self), row.count / 4)
        }
    }
}

extension BBLine {
    /// The kernel counts from the middle of the first pixel.
    fileprivate init(_ line: SamplingLine) {
        self.init(
            x: Self.fixed(line.x - 0.5), y: Self.fixed(line.y - 0.5),
            x_step: Self.fixed(line.xStep), y_step: Self.fixed(line.yStep))
    }

    private static func fixed(_ value: Double) -> Int64 {
        Int64(exactly: (value * Double(1 << BB_POSITION_BITS)).rounded()) ?? 0
    }
}
