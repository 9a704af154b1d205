/// What a file may cost at the most. A file that wants more is refused by an error that names the limit, before memory
/// is taken for it. The defaults suit files from strangers.
public struct DecodingLimits: Hashable, Sendable {
    /// Pixels of the stored picture. The default, 2²⁸, is 16,384 × 16,384: 1 GB once decoded.
    public var maximumPixelCount = 1 << 28
    /// Scans of one progressive file. Each costs a pass over the whole picture; real files have 10 to 20, attacks
    /// thousands. The default is 200.
    public var maximumScanCount = 200
    /// Frames of an animation, or pages of a document. The default, 20,000, is more than ten minutes of film.
    public var maximumFrameCount = 20_000
    /// What a file carries beside its picture: profiles, EXIF data, texts, each once unpacked. The default is 16 MB.
    public var maximumMetadataByteCount = 16 << 20
    /// How deep elements of a drawing, boxes or directories may lie in each other. The default is 64.
    public var maximumNestingDepth = 64
    /// How long the drawing of an SVG file may take. The default is 5 s.
    public var maximumDrawingTime: Duration = .seconds(5)

    /// The defaults.
    public init() {}

    /// The defaults, but for what is given.
    public init(
        maximumPixelCount: Int = 1 << 28, maximumScanCount: Int = 200, maximumFrameCount: Int = 20_000,
        maximumMetadataByteCount: Int = 16 << 20
    ) {
        self.maximumPixelCount = maximumPixelCount
        self.maximumScanCount = maximumScanCount
        self.maximumFrameCount = maximumFrameCount
        self.maximumMetadataByteCount = maximumMetadataByteCount
    }

    /// Throws `.tooLarge` for a picture over the limit and `.corrupt` for one without pixels.
    public func check(_ size: PixelSize) throws(DecodingError) {
        guard !size.isEmpty else { throw .corrupt("its size is \(size)") }
        guard size.pixelCount <= maximumPixelCount else { throw .tooLarge(size, maximumPixelCount: maximumPixelCount) }
    }

    /// Throws `.tooManyFrames` for more than the limit.
    public func check(frameCount: Int) throws(DecodingError) {
        guard frameCount <= maximumFrameCount else { throw .tooManyFrames(maximum: maximumFrameCount) }
    }

    /// Throws `.tooMuchMetadata` for more than the limit.
    public func check(metadataByteCount: Int) throws(DecodingError) {
        guard metadataByteCount <= maximumMetadataByteCount else {
            throw .tooMuchMetadata(maximumByteCount: maximumMetadataByteCount)
        }
    }
}
