public import BowerbirdCore

/// A colour that stands for many pixels of a picture.
public struct DominantColor: Hashable, Sendable {
    /// Opaque.
    public var color: Color
    /// How much of the picture it stands for, from 0 to 1; transparent pixels do not count.
    public var share: Double

    /// A colour and its part of the picture.
    public init(color: Color, share: Double) {
        self.color = color
        self.share = share
    }
}

extension Bitmap {
    /// A palette: up to `count` (1 to 256) colours that together stand for the picture, that of most pixels first. Their
    /// shares add up to 1; fewer where the picture has fewer, none where it is transparent. The same picture always has
    /// the same palette.
    ///
    /// At most 200 × 200 pixels are looked at, so it takes as long for any picture that is larger. Throws
    /// `.invalidParameter` for another count and `.unsupportedPixels` unless the pixels are canonical.
    public func dominantColors(count: Int) throws(ProcessingError) -> [DominantColor] {
        guard (1...256).contains(count) else { throw .invalidParameter("a palette cannot have \(count) colours") }
        guard format == .bgra8Premultiplied else { throw .unsupportedPixels(format) }
        var palette = Palette(ColorHistogram(self).bins)
        palette.split(into: count)
        palette.refine()
        return palette.colors
    }
}

extension DecodedImage {
    /// `Bitmap.dominantColors(count:)` of its pixels.
    public func dominantColors(count: Int) throws(ProcessingError) -> [DominantColor] {
        try bitmap.dominantColors(count: count)
    }
}
