public import BowerbirdCore
import BowerbirdRaster

/// Lays another picture, or a colour, on a picture: a watermark, a texture, a veil.
///
/// Only the pixels under the overlay change, whatever the mode.
public struct Overlay: ImageProcessor, Hashable {
    /// How it meets the picture; `.sourceOver` by default.
    public var blendMode: BlendMode
    /// From 0, invisible, to 1, the default; rounded to one of 255 steps.
    public var opacity: Double
    private let content: Content

    private enum Content: Hashable {
        case color(Color)
        case layer(Layer, Placement)
    }

    /// Lays the first frame of `image` on the picture, in its own size, once and in the middle unless told otherwise.
    ///
    /// Reads all its pixels once, for the cache key. Make the overlay once and
    /// use it for many pictures.
    public init(
        _ image: DecodedImage, blendMode: BlendMode = .sourceOver, opacity: Double = 1,
        placement: Placement = .once()
    ) {
        self.blendMode = blendMode
        self.opacity = opacity
        content = .layer(Layer(image.bitmap), placement)
    }

    /// Lays a colour on all of the picture. Its alpha and the opacity both count.
    public init(_ color: Color, blendMode: BlendMode = .sourceOver, opacity: Double = 1) {
        self.blendMode = blendMode
        self.opacity = opacity
        content = .color(color)
    }

    /// Where on the picture the overlay lies.
    public enum Placement: Hashable, Sendable {
        /// One time. The point `anchor` of the overlay lies on the same point of the picture: in the middle by default,
        /// flush with the right and the lower edge for `.bottomRight`. `offset` then moves it.
        case once(at: UnitPoint = .center, offset: Offset = .zero)
        /// One as `once` places it, and others to all sides with `spacing` between them.
        case tiled(
            at: UnitPoint = .topLeft, offset: Offset = .zero, spacing: PixelSize = PixelSize(width: 0, height: 0))
        /// Scaled to the size of the picture, whatever its proportions.
        case stretched
    }

    /// A way in pixels, to the right and downwards.
    public struct Offset: Hashable, Sendable {
        /// To the right; to the left where negative.
        public var x: Int
        /// Downwards; upwards where negative.
        public var y: Int

        /// Any two numbers.
        public init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }

        /// Stays where it is.
        public static let zero = Offset(x: 0, y: 0)
    }

    public var cacheKey: String {
        let content =
            switch content {
            case .color(let color): "color \(color.hexadecimal)"
            case .layer(let layer, let placement): "image \(layer.inCacheKey) \(placement.inCacheKey)"
            }
        return "overlay \(blendMode.rawValue) \(opacity.inCacheKey) \(content)"
    }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard (0...1).contains(opacity) else {
            throw .invalidParameter("the opacity of an overlay must lie between 0 and 1")
        }
        switch content {
        case .color(let color):
            return try image.blended(with: color.withAlpha(UInt8((Double(color.alpha) * opacity).rounded())), blendMode)
        case .layer(let layer, let placement):
            try placement.check()
            return try lay(layer.bitmap, placement, on: image)
        }
    }

    private func lay(
        _ layer: Bitmap, _ placement: Placement, on image: DecodedImage
    ) throws(ProcessingError) -> DecodedImage {
        guard layer.format == .bgra8Premultiplied else { throw .unsupportedPixels(layer.format) }
        let opacity = UInt8((opacity * 255).rounded())
        guard blendMode.changes(opacity: opacity) else { return image }
        let layer = placement == .stretched ? try layer.stretched(to: image.size) : layer
        let tiles = TileGrid(of: layer.size, placement, on: image.size)
        let isOpaque = blendMode.isOpaque(
            source: layer.isOpaque && opacity == 255, destination: image.bitmap.isOpaque)
        let blending = Blending(blendMode, opacity: opacity)
        return try unsafe image.editedInStrips(
            isOpaque: isOpaque && (image.bitmap.isOpaque || tiles.coverEverything)
        ) { rows, bytes in unsafe tiles.draw(layer, blending, on: bytes, rows) }
    }
}

/// A picture that is known by its pixels.
private struct Layer: Hashable {
    let bitmap: Bitmap
    private let fingerprint: Fingerprint

    init(_ bitmap: Bitmap) {
        self.bitmap = bitmap
        var fingerprint = Fingerprint()
        bitmap.withBytes { fingerprint.add($0) }
        self.fingerprint = fingerprint
    }

    static func == (one: Layer, other: Layer) -> Bool { one.inCacheKey == other.inCacheKey }
    func hash(into hasher: inout Hasher) { hasher.combine(inCacheKey) }

    var inCacheKey: String {
        "\(bitmap.size.width)x\(bitmap.size.height) \(bitmap.format.rawValue) \(fingerprint.inCacheKey)"
    }
}

extension Overlay.Placement {
    fileprivate var inCacheKey: String {
        switch self {
        case .once(let anchor, let offset): "once \(anchor.inCacheKey) \(offset.x),\(offset.y)"
        case .tiled(let anchor, let offset, let spacing):
            "tiled \(anchor.inCacheKey) \(offset.x),\(offset.y) \(spacing.width)x\(spacing.height)"
        case .stretched: "stretched"
        }
    }

    fileprivate func check() throws(ProcessingError) {
        switch self {
        case .stretched: break
        case .once(let anchor, _), .tiled(let anchor, _, _):
            guard anchor.isFinite else { throw .invalidParameter("an overlay cannot lie endlessly far away") }
        }
        if case .tiled(_, _, let spacing) = self, spacing.width < 0 || spacing.height < 0 {
            throw .invalidParameter("the spacing of a tiled overlay cannot be negative")
        }
    }
}

extension Bitmap {
    fileprivate func stretched(to size: PixelSize) throws(ProcessingError) -> Bitmap {
        do {
            return try resampled(to: size, filter: .catmullRom)
        } catch .cancelled {
            throw .cancelled
        } catch {
            throw .outOfMemory(size)
        }
    }
}
