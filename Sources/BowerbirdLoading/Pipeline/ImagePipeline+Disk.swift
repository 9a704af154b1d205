import BowerbirdCore
import FoundationEssentials

// How the data cache is read: so many reads at once, the most urgent first.

extension ImagePipeline {
    /// What the data cache has under `key`; nil where it has nothing, or everybody left before it was asked. It is not
    /// asked while others that are as urgent, or more so, wait for their turn.
    ///
    /// A data cache of somebody's own need not look at the age.
    func read(_ key: CacheKey, _ request: AcceptedRequest, _ priority: PriorityRelay) async -> CacheEntry? {
        guard let cache = configuration.dataCache else { return nil }
        let entry = await observed(.disk, request) { () async -> CacheEntry? in
            let ticket = readSlots.takeTicket()
            guard await readSlots.enter(ticket, priority: priority) else { return nil }
            defer { readSlots.leave(ticket) }
            return await cache.entry(for: key)
        }
        guard let entry, !entry.expiry.isOver(for: entry.storedAt, at: configuration.now()) else { return nil }
        return entry
    }

    /// Of an entry whose bytes are no picture, or a damaged one, nobody hears but the observers: it goes, and the
    /// picture is made anew.
    func dropDamaged(_ entry: CacheEntry, _ key: CacheKey, _ request: AcceptedRequest) async {
        if request.policy.disk.writes { await configuration.dataCache?.remove(for: key) }
        tell(.damagedEntry(byteCount: entry.data.count, address: request.request.source.address))
    }
}
