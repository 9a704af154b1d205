import BowerbirdCore
import FoundationEssentials

/// Pictures that had to make room while somebody still had them: a view that shows one keeps its memory in any case, so it
/// may as well be found again. They are held weakly, and those that are gone are dropped by and by.
struct EvictedImages: ~Copyable {
    private var images = LRUTable<EvictedImage>()

    @inline(__always)
    var isEmpty: Bool { images.isEmpty }

    /// How many there are, with those that are gone and not yet dropped.
    var count: Int { images.count }

    mutating func add(_ image: CachedImage, _ key: CacheKey, _ deadline: Deadline) {
        dropSome()
        remove(key)
        images.add(EvictedImage(image), key, cost: 0, deadline)
    }

    /// Two a time: each is looked at once while half as many are added, so that never more than that many are gone.
    private mutating func dropSome() {
        for _ in 0..<2 {
            guard let oldest = images.oldest else { return }
            if images.value(oldest).isThere { images.use(oldest) } else { _ = images.remove(oldest) }
        }
    }

    /// Nil where it is not there, or gone.
    func find(_ key: CacheKey) -> (image: CachedImage, deadline: Deadline)? {
        guard let number = images.find(key), let image = images.value(number).image else { return nil }
        return (image, images.deadline(number))
    }

    mutating func remove(_ key: CacheKey) {
        if let number = images.find(key) { _ = images.remove(number) }
    }

    mutating func remove(source: String) {
        for number in images.numbers(ofSource: source) { _ = images.remove(number) }
    }
}

/// What a `CachedImage` is but for its pixels.
final class EvictedImage: Sendable {
    private let weak: WeakDecodedImage
    private let cost: Int
    private let freshness: Freshness?
    private let storedAt: Date?
    private let expiry: CacheExpiry?

    init(_ image: CachedImage) {
        weak = WeakDecodedImage(image.image)
        cost = image.cost
        freshness = image.freshness
        storedAt = image.storedAt
        expiry = image.expiry
    }

    var isThere: Bool { weak.image != nil }

    var image: CachedImage? {
        weak.image.map { CachedImage($0, cost: cost, freshness: freshness, storedAt: storedAt, expiry: expiry) }
    }
}
