/// A picture in memory: its pixels, upright, and what is known of it.
public struct DecodedImage: Sendable {
    /// The pixels, upright.
    public var bitmap: Bitmap
    /// All but the pixels behind one reference: pictures are handed from stage to stage, and small values are cheap.
    private var facts: Facts

    /// What the file said of itself: its format, and its full size where `bitmap` was scaled down.
    public var header: ImageHeader {
        get { facts.header }
        set { facts = Facts(header: newValue, isPreview: isPreview, warnings: warnings) }
    }
    /// True for a picture of a file that has not wholly arrived. Previews are shown and never stored.
    public var isPreview: Bool {
        get { facts.isPreview }
        set { facts = Facts(header: header, isPreview: newValue, warnings: warnings) }
    }
    /// What was wrong with the file, where it could be shown all the same.
    public var warnings: [ImageWarning] {
        get { facts.warnings }
        set { facts = Facts(header: header, isPreview: isPreview, warnings: newValue) }
    }

    /// A final picture without faults, unless more is said.
    public init(bitmap: Bitmap, header: ImageHeader, isPreview: Bool = false, warnings: [ImageWarning] = []) {
        self.bitmap = bitmap
        facts = Facts(header: header, isPreview: isPreview, warnings: warnings)
    }

    private final class Facts: Sendable {
        let header: ImageHeader
        let isPreview: Bool
        let warnings: [ImageWarning]

        init(header: ImageHeader, isPreview: Bool, warnings: [ImageWarning]) {
            self.header = header
            self.isPreview = isPreview
            self.warnings = warnings
        }
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
