internal import CGTK

/// A picture drawn in memory: contact sheets and the like. Needs no display.
public final class CairoCanvas {
    /// What has been drawn so far.
    public let surface: CairoSurface

    /// - Parameter background: fills the canvas; nil leaves it transparent.
    /// - Throws: `unusablePixels` for sizes that cairo cannot make (beyond 32,767 a side, or out of memory).
    public init(width: Int, height: Int, background: RGBA? = nil) throws(GraphicsError) {
        surface = try CairoSurface(width: width, height: height)
        guard let background else { return }
        draw { $0.fill(Rectangle(x: 0, y: 0, width: Double(width), height: Double(height)), with: background) }
    }

    /// In pixels.
    public var width: Int { surface.width }
    /// In pixels.
    public var height: Int { surface.height }

    /// Draws more.
    public func draw(_ body: (CairoContext) -> Void) {
        let context = cairo_create(surface.pointer)
        defer { cairo_destroy(context) }
        body(CairoContext(pointer: context))
    }

    /// Writes a PNG file.
    public func writePNG(to path: String) throws(GraphicsError) {
        try surface.writePNG(to: path)
    }
}
