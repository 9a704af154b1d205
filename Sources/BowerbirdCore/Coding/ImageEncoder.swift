/// Turns pixels into the bytes of a file. A conformer is a stateless value; any thread may use it, several at once.
public protocol ImageEncoder: Sendable {
    /// The format it writes.
    var format: ImageFormat { get }

    /// The file for `bitmap`. Blocks for as long as the work takes.
    func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage

    /// The file for an animation, with its delays and loop count. Blocks for as long as the work takes; asks for one frame
    /// after the other. Throws `.cannotAnimate` for a format of stills.
    func encode(_ frames: any FrameSource, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage
}

extension ImageEncoder {
    /// Throws: the format knows stills only.
    public func encode(_ frames: any FrameSource, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
        throw .cannotAnimate(format)
    }
}

/// How a picture is to be written. A format takes from it what it knows and ignores the rest.
public struct EncodingOptions: Hashable, Sendable {
    /// For lossy formats, 0 (smallest file) to 1 (best picture); values outside are brought to the nearer end. The
    /// default, 0.85, is where photographs stop showing the difference. Lossless formats ignore it.
    public var quality: Double
    /// What shows through where the picture is transparent and the format cannot be. White by default.
    public var background: Color
    /// Whether formats that can be both (WebP, AVIF, JPEG XL) keep every pixel as it is; false by default.
    public var isLossless = false
    /// Whether the file shows the whole picture early, ever sharper (JPEG, JPEG XL); false by default.
    public var isProgressive = false
    /// Whether colour keeps its full resolution (JPEG, AVIF); nil (the default) leaves that to `quality`.
    public var keepsFullChroma: Bool?
    /// How long may be spent for a smaller file, 0 (fastest) to 1 (smallest). The default, 0.5, is what each format's own
    /// programs do.
    public var effort = 0.5
    /// What the numbers of the pixels mean; sRGB by default. Other profiles are written into files that can have one.
    public var profile: ColorProfile = .sRGB
    /// What is written beside the picture: EXIF data, XMP, density, texts. Nil (the default) writes nothing.
    public var metadata: ImageMetadata?
    /// How the pixels are to be turned by who shows the file, which is written into it; `.topLeft` (the default) for
    /// pixels that are upright already. It replaces the one that `metadata` has.
    public var orientation: Orientation = .topLeft

    /// Without arguments: good photographs, on white where they are transparent.
    public init(quality: Double = 0.85, background: Color = .white) {
        self.quality = quality
        self.background = background
    }

    /// `quality`, within its range.
    package var clampedQuality: Double { min(max(0, quality.isNaN ? 0 : quality), 1) }
    /// `effort`, within its range.
    package var clampedEffort: Double { min(max(0, effort.isNaN ? 0 : effort), 1) }
}

/// Why a picture did not become a file.
public enum EncodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No encoder of this build writes the format.
    case unsupportedFormat(ImageFormat)
    /// The format cannot hold a picture of this size.
    case tooLarge(PixelSize, format: ImageFormat)
    /// The format holds stills only.
    case cannotAnimate(ImageFormat)
    /// A frame of the animation could not be had.
    case unreadableFrame(Int, DecodingError)
    /// The file cannot be made as small as asked, at any quality.
    case cannotFit(maximumByteCount: Int)
    /// The task that asked was cancelled.
    case cancelled
    /// The format's library refused; the text is its own.
    case failed(String)
    /// The machine has no memory for the file.
    case outOfMemory

    public var description: String {
        switch self {
        case .unsupportedFormat(let format): "this build cannot write \(format)"
        case .tooLarge(let size, let format): "\(format) cannot hold a picture of \(size) pixels"
        case .cannotAnimate(let format): "\(format) holds stills only"
        case .unreadableFrame(let index, let error): "frame \(index): \(error)"
        case .cannotFit(let maximum): "the file cannot be made as small as \(maximum) bytes"
        case .cancelled: "the writing was cancelled"
        case .failed(let reason): "the picture could not be written: \(reason)"
        case .outOfMemory: "there is no memory to write the picture"
        }
    }
}
