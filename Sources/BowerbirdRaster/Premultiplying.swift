import CKernels

/// Between the canonical pixels and the ones that files have. All work in place, on whole pixels of four bytes.
package enum Premultiplying {
    /// Straight BGRA becomes premultiplied BGRA; each colour is rounded to the nearest.
    package static func premultiply(bgra pixels: UnsafeMutableRawBufferPointer) {
        guard let bytes = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_premultiply_bgra(bytes, pixels.count / 4)
    }

    /// Straight RGBA becomes premultiplied BGRA; each colour is rounded to the nearest.
    package static func premultiply(rgba pixels: UnsafeMutableRawBufferPointer) {
        guard let bytes = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_premultiply_rgba_to_bgra(bytes, bytes, pixels.count / 4)
    }

    /// Premultiplied BGRA becomes straight RGBA in `result`, which has room for as many bytes.
    package static func unpremultiply(
        bgra pixels: UnsafeRawBufferPointer, intoRGBA result: UnsafeMutableRawBufferPointer
    ) {
        precondition(pixels.count <= result.count)
        guard let source = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        guard let destination = unsafe result.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_unpremultiply_bgra_to_rgba(source, destination, pixels.count / 4)
    }

    /// CMYK becomes opaque BGRA, without a colour profile. `isInverted` says that 255 is no ink.
    package static func convert(cmyk pixels: UnsafeMutableRawBufferPointer, isInverted: Bool) {
        guard let bytes = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_cmyk_to_bgra(bytes, bytes, pixels.count / 4, isInverted)
    }

    /// Straight RGBA becomes premultiplied BGRA in `result`, which has room for as many bytes.
    package static func premultiply(
        rgba pixels: UnsafeRawBufferPointer, intoBGRA result: UnsafeMutableRawBufferPointer
    ) {
        precondition(pixels.count <= result.count)
        guard let source = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        guard let destination = unsafe result.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe bb_premultiply_rgba_to_bgra(source, destination, pixels.count / 4)
    }
}
