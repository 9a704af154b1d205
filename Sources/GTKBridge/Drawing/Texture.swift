internal import CGTK

/// An image as GTK draws it. Immutable.
public final class Texture: Object {
    /// Shows `pixels` where they are, without a copy.
    public convenience init(_ pixels: ForeignPixels) {
        let bytes = g_bytes_new_with_free_func(
            pixels.pointer, gsize(pixels.byteCount), releaseOwner, pixels.retainOwner())
        defer { g_bytes_unref(bytes) }
        self.init(
            adopting: gdk_memory_texture_new(
                Int32(pixels.width), Int32(pixels.height), GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes,
                gsize(pixels.bytesPerRow)))
    }

    /// The picture in a PNG file.
    public convenience init(pngAt path: String) throws(GraphicsError) {
        var error: UnsafeMutablePointer<GError>?
        guard let texture = gdk_texture_new_from_filename(path, &error) else {
            defer { g_error_free(error) }
            throw .cannotRead(path: path, reason: error.map { String(cString: $0.pointee.message) } ?? "unknown")
        }
        self.init(adopting: texture)
    }

    package override init(adopting pointer: some GObjectPointer) {
        super.init(adopting: pointer)
    }

    /// In pixels.
    public var width: Int { Int(gdk_texture_get_width(opaque)) }
    /// In pixels.
    public var height: Int { Int(gdk_texture_get_height(opaque)) }

    /// Writes a PNG file, in the format that the texture has.
    public func writePNG(to path: String) throws(GraphicsError) {
        guard gdk_texture_save_to_png(opaque, path) != 0 else {
            throw .cannotWrite(path: path, reason: "GDK could not save the texture")
        }
    }

    /// A copy of the pixels, brought back from the graphics card if they are there.
    public func pixels() -> TexturePixels {
        var pixels = TexturePixels(width: width, height: height)
        gdk_texture_download(opaque, &pixels.bytes, gsize(pixels.bytesPerRow))
        return pixels
    }
}

/// The pixels of a texture in memory of our own: blue, green, red, alpha, premultiplied.
public nonisolated struct TexturePixels: Hashable, Sendable {
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// Row by row, without padding.
    public internal(set) var bytes: [UInt8]
    /// From one row to the next.
    public var bytesPerRow: Int { 4 * width }

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        bytes = Array(repeating: 0, count: 4 * width * height)
    }

    /// One pixel; nil outside.
    public func pixel(x: Int, y: Int) -> Pixel? {
        guard 0..<width ~= x, 0..<height ~= y else { return nil }
        let start = y * bytesPerRow + 4 * x
        return Pixel(
            red: bytes[start + 2], green: bytes[start + 1], blue: bytes[start], alpha: bytes[start + 3])
    }

    /// One pixel, premultiplied.
    public struct Pixel: Hashable, Sendable {
        /// From 0 to 255; red, green and blue are at most alpha.
        public var red, green, blue, alpha: UInt8

        /// An opaque color, unless `alpha` says otherwise.
        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            self.red = red
            self.green = green
            self.blue = blue
            self.alpha = alpha
        }
    }
}
