/// A picture in memory: its pixels, upright, and what is known of it.
public struct DecodedImage: Sendable {
    /// The pixels, upright.
    public var bitmap: Bitmap
    /// What the file said of itself: its format, and its full size where `bitmap` was scaled down.
    public var header: ImageHeader
    /// True for a picture of a file that has not wholly arrived. Previews are shown and never stored.
    public var isPreview: Bool
    /// What was wrong with the file, where it could be shown all the same.
    public var warnings: [ImageWarning]

    /// A final picture without faults, unless more is said.
    public init(bitmap: Bitmap, header: ImageHeader, isPreview: Bool = false, warnings: [ImageWarning] = []) {
        self.bitmap = bitmap
        self.header = header
        self.isPreview = isPreview
        self.warnings = warnings
    }

    /// The size of `bitmap`.
    public var size: PixelSize { bitmap.size }

    /// The same picture with other pixels: what a processor returns.
    public func with(_ bitmap: Bitmap) -> DecodedImage {
        var copy = self
        copy.bitmap = bitmap
        return copy
    }
}

/// A fault of a file that did not keep it from being shown.
public enum ImageWarning: Hashable, Sendable, CustomStringConvertible {
    /// The file ends too early; the rest of the picture is missing.
    case truncated(atByte: Int)
    /// Some of the file makes no sense; the decoder went on behind it. The text is the format library's.
    case corrupt(String)

    public var description: String {
        switch self {
        case .truncated(let offset): "the file ends early, at byte \(offset)"
        case .corrupt(let reason): "the file is damaged: \(reason)"
        }
    }
}
