internal import CGTK

/// An image as cairo draws it, in software.
@MainActor  // the default, but when inferred it is lost in other modules (Swift 6.3), and isolated deinit fails
public final class CairoSurface {
    let pointer: OpaquePointer?

    /// Draws `pixels` where they are, without a copy. Drawings that GTK has yet to show keep them too.
    /// - Parameter isOpaque: all alphas are 255, which draws faster.
    /// - Throws: `unusablePixels` when the rows or the first pixel do not begin at multiples of 4 bytes.
    public init(_ pixels: ForeignPixels, isOpaque: Bool = false) throws(GraphicsError) {
        guard pixels.bytesPerRow % 4 == 0, Int(bitPattern: pixels.pointer) % 4 == 0 else {
            throw .unusablePixels("rows of \(pixels.bytesPerRow) bytes do not begin at multiples of 4")
        }
        // Cairo writes only to what is drawn upon; this surface is only drawn from.
        let memory = UnsafeMutableRawPointer(mutating: pixels.pointer).assumingMemoryBound(to: UInt8.self)
        pointer = cairo_image_surface_create_for_data(
            memory, isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, Int32(pixels.width), Int32(pixels.height),
            Int32(pixels.bytesPerRow))
        try keep(pixels)
    }

    /// An empty, transparent surface to draw upon.
    public init(width: Int, height: Int) throws(GraphicsError) {
        pointer = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(clamping: width), Int32(clamping: height))
        try check()
    }

    /// The picture in a PNG file.
    public init(pngAt path: String) throws(GraphicsError) {
        pointer = cairo_image_surface_create_from_png(path)
        let status = cairo_surface_status(pointer)
        guard status == CAIRO_STATUS_SUCCESS else { throw .cannotRead(path: path, reason: explanation(of: status)) }
    }

    isolated deinit {
        cairo_surface_destroy(pointer)
    }

    /// In pixels.
    public var width: Int { Int(cairo_image_surface_get_width(pointer)) }
    /// In pixels.
    public var height: Int { Int(cairo_image_surface_get_height(pointer)) }

    /// Writes a PNG file.
    public func writePNG(to path: String) throws(GraphicsError) {
        let status = cairo_surface_write_to_png(pointer, path)
        guard status == CAIRO_STATUS_SUCCESS else { throw .cannotWrite(path: path, reason: explanation(of: status)) }
    }

    private func keep(_ pixels: ForeignPixels) throws(GraphicsError) {
        try check()
        let owner = pixels.retainOwner()
        let status = cairo_surface_set_user_data(pointer, &ownerKey, owner, releaseOwner)
        guard status != CAIRO_STATUS_SUCCESS else { return }
        releaseOwner(owner)
        throw .unusablePixels(explanation(of: status))
    }

    private func check() throws(GraphicsError) {
        let status = cairo_surface_status(pointer)
        guard status == CAIRO_STATUS_SUCCESS else { throw .unusablePixels(explanation(of: status)) }
    }
}

/// Cairo knows a key by its address.
private var ownerKey = cairo_user_data_key_t()

private func explanation(of status: cairo_status_t) -> String {
    String(cString: cairo_status_to_string(status))
}
