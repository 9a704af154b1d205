public import BowerbirdCore

/// How a picture is fetched and kept: everything about a request that does not change which picture it is.
///
/// Each option that is nil is settled by the pipeline's `Configuration.options`, and where that is nil too, by the
/// default named here.
public struct RequestOptions: Sendable {
    /// Which caches are read and written, and when the network is asked. `.cacheFirst` by default.
    public var cachePolicy: CachePolicy?
    /// Whether HTTP says how long a kept file is good. `.keep` by default: a file on the disk is good until it is
    /// removed, or refreshed by `.refreshCached`.
    public var freshness: FreshnessPolicy?
    /// Before whom it is served. `.normal` by default. A running task can be given another: `ImageTask.priority`.
    public var priority: RequestPriority?
    /// Whether pictures are wanted while the file arrives. `.whileLoading` by default.
    public var previews: PreviewPolicy?
    /// Whether a transfer that failed is tried again. `.never` by default: one failure is one request.
    public var retry: RetryPolicy?
    /// Whether a source that failed before is asked for again all the same; false by default. See `FailurePolicy`.
    public var ignoresFailureList: Bool?
    /// Whether `http:` addresses are loaded. `.warn` by default.
    public var plainHTTP: PlainHTTPPolicy?
    /// Whether a server whose certificate is not valid is believed, for this request only; false by default. Neither its
    /// connection nor what it brings, in whichever cache, serves a request that asks for a valid one.
    public var allowsInvalidCertificate: Bool?
    /// Whether cookies are sent and kept, in a jar that the loader has in memory; false by default.
    public var usesCookies: Bool?
    /// The largest file that is loaded, in bytes: 512 MB by default. A longer one is `LoadingError.tooLarge`.
    public var maximumByteCount: Int?
    /// What decoding may cost.
    public var limits: DecodingLimits?
    /// What in an address does not count for its identity: the signatures of signed URLs, by `KeyRule.signedURLs`. All
    /// rules are followed, one after the other. None by default.
    public var keyRules: [KeyRule]?
    /// What the disk keeps. `.original` by default.
    public var diskContent: DiskContent?
    /// Applied to the bytes of a file before they are decoded, as they come from a server or a cache. None by default.
    public var transform: DataTransform?

    /// All by default.
    public init() {}
}

/// Whether pictures are wanted while a file arrives.
public enum PreviewPolicy: String, Hashable, Sendable {
    /// They are not.
    case off
    /// They are, as the format allows; see `ImagePipeline.Configuration.previewDelay`.
    case whileLoading
}

/// Whether addresses without encryption are loaded.
public enum PlainHTTPPolicy: String, Hashable, Sendable {
    /// Like any other.
    case allow
    /// Loaded; the pipeline's observers are told once for each host (`PipelineEvent.plainHTTP`).
    case warn
    /// Refused as `LoadingError.plainHTTP` before anything is sent.
    case refuse
}

/// What the disk keeps of a remote picture.
public enum DiskContent: Hashable, Sendable {
    /// The bytes of the file, from which every size and edit can be made again.
    case original
    /// The finished picture, in a format that this build can write, and not the file: small, but the next size or edit
    /// is another transfer. A request that has neither a size nor edits keeps the original.
    case processed(ImageFormat)
    /// Both: the finished picture is there at once, and every other one without a transfer.
    case both(ImageFormat)

    var keepsOriginal: Bool { if case .processed = self { false } else { true } }

    /// Nil where finished pictures are not kept.
    var processedFormat: ImageFormat? {
        switch self {
        case .original: nil
        case .processed(let format), .both(let format): format
        }
    }
}

/// Something done to the bytes of every file before they are decoded: decryption, most of all. The disk keeps them as
/// they came. There are no previews with it.
public struct DataTransform: Sendable {
    /// The identity: two transforms of the same name do the same. It is part of the key of the picture.
    public let name: String
    /// The new bytes; what it throws becomes `ImageError.transform`. Runs on the threads that decode.
    public let body: @Sendable (EncodedImage) throws -> EncodedImage

    /// `name` is yours to keep unique.
    public init(name: String, _ body: @escaping @Sendable (EncodedImage) throws -> EncodedImage) {
        self.name = name
        self.body = body
    }
}
