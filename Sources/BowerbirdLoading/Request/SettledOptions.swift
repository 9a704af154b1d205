import BowerbirdCore

/// The options of one request with nothing left open: its own, else the pipeline's, else the defaults.
struct SettledOptions: Sendable {
    var cachePolicy: CachePolicy
    let freshness: FreshnessPolicy
    let priority: RequestPriority
    let previews: PreviewPolicy
    let retry: RetryPolicy
    let ignoresFailureList: Bool
    let plainHTTP: PlainHTTPPolicy
    let allowsInvalidCertificate: Bool
    let usesCookies: Bool
    let maximumByteCount: Int
    let limits: DecodingLimits
    let keyRules: [KeyRule]
    let diskContent: DiskContent
    private let keeping: RequestOptions.Keeping?
    let transform: DataTransform?

    init(_ own: RequestOptions, _ common: RequestOptions) {
        cachePolicy = own.cachePolicy ?? common.cachePolicy ?? .cacheFirst
        freshness = own.freshness ?? common.freshness ?? .keep
        priority = own.priority ?? common.priority ?? .normal
        transform = own.transform ?? common.transform
        let previews = own.previews ?? common.previews ?? .whileLoading
        self.previews = transform == nil ? previews : .off
        retry = own.retry ?? common.retry ?? .never
        ignoresFailureList = own.ignoresFailureList ?? common.ignoresFailureList ?? false
        plainHTTP = own.plainHTTP ?? common.plainHTTP ?? .warn
        allowsInvalidCertificate = own.allowsInvalidCertificate ?? common.allowsInvalidCertificate ?? false
        usesCookies = own.usesCookies ?? common.usesCookies ?? false
        maximumByteCount = own.maximumByteCount ?? common.maximumByteCount ?? Self.defaultByteCount
        limits = own.limits ?? common.limits ?? DecodingLimits()
        keyRules = own.keyRules ?? common.keyRules ?? []
        diskContent = own.diskContent ?? common.diskContent ?? .original
        keeping = Self.keeping(own, common)
    }

    var expiry: CacheExpiry? { keeping?.expiry }
    var tags: Set<String> { keeping?.tags ?? [] }

    private static func keeping(_ own: RequestOptions, _ common: RequestOptions) -> RequestOptions.Keeping? {
        guard let mine = own.keeping, let theirs = common.keeping else { return own.keeping ?? common.keeping }
        return RequestOptions.Keeping(expiry: mine.expiry ?? theirs.expiry, tags: mine.tags ?? theirs.tags)
    }

    /// Larger than any photograph, smaller than what brings a desktop down.
    private static let defaultByteCount = 512 << 20
}
