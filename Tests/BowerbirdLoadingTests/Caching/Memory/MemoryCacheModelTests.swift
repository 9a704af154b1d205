import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

/// The cache beside plain models of it.
@Suite struct MemoryCacheModelTests {
    @Test func doesWhatAPlainModelDoesForAHundredThousandSteps() throws {
        var pair = CacheAndModel()
        var random = SeededRandom(seed: 5)
        for step in 0..<100_000 {
            guard try pair.step(&random) else {
                Issue.record("step \(step) differs")
                return
            }
        }
        #expect(pair.leaveInTheSameOrder())
    }

    @Test func hitsOfAZipfTraceAreThoseOfTheExactRule() throws {
        var random = SeededRandom(seed: 6)
        let (pictureCount, limit) = (2000, 200)
        let sums = (1...pictureCount).reduce(into: [0.0]) { $0.append($0[$0.count - 1] + 1 / Double($1)) }
        let keys = (0..<pictureCount).map { CacheKey("https://example.org/\($0)") }
        let cache = MemoryCache(count: limit)
        var model: [Int] = []
        var modelHits = 0
        for _ in 0..<20_000 {
            let place = Double.random(in: 0..<sums[pictureCount], using: &random)
            let picture = max(0, sums.partitioningIndex { $0 > place } - 1)
            if cache.image(for: keys[picture]) == nil { cache.store(try pixel(), for: keys[picture]) }
            if let found = model.firstIndex(of: picture) {
                model.remove(at: found)
                modelHits += 1
            }
            model.append(picture)
            if model.count > limit { model.removeFirst() }
        }
        #expect(abs(cache.hitCount - modelHits) <= 20_000 / 200)
        #expect(modelHits > 8000)
    }
}

private struct CacheAndModel {
    private let clock = ManualClock()
    private let cache: MemoryCache
    private var model = PlainCache(costLimit: 400, countLimit: 30)
    /// Three of each source.
    private let keys = (0..<60).map { $0 % 3 == 0 ? CacheKey("\($0)") : CacheKey("\($0)", source: "\($0 - $0 % 3)") }

    init() { cache = MemoryCache(cost: 400, count: 30, clock) }

    private var now: Duration { clock.now.offset }

    /// False where the two differ after it.
    mutating func step(_ random: inout SeededRandom) throws -> Bool {
        let (key, amount) = (Int.random(in: 0..<60, using: &random), Int.random(in: 0..<60, using: &random))
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: if (cache.image(for: keys[key]) != nil) != model.use(key, now) { return false }
        case 40..<85: try store(key, amount)
        case 85..<95: remove(key, amount)
        default: clock.advance(by: .seconds(1))
        }
        return cache.count == model.entries.count && cache.totalCost == model.totalCost
    }

    private mutating func store(_ key: Int, _ amount: Int) throws {
        let expiry: CacheExpiry? =
            amount < 10 ? .sinceUsed(.seconds(amount)) : amount < 20 ? .sinceStored(.seconds(amount)) : nil
        cache.store(try pixel(cost: amount, expiry: expiry), for: keys[key])
        model.store(key, cost: amount, expiry, now)
    }

    private mutating func remove(_ key: Int, _ amount: Int) {
        switch amount {
        case 0..<40:
            cache.remove(for: keys[key])
            model.remove { $0.key == key }
        case 40..<50:
            cache.remove(source: keys[key].source)
            model.remove { $0.key / 3 == key / 3 }
        case 50..<55:
            cache.trim(toCost: key * 5)
            model.trim(toCost: key * 5)
        default:
            cache.removeExpired()
            model.removeExpired(now)
        }
    }

    /// One by one, the oldest first.
    func leaveInTheSameOrder() -> Bool {
        model.entries.allSatisfy { entry in
            cache.trim(toCount: cache.count - 1)
            return !cache.contains(keys[entry.key])
        } && cache.count == 0
    }
}

/// Oldest first, in an array.
private struct PlainCache {
    struct Entry {
        let key: Int
        let cost: Int
        let expiry: CacheExpiry?
        var deadline: Duration?
    }

    let costLimit: Int
    let countLimit: Int
    var entries: [Entry] = []

    var totalCost: Int { entries.reduce(0) { $0 + $1.cost } }

    mutating func use(_ key: Int, _ now: Duration) -> Bool {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return false }
        var entry = entries.remove(at: index)
        if let deadline = entry.deadline, deadline <= now { return false }
        if case .sinceUsed(let age) = entry.expiry { entry.deadline = now + age }
        entries.append(entry)
        return true
    }

    mutating func store(_ key: Int, cost: Int, _ expiry: CacheExpiry?, _ now: Duration) {
        remove { $0.key == key }
        let deadline = expiry?.age.map { now + $0 }
        if let deadline, deadline <= now { return }
        entries.append(Entry(key: key, cost: cost, expiry: expiry, deadline: deadline))
        trim(toCost: costLimit)
        while entries.count > countLimit { entries.removeFirst() }
    }

    mutating func remove(_ isRemoved: (Entry) -> Bool) { entries.removeAll(where: isRemoved) }

    mutating func removeExpired(_ now: Duration) {
        remove { entry in entry.deadline.map { $0 <= now } ?? false }
    }

    mutating func trim(toCost cost: Int) {
        while totalCost > cost, !entries.isEmpty { entries.removeFirst() }
    }
}

extension [Double] {
    fileprivate func partitioningIndex(_ isPast: (Double) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isPast(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
