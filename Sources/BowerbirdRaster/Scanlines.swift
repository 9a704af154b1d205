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

    /// Filters `row` for a file: `result`, a byte longer, becomes the filter and what it leaves. Of the filters whose bits
    /// are set it is the one that leaves the bytes nearest to 0.
    package static func filter(
        _ row: UnsafeRawBufferPointer, below previous: UnsafeRawBufferPointer, filters: UInt8, bytesPerPixel: Int,
        scratch: UnsafeMutableRawBufferPointer, into result: UnsafeMutableRawBufferPointer
    ) {
        precondition(previous.count == row.count && scratch.count == row.count && result.count == row.count + 1)
        guard let source = unsafe row.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        guard let above = unsafe previous.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        guard let room = unsafe scratch.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        guard let target = unsafe result.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_filter_row(filters, source, above, row.count, bytesPerPixel, room, target)
    }

    /// The bytes of each pixel that are named by their places in it, one to four, in that order.
    package static func pack(
        _ pixels: UnsafeRawBufferPointer, places: [UInt8], into row: UnsafeMutableRawBufferPointer
    ) {
        precondition((1...4).contains(places.count) && places.allSatisfy { $0 < 4 })
        precondition(row.count == pixels.count / 4 * places.count)
        guard let source = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        guard let destination = unsafe row.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let filled = places + [0, 0, 0]
        let kept = BBPackedBytes(count: places.count, places: (filled[0], filled[1], filled[2], filled[3]))
        unsafe bb_pack_bytes(source, destination, pixels.count / 4, kept)
    }

    /// The first `count` components of each pixel of 16 bits a component, the higher byte of each first.
    package static func pack(
        words pixels: UnsafeRawBufferPointer, count: Int, into row: UnsafeMutableRawBufferPointer
    ) {
        precondition((1...4).contains(count) && row.count == pixels.count / 8 * 2 * count)
        guard let source = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt16.self) else { return }
        guard let destination = unsafe row.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_pack_words(source, destination, pixels.count / 8, count)
    }

    private static let instructionSet = bb_best_instruction_set()
}
