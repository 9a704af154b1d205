public import BowerbirdCore
public import FoundationEssentials

/// What is wanted: a picture, in a size, edited in a way.
public struct ImageRequest: Sendable {
    /// Where the picture comes from.
    public var source: ImageSource
    /// Applied in order to the decoded picture, and to each preview.
    public var processors: [any ImageProcessor]
    /// The room for the picture in pixels, before the processors; nil (the default) keeps its full size. Decoding
    /// straight to a smaller size is several times faster and takes a fraction of the memory.
    public var targetSize: PixelSize?
    /// How the picture meets `targetSize`; `.fit` by default.
    public var scaleMode: ScaleMode
    /// What is given for speed when the picture is made smaller; `.quality` by default.
    public var scaling: DecodingOptions.Scaling
    /// Whether pictures are wanted while the file arrives. True by default; see
    /// `ImagePipeline.Configuration.previewDelay`.
    public var wantsPreviews: Bool
    /// Header fields for the server besides the loader's own.
    public var headers: [String: String]

    /// The picture as it is, in full size, with previews, unless more is said.
    public init(
        _ source: ImageSource, processors: [any ImageProcessor] = [], targetSize: PixelSize? = nil,
        scaleMode: ScaleMode = .fit, scaling: DecodingOptions.Scaling = .quality, wantsPreviews: Bool = true,
        headers: [String: String] = [:]
    ) {
        self.source = source
        self.processors = processors
        self.targetSize = targetSize
        self.scaleMode = scaleMode
        self.scaling = scaling
        self.wantsPreviews = wantsPreviews
        self.headers = headers
    }

    /// A request for a URL, with the defaults of the first initializer.
    public init(url: URL, processors: [any ImageProcessor] = [], targetSize: PixelSize? = nil) {
        self.init(.url(url), processors: processors, targetSize: targetSize)
    }

    func decodingOptions(_ limits: DecodingLimits) -> DecodingOptions {
        DecodingOptions(targetSize: targetSize, scaleMode: scaleMode, scaling: scaling, limits: limits)
    }
}
