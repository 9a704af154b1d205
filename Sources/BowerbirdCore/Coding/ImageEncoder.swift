/// Turns pixels into the bytes of a file. A conformer is a stateless value; any thread may use it, several at once.
public protocol ImageEncoder: Sendable {
    /// The format it writes.
    var format: ImageFormat { get }

    /// The file for `bitmap`. Blocks for as long as the work takes.
    func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage
}

/// How a picture is to be written.
public struct EncodingOptions: Hashable, Sendable {
    /// For lossy formats, 0 (smallest file) to 1 (best picture); values outside are brought to the nearer end. The
    /// default, 0.85, is where photographs stop showing the difference. Lossless formats ignore it.
    public var quality: Double
    /// What shows through where the picture is transparent and the format cannot be. White by default.
    public var background: Color

    /// Without arguments: good photographs, on white where they are transparent.
    public init(quality: Double = 0.85, background: Color = .white) {
        self.quality = quality
        self.background = background
    }
}

/// Why a picture did not become a file.
public enum EncodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No encoder of this build writes the format.
    case unsupportedFormat(ImageFormat)
    /// The format cannot hold a picture of this size.
    case tooLarge(PixelSize, format: ImageFormat)
    /// The format's library refused; the text is its own.
    case failed(String)
    /// The machine has no memory for the file.
    case outOfMemory

    public var description: String {
        switch self {
        case .unsupportedFormat(let format): "this build cannot write \(format)"
        case .tooLarge(let size, let format): "\(format) cannot hold a picture of \(size) pixels"
        case .failed(let reason): "the picture could not be written: \(reason)"
        case .outOfMemory: "there is no memory to write the picture"
        }
    }
}
