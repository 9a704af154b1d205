import BowerbirdCore
import Testing

@testable import BowerbirdLoading

@Suite struct StagedWritesTests {
    private let a = CacheKey("a")
    private let b = CacheKey("b")

    @Test func entriesAreFoundUntilTheyAreDown() throws {
        var staged = StagedWrites()
        staged.add(try cacheEntry("a", count: 10), for: a, at: 1)
        let writes = staged.begin().writes
        #expect(staged.entry(for: a) != nil)
        #expect(staged.byteCount == 10)
        staged.finish(writes)
        #expect(staged.entry(for: a) == nil)
        #expect(staged.byteCount == 0)
    }

    @Test func aNewerEntrySurvivesTheWritingOfTheOlder() throws {
        var staged = StagedWrites()
        staged.add(try cacheEntry("a", count: 10), for: a, at: 1)
        let writes = staged.begin().writes
        staged.add(try cacheEntry("a", count: 30), for: a, at: 2)
        staged.finish(writes)
        #expect(staged.entry(for: a)?.data.count == 30)
        #expect(staged.byteCount == 30)
        let rest = staged.begin().writes
        #expect(rest.count == 1)
    }

    @Test func theOldestIsWrittenFirst() throws {
        var staged = StagedWrites()
        for (key, time) in [(a, 1), (b, 2), (a, 3)] {
            staged.add(try cacheEntry("x", count: 1), for: key, at: Int64(time))
        }
        let keys = staged.begin().writes.map(\.key)
        #expect(keys == [b, a])
    }

    /// The writer has the entry in its hands, and writes it down after that: the removal is for the next time.
    @Test func whatIsRemovedAfterTheWriterBeganIsRemovedTheNextTime() throws {
        var staged = StagedWrites()
        staged.add(try cacheEntry("a", count: 1), for: a, at: 1)
        staged.remove(b)
        let first = staged.begin()
        staged.remove(a)
        staged.finish(first.removals)
        staged.finish(first.writes)
        #expect(first.writes.map(\.key) == [a])
        #expect(Set(first.removals.keys) == [b])
        let next = staged.begin()
        #expect(next.writes.isEmpty)
        #expect(Set(next.removals.keys) == [a])
    }

    @Test func theWriterIsCalledOnceUntilItBegins() {
        var staged = StagedWrites()
        let calls = [staged.shouldCallWriter(), staged.shouldCallWriter()]
        #expect(calls == [true, false])
        _ = staged.begin()
        let later = staged.shouldCallWriter()
        #expect(later)
    }

    @Test func removedEntriesDoNotCount() throws {
        var staged = StagedWrites()
        for key in [a, b] { staged.add(try cacheEntry("x", count: 10), for: key, at: 1) }
        staged.remove(a)
        staged.remove(a)
        #expect(staged.byteCount == 10)
        staged.removeAll()
        #expect(staged.byteCount == 0)
        let rest = staged.begin().writes
        #expect(rest.isEmpty)
    }

    @Test func allKeysOfASourceAreRemovedAndOthersStay() throws {
        var staged = StagedWrites()
        for key in [a, b, CacheKey("a small", source: "a")] {
            staged.add(try cacheEntry("x", count: 10), for: key, at: 1)
        }
        staged.remove(source: "a")
        #expect(staged.byteCount == 10)
        let keys = staged.begin().writes.map(\.key)
        #expect(keys == [b])
    }

    @Test func renewedFactsAreWrittenAlsoWhenTheWriterHadTheOldOnes() throws {
        var staged = StagedWrites()
        var entry = try cacheEntry("a", count: 10)
        entry.freshness = freshness(["etag": "1"])
        staged.add(entry, for: a, at: 1)
        let writes = staged.begin().writes
        let renewed = freshness(["etag": "1", "age": "1"])
        let isThere = staged.renew(renewed, for: a)
        #expect(isThere)
        staged.finish(writes)
        #expect(staged.entry(for: a)?.freshness == renewed)
        #expect(staged.byteCount == 10)
        let rest = staged.begin().writes
        #expect(rest.map(\.time) == [1])
    }

    @Test func factsOfOtherBytesRenewNothing() throws {
        var staged = StagedWrites()
        var entry = try cacheEntry("a", count: 10)
        entry.freshness = freshness(["etag": "1"])
        staged.add(entry, for: a, at: 1)
        let isThere = [staged.renew(freshness(["etag": "2"]), for: a), staged.renew(freshness(["etag": "2"]), for: b)]
        #expect(isThere == [true, false])
        #expect(staged.entry(for: a)?.freshness == entry.freshness)
    }

    @Test func aRemovalIsKnownUntilItIsDown() throws {
        var staged = StagedWrites()
        staged.add(try cacheEntry("a", count: 10), for: a, at: 1)
        staged.remove(a)
        guard case .removed = staged.find(a), case .unknown = staged.find(b) else {
            Issue.record("the disk would be asked for what was removed")
            return
        }
        staged.finish(staged.removals)
        guard case .unknown = staged.find(a) else {
            Issue.record("what is down is still remembered")
            return
        }
        #expect(staged.byteCount == 0)
    }

    @Test func aLaterEntryUndoesARemovalAndALaterRemovalOutlivesTheWritingOfTheFirst() throws {
        var staged = StagedWrites()
        staged.remove(a)
        staged.add(try cacheEntry("a", count: 10), for: a, at: 1)
        #expect(staged.removals.isEmpty)
        staged.remove(a)
        let first = staged.removals
        staged.remove(a)
        staged.remove(b)
        staged.finish(first)
        #expect(Set(staged.removals.keys) == [a, b])
    }

    @Test func batchesHaveSoManyEntriesAndBytesAndLoseNone() throws {
        var staged = StagedWrites()
        let sizes = [10, 10, 10, 100, 10, 50, 60]
        for (index, size) in sizes.enumerated() {
            staged.add(try cacheEntry("\(index)", count: size), for: CacheKey("\(index)"), at: 1)
        }
        let batches = staged.begin().writes.batches(ofCount: 2, byteCount: 60)
        #expect(batches.map { $0.map(\.entry.data.count) } == [[10, 10], [10], [100], [10, 50], [60]])
    }
}

extension StagedWrites {
    func entry(for key: CacheKey) -> CacheEntry? {
        if case .entry(let entry) = find(key) { entry } else { nil }
    }
}
