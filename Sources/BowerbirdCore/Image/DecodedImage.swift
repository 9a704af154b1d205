/// A picture in memory: its pixels, upright, and what is known of it.
public struct DecodedImage: Sendable {
    /// The pixels, upright; of an animation those of its first frame.
    public var bitmap: Bitmap
    /// All but the pixels behind one reference: pictures are handed from stage to stage, and small values are cheap.
    fileprivate var facts: Facts

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

    fileprivate struct Values: Sendable {
        var header: ImageHeader
        var isPreview: Bool
        var warnings: [ImageWarning]
        var profile: ColorProfile
        var frames: (any FrameSource)?
    }

    fileprivate final class Facts: Sendable {
        fileprivate let values: Values

        init(_ values: Values) { self.values = values }
    }

    private mutating func change<Value>(_ fact: WritableKeyPath<Values, Value>, to value: Value) {
        var values = facts.values
        values[keyPath: fact] = value
        facts = Facts(values)
    }

    /// The memory it takes, in bytes: its pixels, and what the frames of an animation keep. Its cost in a cache.
    public var byteCount: Int {
        let (count, isHuge) = bitmap.byteCount.addingReportingOverflow(max(0, frames?.byteCount ?? 0))
        return isHuge ? .max : count
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

/// A picture that is there for as long as somebody else keeps it: a view that shows it, say.
///
/// Of a still the pixels decide. Of an animation they and its facts do, for those hold its file.
package struct WeakDecodedImage: Sendable {
    private let bitmap: WeakBitmap
    private let facts: Facts

    private enum Facts: Sendable {
        case kept(DecodedImage.Facts)
        case weak(WeakFacts)
    }

    /// In a class, for a copy of a weak reference is work for the runtime.
    private final class WeakFacts: Sendable {
        weak let facts: DecodedImage.Facts?

        init(_ facts: DecodedImage.Facts) { self.facts = facts }
    }

    package init(_ image: DecodedImage) {
        bitmap = WeakBitmap(image.bitmap)
        facts = image.frames == nil ? .kept(image.facts) : .weak(WeakFacts(image.facts))
    }

    /// Nil once it is gone.
    package var image: DecodedImage? {
        guard let bitmap = bitmap.bitmap, let facts = livingFacts else { return nil }
        return DecodedImage(bitmap: bitmap, facts: facts)
    }

    private var livingFacts: DecodedImage.Facts? {
        switch facts {
        case .kept(let facts): facts
        case .weak(let weak): weak.facts
        }
    }
}

extension DecodedImage {
    fileprivate init(bitmap: Bitmap, facts: Facts) {
        self.bitmap = bitmap
        self.facts = facts
    }
}
