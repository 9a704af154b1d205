public import BowerbirdCore
public import FoundationEssentials

/// The original bytes of pictures, kept from one run of the program to the next.
///
/// A cache may forget: none of these calls fails. What cannot be kept is not kept, and a damaged entry is a miss.
public protocol DataCache: Sendable {
    /// The entry, whole and as it was stored, or nil.
    func entry(for key: CacheKey) async -> CacheEntry?
    /// Whether there is an entry. It does not become the one used last, and its bytes are not looked at: they may turn
    /// out to be damaged.
    func contains(_ key: CacheKey) async -> Bool
    /// Returns once `entry(for:)` finds the entry; writing it down may still be under way.
    func store(_ entry: CacheEntry, for key: CacheKey) async
    /// Gives the entry under `key` other facts of freshness: the server has confirmed it. Its bytes stay as they are.
    /// Nothing happens when there is no entry, or when it was replaced by one with other validators meanwhile: the facts
    /// are not those of its bytes.
    func renew(_ freshness: Freshness, for key: CacheKey) async
    /// After it returns, `entry(for:)` does not find the entry.
    func remove(for key: CacheKey) async
    /// After it returns, `entry(for:)` finds no entry whose key has this `source`: all variants of one picture go
    /// together.
    func remove(source: String) async
    /// The keys of all entries whose key has this `source`, in no order; none where a cache cannot tell.
    func keys(ofSource source: String) async -> [CacheKey]
    /// After it returns, `entry(for:)` finds nothing.
    func removeAll() async
}

extension DataCache {
    /// By `entry(for:)`, which reads the bytes.
    public func contains(_ key: CacheKey) async -> Bool { await entry(for: key) != nil }

    /// None: a cache that cannot list its keys says so.
    public func keys(ofSource source: String) async -> [CacheKey] { [] }

    /// By `entry(for:)` and `store`, which write the bytes again. What is stored between the two is lost.
    public func renew(_ freshness: Freshness, for key: CacheKey) async {
        guard let renewed = await entry(for: key)?.renewed(freshness) else { return }
        await store(renewed, for: key)
    }
}

/// One file in a `DataCache`, with the facts that came with it.
public struct CacheEntry: Sendable {
    /// The bytes of the file.
    public var data: EncodedImage
    /// The address it came from.
    public var url: String
    /// The `Content-Type` of the answer.
    public var mediaType: String?
    /// When the bytes came. Wall-clock time.
    public var storedAt: Date
    /// What HTTP says about its age and how to ask whether it still holds; nil where it did not come by HTTP.
    public var freshness: Freshness? {
        get { facts.freshness }
        set { facts = .read(newValue) }
    }
    private var facts: Facts
    /// When it grows too old; nil leaves that to the cache. It is then a miss, whatever `freshness` says.
    public var expiry: CacheExpiry?
    /// Names by which it can be found and removed together with others: an album, an account.
    public var tags: Set<String>
    /// Bytes of your own, kept beside the file and not looked at. They count towards no limit: be brief.
    public var userInfo: [UInt8]?

    /// Stored now, unless another time is given.
    public init(
        data: EncodedImage, url: String, mediaType: String? = nil, storedAt: Date = Date(),
        freshness: Freshness? = nil, expiry: CacheExpiry? = nil, tags: Set<String> = [], userInfo: [UInt8]? = nil
    ) {
        self.data = data
        self.url = url
        self.mediaType = mediaType
        self.storedAt = storedAt
        facts = .read(freshness)
        self.expiry = expiry
        self.tags = tags
        self.userInfo = userInfo
    }

    /// As a database has it.
    init(
        data: EncodedImage, url: String, mediaType: String?, storedAt: Date, keptFreshness: FreshnessRecord?,
        expiry: CacheExpiry?, tags: Set<String>, userInfo: [UInt8]?
    ) {
        self.data = data
        self.url = url
        self.mediaType = mediaType
        self.storedAt = storedAt
        facts = keptFreshness.map { .kept($0) } ?? .read(nil)
        self.expiry = expiry
        self.tags = tags
        self.userInfo = userInfo
    }

    /// What the database has is read when somebody asks: taking the lines apart costs as much as finding them.
    private enum Facts {
        case read(Freshness?)
        case kept(FreshnessRecord)

        var freshness: Freshness? {
            switch self {
            case .read(let freshness): freshness
            case .kept(let record): record.freshness
            }
        }
    }

    /// Nil where `freshness` speaks of other bytes.
    func renewed(_ freshness: Freshness) -> CacheEntry? {
        guard freshness.hasValidators(of: self.freshness) else { return nil }
        var renewed = self
        renewed.freshness = freshness
        return renewed
    }
}
