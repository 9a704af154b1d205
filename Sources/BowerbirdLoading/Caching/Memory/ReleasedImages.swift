import BowerbirdCore
import Dispatch
import Synchronization

/// Pictures that have left a cache and are about to be freed. The first needs no array: most often it is the only one.
struct ReleasedImages: Sendable {
    private var first: CachedImage?
    private var others: [CachedImage]?
    /// The sum of what they cost.
    private(set) var cost = 0

    @inline(__always)
    init() {}

    @inline(__always)
    var isEmpty: Bool { first == nil }

    @inline(__always)
    mutating func add(_ removed: LRUTable<CachedImage>.Removed) {
        let (sum, isHuge) = cost.addingReportingOverflow(removed.cost)
        cost = isHuge ? .max : sum
        if first == nil { first = removed.value } else { append(removed.value) }
    }

    private mutating func append(_ image: CachedImage) {
        if others == nil { others = [image] } else { others?.append(image) }
    }
}

/// Frees pictures on a thread of its own: giving back megabytes takes the kernel a while, in which a view could have drawn
/// its frame. Small ones are freed at once; so are all while too many wait.
final class ReleaseQueue: Sendable {
    static let shared = ReleaseQueue(DispatchQueue(label: "bowerbird.memory-cache", qos: .utility))

    /// Less than this is not worth handing over: `malloc` keeps small blocks, and gives only large ones back to the kernel.
    static let smallCost = 256 << 10
    /// What waits at most, but for the last that was added: a producer that is faster than the queue frees its own.
    static let maximumWaiting = 64 << 20

    private let queue: DispatchQueue
    private let waiting = Atomic(0)

    init(_ queue: DispatchQueue) { self.queue = queue }

    /// Leaves nothing in `images`.
    @inline(__always)
    func release(_ images: inout ReleasedImages) {
        if images.isEmpty { return }
        if images.cost >= Self.smallCost { releaseElsewhere(&images) }
        images = ReleasedImages()
    }

    private func releaseElsewhere(_ images: inout ReleasedImages) {
        guard waiting.load(ordering: .relaxed) < Self.maximumWaiting else { return }
        let cost = min(images.cost, Self.maximumWaiting)
        waiting.add(cost, ordering: .relaxed)
        let batch = Batch()
        batch.take(&images)
        queue.async { [self] in
            batch.free()
            waiting.subtract(cost, ordering: .relaxed)
        }
    }

    /// For other work that nobody waits for.
    func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// So that the one reference moves: who gives it away must not be the one who frees it by leaving last.
    private final class Batch: Sendable {
        private let images = Lock(ReleasedImages())

        func take(_ images: inout ReleasedImages) { self.images.withLock { swap(&$0, &images) } }

        func free() {
            var freed = ReleasedImages()
            take(&freed)
        }
    }
}
