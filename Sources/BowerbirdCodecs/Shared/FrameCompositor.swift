import BowerbirdCore
import BowerbirdRaster

/// One piece of an animation as the file has it: where it goes on the canvas and what becomes of it afterwards.
struct Fragment: Hashable, Sendable {
    /// On the canvas; what lies outside is not shown.
    var rect: PixelRect
    var blend: Blend = .over
    var disposal: Disposal = .keep
    /// As the file asks, before `FrameDelay`.
    var delay: Duration
    /// False where the file says, or its format, that no pixel is transparent.
    var hasAlpha = true

    /// What happens to the canvas below the fragment.
    enum Blend: Hashable, Sendable {
        /// The fragment replaces it, transparent pixels too.
        case source
        /// The fragment lies over it.
        case over
    }

    /// What happens to the fragment's part of the canvas before the next frame.
    enum Disposal: Hashable, Sendable {
        case keep
        /// It becomes transparent.
        case clear
        /// It becomes what it was before.
        case restore
    }
}

/// The canvas of an animation, on which its fragments are laid one after the other.
final class FrameCompositor {
    private let size: PixelSize
    private let format: PixelFormat
    private var canvas: PixelBuffer
    /// What the canvas was where the last fragment is to be undone.
    private var saved: Bitmap?
    private var last: Fragment?

    /// A transparent canvas; nil where the machine has no memory for it.
    init?(size: PixelSize, format: PixelFormat = .bgra8Premultiplied) {
        guard let canvas = PixelBuffer(size: size, format: format) else { return nil }
        self.size = size
        self.format = format
        self.canvas = canvas
    }

    /// Lays `pixels`, which have the size of the fragment's rectangle, on the canvas as the last one left it. Nil where
    /// nothing of the fragment is on the canvas. A canvas whose `add` threw is of no use any more.
    func add(_ fragment: Fragment, _ pixels: Bitmap?) throws(DecodingError) {
        try undoLast()
        if fragment.disposal == .restore { saved = try frame() }
        last = fragment
        guard let visible = visiblePart(of: fragment) else { return }
        guard let pixels else { preconditionFailure("a visible fragment without pixels") }
        precondition(pixels.size == fragment.rect.size && pixels.format == format)
        draw(pixels, fragment, visible)
    }

    /// Leaves the canvas as it is after a fragment that nobody looks at: one that does not stay needs no pixels.
    func pass(_ fragment: Fragment) throws(DecodingError) {
        precondition(fragment.disposal != .keep)
        try undoLast()
        last = fragment.disposal == .clear ? fragment : nil
    }

    /// The canvas as it is now: a copy. Opaque where it is known to be.
    func frame() throws(DecodingError) -> Bitmap {
        guard let copy = canvas.snapshot(isOpaque: canvas.isOpaque) else { throw .outOfMemory(size) }
        return copy
    }

    /// Nil for a fragment beside the canvas.
    private func visiblePart(of fragment: Fragment) -> PixelRect? {
        let visible = fragment.rect.intersection(PixelRect(size))
        return visible.isEmpty ? nil : visible
    }

    private func undoLast() throws(DecodingError) {
        guard let last = last.take() else { return }
        switch last.disposal {
        case .keep: break
        case .clear: if let visible = visiblePart(of: last) { clear(visible) }
        case .restore: try restore()
        }
    }

    private func restore() throws(DecodingError) {
        guard let previous = saved.take() else { return }
        guard let copy = PixelBuffer(copying: previous) else { throw .outOfMemory(size) }
        canvas = copy
    }

    private func clear(_ visible: PixelRect) {
        canvas.isOpaque = false
        let columns = byteRange(of: visible.columns)
        for row in visible.rows {
            canvas.withRow(row) { bytes in
                bytes.withUnsafeMutableBytes { _ = $0[columns].initializeMemory(as: UInt8.self, repeating: 0) }
            }
        }
    }

