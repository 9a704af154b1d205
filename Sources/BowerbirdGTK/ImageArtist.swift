import Bowerbird
import GTKBridge

/// Draws one bitmap the fast way for the renderer in use, over the bitmap's own memory.
///
/// On the cairo renderer a texture is copied anew in each drawing (240–550 ms for 12 megapixels), a cairo surface is not
/// (5–18 ms); on the GL renderer textures stay on the graphics card.
final class ImageArtist {
    let image: DecodedImage
    /// Whether it stands for a picture that is yet to come.
    let isPlaceholder: Bool
    /// The size of the picture that it shows, be it with fewer pixels than that.
    let size: PixelSize
    private var drawing: Drawing?

    private enum Drawing {
        case surface(CairoSurface)
        case texture(Texture)
        /// GTK cannot draw it: more than 32,767 pixels a side.
        case impossible
    }

    init(_ image: DecodedImage, isPlaceholder: Bool = false, size: PixelSize? = nil) {
        self.image = image
        self.size = size ?? image.size
        self.isPlaceholder = isPlaceholder
    }

    func draw(on snapshot: Snapshot, in rectangle: Rectangle, opacity: Double, renderer: RendererKind?) {
        switch prepared(for: renderer) {
        case .surface(let surface):
            snapshot.appendCairo(in: rectangle) { $0.draw(surface, in: rectangle, opacity: opacity) }
        case .texture(let texture):
            if opacity < 1 { snapshot.pushOpacity(opacity) }
            snapshot.append(texture, in: rectangle)
            if opacity < 1 { snapshot.pop() }
        case .impossible: break
        }
    }

    private func prepared(for renderer: RendererKind?) -> Drawing {
        if let drawing { return drawing }
        let made = (try? make(for: renderer)) ?? .impossible
        drawing = made
        return made
    }

    private func make(for renderer: RendererKind?) throws(GraphicsError) -> Drawing {
        let pixels = try image.bitmap.foreignPixels()
        if renderer == .cairo { return .surface(try CairoSurface(pixels, isOpaque: image.bitmap.isOpaque)) }
        return .texture(Texture(pixels))
    }
}

extension Bitmap {
    /// The same memory for GTK, which keeps it as long as it draws from it.
    nonisolated func foreignPixels() throws(GraphicsError) -> ForeignPixels {
        guard format == .bgra8Premultiplied else { throw .unusablePixels(format.rawValue) }
        return try withUnsafeBytes { bytes throws(GraphicsError) in
            guard let base = bytes.baseAddress else { throw .unusablePixels("no memory") }
            return try ForeignPixels(
                base, width: size.width, height: size.height, bytesPerRow: bytesPerRow, owner: storage)
        }
    }
}
