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
    /// When what is kept grows too old, in either cache; it is then a miss, whatever `freshness` says. By default each
    /// cache follows a rule of its own. Part of no key, as the next: who finds what another has brought finds it with
    /// the other's, and of several who wait for one file the last to keep it decides.
    public var expiry: CacheExpiry? {
        get { keeping?.expiry }
        set { keeping = Keeping(expiry: newValue, tags: tags) }
    }
    /// Names under which the data cache keeps what is brought, to be found and removed together. None by default.
    public var tags: Set<String>? {
        get { keeping?.tags }
        set { keeping = Keeping(expiry: expiry, tags: newValue) }
    }
    /// Applied to the bytes of a file before they are decoded, as they come from a server or a cache. None by default.
    public var transform: DataTransform?

    private(set) var keeping: Keeping?

    /// All by default.
    public init() {}

    /// How long something is kept, and under which names: behind one reference, because options are copied at every look
    /// into the memory, and few have either.
    final class Keeping: Sendable {
        let expiry: CacheExpiry?
        let tags: Set<String>?

        init(expiry: CacheExpiry?, tags: Set<String>?) {
            self.expiry = expiry
            self.tags = tags
        }
    }
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