    /// A fragment that has no alpha and lacks pixels all the same, because its data are damaged, replaces what lies below
    /// it like others of its kind: a frame then looks the same from wherever it was reached.
    private func draw(_ pixels: Bitmap, _ fragment: Fragment, _ visible: PixelRect) {
        let isCopy = fragment.blend == .source || !fragment.hasAlpha || pixels.isOpaque
        if isCopy { canvas.isOpaque = pixels.isOpaque && (canvas.isOpaque || visible == PixelRect(size)) }
        let target = byteRange(of: visible.columns)
        let firstColumn = visible.x - fragment.rect.x
        let source = byteRange(of: firstColumn..<firstColumn + visible.size.width)
        for row in visible.rows {
            pixels.withRow(row - fragment.rect.y) { above in
                above.withUnsafeBytes { above in
                    write(UnsafeRawBufferPointer(rebasing: above[source]), to: row, target, isCopy: isCopy)
                }
            }
        }
    }

    private func write(_ pixels: UnsafeRawBufferPointer, to row: Int, _ columns: Range<Int>, isCopy: Bool) {
        let format = format
        canvas.withRow(row) { bytes in
            bytes.withUnsafeMutableBytes { bytes in
                let below = UnsafeMutableRawBufferPointer(rebasing: bytes[columns])
                if isCopy { below.copyMemory(from: pixels) } else { format.lay(pixels, over: below) }
            }
        }
    }

    private func byteRange(of columns: Range<Int>) -> Range<Int> {
        columns.lowerBound * format.bytesPerPixel..<columns.upperBound * format.bytesPerPixel
    }
}

extension PixelFormat {
    /// Porter and Duff's “over”, for a row of pixels of this format.
    fileprivate func lay(_ above: UnsafeRawBufferPointer, over below: UnsafeMutableRawBufferPointer) {
        switch self {
        case .bgra8Premultiplied: layPremultiplied(above, over: below)
        case .rgba8Straight:
            layStraight(
                above.assumingMemoryBound(to: UInt8.self), over: below.assumingMemoryBound(to: UInt8.self),
                maximum: 255 as UInt32)
        case .rgba16Straight:
            layStraight(
                above.assumingMemoryBound(to: UInt16.self), over: below.assumingMemoryBound(to: UInt16.self),
                maximum: 65535 as UInt64)
        }
    }

    /// Most pixels are all or nothing; those are copied or left alone as they are.
    private func layPremultiplied(_ above: UnsafeRawBufferPointer, over below: UnsafeMutableRawBufferPointer) {
        for pixel in stride(from: 0, to: above.count, by: 4) {
            switch above[pixel + 3] {
            case 0: continue
            case 255:
                let whole = above.loadUnaligned(fromByteOffset: pixel, as: UInt32.self)
                below.storeBytes(of: whole, toByteOffset: pixel, as: UInt32.self)
            case let alpha: blend(above, over: below, at: pixel, UInt32(alpha))
            }
        }
    }

    private func blend(
        _ above: UnsafeRawBufferPointer, over below: UnsafeMutableRawBufferPointer, at pixel: Int, _ alpha: UInt32
    ) {
        for byte in pixel..<pixel + 4 {
            let shine = (UInt32(below[byte]) * (255 - alpha) + 127) / 255
            below[byte] = UInt8(truncatingIfNeeded: min(255, UInt32(above[byte]) + shine))
        }
    }

    private func layStraight<Component: FixedWidthInteger & UnsignedInteger, Wide: FixedWidthInteger & UnsignedInteger>(
        _ above: UnsafeBufferPointer<Component>, over below: UnsafeMutableBufferPointer<Component>, maximum: Wide
    ) {
        for pixel in stride(from: 0, to: above.count, by: 4) {
            let alpha = Wide(above[pixel + 3])
            if alpha == 0 { continue }
            // Both in units of maximum².
            let ours = alpha * maximum
            let theirs = Wide(below[pixel + 3]) * (maximum - alpha)
            let sum = ours + theirs
            for index in pixel..<pixel + 3 {
                let color = Wide(above[index]) * ours + Wide(below[index]) * theirs
                below[index] = Component(truncatingIfNeeded: (color + sum / 2) / sum)
            }
            below[pixel + 3] = Component(truncatingIfNeeded: (sum + maximum / 2) / maximum)
        }
    }
}
