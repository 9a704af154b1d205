import Bowerbird
import Dispatch

extension Topic {
    /// The memory cache beside the design of its peers. Times are those of one operation.
    static let memoryCache = Topic("Memory cache") {
        let entries = try MemoryEntries()
        return try await alone(entries) + together(entries)
    }
}

private typealias Ours = Exercise<MemoryCache>
private typealias Peer = Exercise<PeerMemoryCache<CachedImage>>

// MARK: One thread

private func alone(_ entries: MemoryEntries) async throws -> [Figure] {
    let count = MemoryEntries.count
    let (ours, peer) = (Ours(entries, filledWith: count), Peer(entries, filledWith: count))
    let hits = await Comparison.interleaved(.processor) {
        ours.hit(entries.inOrder)
    } _: {
        peer.hit(entries.inOrder)
    }
    let others = await Comparison.interleaved(.processor) {
        ours.hit(entries.inNoOrder)
    } _: {
        peer.hit(entries.inNoOrder)
    }
    let misses = await Comparison.interleaved(.processor) {
        ours.miss()
    } _: {
        peer.miss()
    }
    let sets = await Comparison.interleaved(.processor) {
        Ours(entries)
    } _: {
        $0.set()
    } with: {
        Peer(entries)
    } _: {
        $0.set()
    }
    let removals = await Comparison.interleaved(.processor) {
        Ours(entries, filledWith: count)
    } _: {
        $0.remove()
    } with: {
        Peer(entries, filledWith: count)
    } _: {
        $0.remove()
    }
    return hits.nanoseconds("hit", .atLeast(5), count) + others.nanoseconds("hit in no order", nil, count)
        + misses.nanoseconds("miss", .atLeast(8), count)
        + sets.nanoseconds("set", .atLeast(6), count) + removals.nanoseconds("remove", .atLeast(8), count)
        + (try await mix(entries))
}

private func mix(_ entries: MemoryEntries) async throws -> [Figure] {
    let limit = MemoryEntries.mixLimit
    let ours = Ours(entries, countLimit: limit, filledWith: limit)
    let peer = Peer(entries, countLimit: limit, filledWith: limit)
    let comparison = try await Comparison.interleaved(
        .processor, with: entries.newImages, ours.mix, with: entries.newImages, peer.mix)
    return comparison.nanoseconds("mix 90/10 with eviction", .atLeast(5), entries.mix.count)
}

// MARK: Two threads

private func together(_ entries: MemoryEntries) async -> [Figure] {
    let count = MemoryEntries.count
    let (ours, peer) = (Ours(entries, filledWith: count), Peer(entries, filledWith: count))
    let hits = await Comparison.interleaved(.wall) {
        twice { ours.hit(entries.inOrder) }
    } _: {
        twice { peer.hit(entries.inOrder) }
    }
    let misses = await Comparison.interleaved(.wall) {
        twice(ours.miss)
    } _: {
        twice(peer.miss)
    }
    let sets = await Comparison.interleaved(.wall) {
        twice(ours.set)
    } _: {
        twice(peer.set)
    }
    return hits.nanoseconds("two threads, hit", .atLeast(2), count * rounds)
        + misses.nanoseconds("two threads, miss", .atLeast(2), count * rounds)
        + sets.nanoseconds("two threads, set", .atLeast(2), count * rounds)
}

/// So often that starting the threads does not count.
private let rounds = 10

/// The same on two threads at once.
private func twice(_ exercise: @escaping @Sendable () -> Void) {
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
        for _ in 0..<rounds { exercise() }
    }
}

extension Comparison {
    /// What one operation takes, and how often the peer's takes ours.
    fileprivate func nanoseconds(_ name: String, _ limit: Figure.Limit?, _ count: Int) -> [Figure] {
        [
            Figure("\(name): MemoryCache", subject.divided(by: count), .nanoseconds),
            Figure("\(name): the peers' design", reference.divided(by: count), .nanoseconds),
            Figure(
                name: "\(name): the peers' design : MemoryCache", value: 1 / ratio, unit: .ratio,
                spread: ratios.inverted,
                limit: limit),
            Figure(
                name: "\(name): MemoryCache : itself", value: ratioToItself, unit: .ratio, spread: ratiosToItself),
        ]
    }
}
