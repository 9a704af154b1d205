package import BowerbirdCore
import CKernels

/// Work on rows of canonical pixels that is the same for every pixel or block of them.
package enum Effects {
    /// Moves colours away from their grey, by a `saturation` from 0 (grey) to 256, and lays `tint` over them.
    package static func saturate(
        _ pixels: UnsafeMutableRawBufferPointer, by saturation: Double, tint: Color
    ) {
        precondition(saturation >= 0 && saturation <= 256)
        guard let bytes = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let factor = Int32((saturation * 256).rounded())
        unsafe bb_saturate_and_tint(bytes, pixels.count / 4, factor, BBColor(tint))
    }

    /// Adds what `source` differs from `pixels`, its blurred ones, by an `amount` from 0 to 256.
    package static func sharpen(
        _ source: UnsafeRawBufferPointer, blurred pixels: UnsafeMutableRawBufferPointer, amount: Double, threshold: Int
    ) {
        precondition(source.count == pixels.count && amount >= 0 && amount <= 256)
        guard let input = unsafe source.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        guard let output = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let factor = Int32((amount * 256).rounded())
        unsafe bb_sharpen(input, output, pixels.count / 4, factor, Int32(clamping: threshold))
    }

    /// Every `blockWidth` columns of these rows become their mean.
    package static func pixelate(
        _ rows: UnsafeMutableRawBufferPointer, bytesPerRow: Int, width: Int, blockWidth: Int
    ) {
        precondition(blockWidth > 0 && width * 4 <= bytesPerRow)
        guard let bytes = unsafe rows.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_pixelate(bytes, bytesPerRow, width, rows.count / bytesPerRow, blockWidth)
    }

    /// The sums of the four bytes of pixels.
    package static func sums(_ pixels: UnsafeRawBufferPointer) -> SIMD4<UInt64> {
        var sums: [UInt64] = [0, 0, 0, 0]
        guard let bytes = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return SIMD4() }
        unsafe bb_sum_pixels(bytes, pixels.count / 4, &sums)
        return SIMD4(sums)
    }
}

/// A colour that grows from the middle of a picture towards its corners.
package struct VignetteShape {
    private let vignette: BBVignette
    private let color: BBColor
    private let height: Int

    /// Distances are in half diagonals; `falloff` is the way from none of the colour to `strength` of it.
    package init(start: Double, falloff: Double, strength: Double, color: Color, height: Int) {
        let slope = Float(1 / max(falloff, 1e-6))
        vignette = BBVignette(reach: Self.reach, start: Float(start), slope: slope, strength: Float(strength))
        self.color = BBColor(color)
        self.height = height
    }

    /// Of the middle of each edge, so that the corners are at 1.
    private static let reach = Float(0.5).squareRoot()

    package func draw(row: Int, on pixels: UnsafeMutableRawBufferPointer) {
        guard let bytes = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let y = (Float(row) + 0.5) / Float(height) * 2 - 1
        unsafe bb_vignette_row(bytes, pixels.count / 4, vignette, y * Self.reach, color)
    }
}

extension BBColor {
    fileprivate init(_ color: Color) {
        self.init(blue: color.blue, green: color.green, red: color.red, alpha: color.alpha)
    }
}
