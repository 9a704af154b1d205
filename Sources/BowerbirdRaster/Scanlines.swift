import CKernels

/// From the rows that PNG files hold to rows of pixels of four bytes.
package enum Scanlines {
    /// Undoes the filter of `row` in place; `previous` is the row above it, of the same length, undone already. False for
    /// a filter that does not exist, and for a row that is not made of whole pixels.
    package static func unfilter(
        _ row: UnsafeMutableRawBufferPointer, below previous: UnsafeRawBufferPointer, filter: UInt8, bytesPerPixel: Int
    ) -> Bool {
        precondition(previous.count == row.count)
        guard let bytes = unsafe row.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
        guard let above = unsafe previous.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
        return unsafe bb_unfilter_row(filter, bytes, above, row.count, bytesPerPixel, instructionSet)
    }

    /// Three bytes a pixel become four, the last 255; `swaps` exchanges red and blue.
    package static func expand(
        rgb row: UnsafeRawBufferPointer, into pixels: UnsafeMutableRawBufferPointer, swaps: Bool
    ) {
        precondition(row.count / 3 == pixels.count / 4)
        guard let source = unsafe row.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        guard let destination = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_expand_rgb(source, destination, pixels.count / 4, swaps, instructionSet)
    }

    /// Grey and alpha become straight pixels.
    package static func expand(grayAlpha row: UnsafeRawBufferPointer, into pixels: UnsafeMutableRawBufferPointer) {
        precondition(row.count / 2 == pixels.count / 4)
        guard let source = unsafe row.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        guard let destination = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_expand_gray_alpha(source, destination, pixels.count / 4)
    }

    /// Indices of 1, 2, 4 or 8 bits become the pixels that `table`, of 256, has for them.
    package static func lookUp(
        _ row: UnsafeRawBufferPointer, bits: Int, in table: [UInt32], into pixels: UnsafeMutableRawBufferPointer
    ) {
        precondition(table.count == 256 && row.count == (pixels.count / 4 * bits + 7) / 8)
        guard let source = unsafe row.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        guard let destination = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe table.withUnsafeBufferPointer { table in
            guard let table = table.baseAddress else { return }
            _ = unsafe bb_look_up(source, Int32(bits), table, destination, pixels.count / 4)
        }
    }

    /// Every pixel that is `pixel` (its first byte the lowest) becomes `replacement`.
    package static func replace(_ pixel: UInt32, with replacement: UInt32, in pixels: UnsafeMutableRawBufferPointer) {
        guard let bytes = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_replace_pixel(bytes, pixels.count / 4, pixel, replacement)
    }

    /// Straight RGBA becomes premultiplied BGRA.
    package static func premultiply(
        rgba row: UnsafeRawBufferPointer, into pixels: UnsafeMutableRawBufferPointer
    ) {
        precondition(row.count == pixels.count)
        guard let source = unsafe row.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        guard let destination = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_premultiply_rgba_to_bgra(source, destination, row.count / 4)
    }

    private static let instructionSet = bb_best_instruction_set()
}
