/// A picture in memory: its pixels, upright, and what is known of it.
public struct DecodedImage: Sendable {
    /// The pixels, upright; of an animation those of its first frame.
    public var bitmap: Bitmap
    /// All but the pixels behind one reference: pictures are handed from stage to stage, and small values are cheap.
    private var facts: Facts

    /// What the file said of itself: its format, and its full size where `bitmap` was scaled down.
    public var header: ImageHeader {
        get { facts.values.header }
        set { change(\.header, to: newValue) }
    }
    /// True for a picture of a file that has not wholly arrived. Previews are shown and never stored.
    public var isPreview: Bool {
        get { facts.values.isPreview }
        set { change(\.isPreview, to: newValue) }
    }
    /// What was wrong with the file, where it could be shown all the same.
    public var warnings: [ImageWarning] {
        get { facts.values.warnings }
        set { change(\.warnings, to: newValue) }
    }
    /// What the numbers of `bitmap` mean: sRGB, unless `DecodingOptions.color` asked for what the file has.
    public var profile: ColorProfile {
        get { facts.values.profile }
        set { change(\.profile, to: newValue) }
    }
    /// The frames of an animation; nil for a still.
    public var frames: (any FrameSource)? {
        get { facts.values.frames }
        set { change(\.frames, to: newValue) }
    }

    /// A final still in sRGB without faults, unless more is said.
    public init(
        bitmap: Bitmap, header: ImageHeader, isPreview: Bool = false, warnings: [ImageWarning] = [],
        profile: ColorProfile = .sRGB, frames: (any FrameSource)? = nil
    ) {
        self.bitmap = bitmap
        facts = Facts(
            Values(header: header, isPreview: isPreview, warnings: warnings, profile: profile, frames: frames))
    }

    private struct Values: Sendable {
        var header: ImageHeader
        var isPreview: Bool
        var warnings: [ImageWarning]
        var profile: ColorProfile
        var frames: (any FrameSource)?
    }

    private final class Facts: Sendable {
        let values: Values

        init(_ values: Values) { self.values = values }
    }

    private mutating func change<Value>(_ fact: WritableKeyPath<Values, Value>, to value: Value) {
        var values = facts.values
        values[keyPath: fact] = value
        facts = Facts(values)
    }

    /// The size of `bitmap`.
    public var size: PixelSize { bitmap.size }

    /// The same picture with other pixels: what a processor returns. A still: its frames would be those before.
    public func with(_ bitmap: Bitmap) -> DecodedImage {
        var copy = self
        copy.bitmap = bitmap
        if frames != nil { copy.frames = nil }
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
