/// Turns the bytes of a file into pixels. A conformer is a stateless value; any thread may use it, several at once.
///
/// Decoders block for as long as the work takes, look at `Task.isCancelled` between rows, and throw
/// `DecodingError.cancelled` when it is set. The pixels come upright: `ImageHeader.orientation` has been applied.
public protocol ImageDecoder: Sendable {
    /// The formats it reads.
    var formats: [ImageFormat] { get }

    /// Whether the bytes begin like one of its formats, for a format that `ImageFormat(sniffing:)` does not know: it is
    /// asked only then. False by default.
    func recognizes(_ bytes: RawSpan) -> Bool

    /// The facts of the file, from as many of its first bytes as that takes; `.truncated` when they are too few.
    func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader

    /// The picture, in exactly the size that `options` ask for. A file that ends early or is damaged gives what can be
    /// shown, with a warning; one that shows nothing throws.
    func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage

    /// The frames of an animated file; nil for a still. Reads the whole file once to find them, and decodes none.
    func frames(in file: EncodedImage, _ options: DecodingOptions) throws(DecodingError) -> (any FrameSource)?

    /// What the file tells beside its picture, as far as `limits` allow; what makes no sense is left out.
    func metadata(of bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> ImageMetadata

    /// A decoder for one file that is still arriving; nil where the format shows all or nothing.
    func makeProgressiveDecoder(_ options: DecodingOptions) -> (any ProgressiveDecoder)?
}

extension ImageDecoder {
    /// False: the signatures that `ImageFormat(sniffing:)` knows are enough.
    public func recognizes(_ bytes: RawSpan) -> Bool { false }
    /// Nil: the format knows stills only.
    public func frames(in file: EncodedImage, _ options: DecodingOptions) throws(DecodingError) -> (any FrameSource)? {
        nil
    }
    /// Nothing: the format carries none.
    public func metadata(of bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> ImageMetadata {
        ImageMetadata()
    }
    /// Nil: the format shows all or nothing.
    public func makeProgressiveDecoder(_ options: DecodingOptions) -> (any ProgressiveDecoder)? { nil }
}
