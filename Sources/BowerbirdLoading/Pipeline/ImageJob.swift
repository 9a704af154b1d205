import BowerbirdCore
import FoundationEssentials

/// The making of a picture, shared by all who asked for it.
typealias ImageJob = JobContext<ImageUpdate>
/// The search for the bytes of a file.
typealias OriginalJob = JobContext<OriginalUpdate>
/// The transfer of a file.
typealias TransferJob = JobContext<ArrivedBytes>

/// A finished picture before it is known how long each asker waited for it.
struct ProducedImage: Sendable {
    var image: DecodedImage
    var origin: ImageResponse.Origin
    var byteCount: Int?
    /// What HTTP says of the file that it was made of, and when that came. See `CachedImage`.
    var freshness: Freshness?
    var storedAt: Date?
    /// When it grows too old, and under which names it is kept, by what its file was kept with.
    var expiry: CacheExpiry?
    var tags: Set<String> = []
    var staleness: ImageError?
    /// That of the source it was made of, where that is not the one that was asked for.
    var scaleFactor: Double?
    /// Whether it is in the image cache, as far as it is to be there.
    var isRemembered = false
}

extension ProducedImage {
    init(_ image: DecodedImage, of original: Original) {
        self.init(
            image: image, origin: original.origin, byteCount: original.data.count, freshness: original.freshness,
            storedAt: original.storedAt, expiry: original.expiry, tags: original.tags, staleness: original.staleness)
    }
}
