public import BowerbirdCore
public import FoundationEssentials

/// What is wanted: a picture, in a size, edited in a way. How it is fetched and kept stands in `options`.
public struct ImageRequest: Sendable {
    /// Where the picture comes from.
    public var source: ImageSource { didSet { sourceText = source.steadyKey } }
    /// Asked in order when the source before has failed; none by default. Where all fail the error is
    /// `ImageError.allFailed`. Each is cached as what it is.
    public var alternatives: [ImageSource] = []
    /// Applied in order to the decoded picture, and to each preview.
    public var processors: [any ImageProcessor] { didSet { edits = EditList(processors) } }
    /// The room for the picture in pixels, before the processors; nil (the default) keeps its full size. Decoding
    /// straight to a smaller size is several times faster and takes a fraction of the memory.
    public var targetSize: PixelSize?
    /// How the picture meets `targetSize`; `.fit` by default.
    public var scaleMode: ScaleMode
    /// Whether a picture smaller than `targetSize` is enlarged; false by default. Drawings (SVG) always are.
    public var allowsUpscaling = false
    /// What is given for speed when the picture is made smaller; `.quality` by default.
    public var scaling: DecodingOptions.Scaling
    /// Pixels a point, at least 1, for whoever shows the picture: it comes back as `ImageResponse.scaleFactor`, and
    /// changes no pixel. By default the `@2x` of the file's name, else 1.
    public var scaleFactor: Double?
    /// Whether an animated picture is wanted as a still; false by default.
    public var firstFrameOnly = false
    /// The page of a document, or the picture of a file with several, counted from 0, the default.
    public var page = 0
    /// Header fields for the server besides the loader's own.
    public var headers: [String: String]
    /// Stands for the source in all caches, and is yours to keep unique; nil (the default) takes the address. With it,
    /// addresses that change may name one picture.
    public var cacheKey: String?
    /// How it is fetched and kept. What is nil here is settled by the pipeline.
    public var options: RequestOptions
    /// Whatever you want to find again in `ImageTask.request`. Changes nothing.
    public var userInfo: [String: any Sendable] = [:]

    /// Taken from `source` and `processors` when those are set, so that asking the memory costs no text work.
    private(set) var sourceText: String?
    private(set) var edits: EditList

    /// The picture as it is, in full size, unless more is said.
    public init(
        _ source: ImageSource, processors: [any ImageProcessor] = [], targetSize: PixelSize? = nil,
        scaleMode: ScaleMode = .fit, scaling: DecodingOptions.Scaling = .quality, headers: [String: String] = [:],
        options: RequestOptions = RequestOptions()
    ) {
        self.source = source
        self.processors = processors
        self.targetSize = targetSize
        self.scaleMode = scaleMode
        self.scaling = scaling
        self.headers = headers
        self.options = options
        sourceText = source.steadyKey
        edits = EditList(processors)
    }

    /// A request for a URL, with the defaults of the first initializer.
    public init(url: URL, processors: [any ImageProcessor] = [], targetSize: PixelSize? = nil) {
        self.init(.url(url), processors: processors, targetSize: targetSize)
    }

    /// The same with the processors of lists in the place of these.
    var unfolded: ImageRequest {
        guard processors.contains(where: { $0.steps.count != 1 }) else { return self }
        var unfolded = self
        unfolded.processors = processors.flatMap(\.steps)
        return unfolded
    }

    func decodingOptions(_ limits: DecodingLimits) -> DecodingOptions {
        DecodingOptions(
            targetSize: targetSize, scaleMode: scaleMode, allowsUpscaling: allowsUpscaling, scaling: scaling,
            firstFrameOnly: firstFrameOnly, page: page, limits: limits)
    }
}

/// The keys of a list of processors as one text, that of no other list: how many, and each after its length.
struct EditList: Sendable {
    let text: String

    init(_ processors: [any ImageProcessor]) {
        let keys = processors.flatMap(\.steps).map(\.cacheKey)
        guard !keys.isEmpty else {
            text = ""
            return
        }
        text = keys.reduce(into: "\(keys.count) ") { text, key in text += "\(key.utf8.count):\(key)" }
    }
}
