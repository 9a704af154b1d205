import CKernels

/// One colour over or under canonical pixels, in place. The colour is a premultiplied pixel, its alpha the highest byte.
package enum Covering {
    /// What is below shows through as far as the colour is transparent.
    package static func lay(_ color: UInt32, over pixels: UnsafeMutableRawBufferPointer) {
        if color >> 24 == 255 {
            // Whole pixels: any four bytes are a number.
            unsafe pixels.bindMemory(to: UInt32.self).update(repeating: color)
        } else if let bytes = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) {
            unsafe bb_lay_over(color, bytes, pixels.count / 4)
        }
    }

    /// The colour shows through as far as the pixels are transparent.
    package static func lay(_ color: UInt32, under pixels: UnsafeMutableRawBufferPointer) {
        guard let bytes = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_lay_under(color, bytes, pixels.count / 4)
    }
}
