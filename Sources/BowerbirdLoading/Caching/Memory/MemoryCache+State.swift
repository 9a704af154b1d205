import BowerbirdCore

extension MemoryCache {
    /// What the lock guards. What has to be freed is handed out and freed by the caller, who no longer has the lock.
    struct State: ~Copyable {
        private(set) var images = LRUTable<CachedImage>()
        private(set) var evicted = EvictedImages()
        private(set) var limits: Limits
        private(set) var hitCount = 0
        private(set) var missCount = 0
        private var maximumEntryCost: Int?
        private var looks = PressureLooks()
        /// Since some beginning. Costs as much as a hit: it is asked for only where something can grow old.
        private let now: @Sendable () -> Duration

        init(_ limits: Limits, now: @escaping @Sendable () -> Duration) {
            self.limits = limits
            self.now = now
            maximumEntryCost = limits.maximumEntryCost
        }
    }
}

// MARK: Finding

extension MemoryCache.State {
    @inline(__always)
    mutating func use(_ key: CacheKey, _ released: inout ReleasedImages) -> CachedImage? {
        guard let number = images.find(key), isYoung(number, &released) else {
            return useEvicted(key, &released)
        }
        images.use(number)
        hitCount += 1
        return images.value(number)
    }

    /// Removes it where it is too old; gives it more time where its use does.
    @inline(__always)
    private mutating func isYoung(_ number: UInt32, _ released: inout ReleasedImages) -> Bool {
        images.deadline(number) == .never || renew(number, now(), &released)
    }

    private mutating func renew(_ number: UInt32, _ now: Duration, _ released: inout ReleasedImages) -> Bool {
        guard images.deadline(number) > Deadline(now) else {
            released.add(images.remove(number))
            return false
        }
        let expiry = images.value(number).expiry ?? limits.expiry
        if case .sinceUsed = expiry { images.setDeadline(Deadline(expiry, now: now), number) }
        return true
    }

    @inline(__always)
    private mutating func useEvicted(
        _ key: CacheKey, _ released: inout ReleasedImages
    ) -> CachedImage? {
        let image = evicted.isEmpty ? nil : bringBack(key, &released)
        if image == nil { missCount += 1 } else { hitCount += 1 }
        return image
    }

    private mutating func bringBack(
        _ key: CacheKey, _ released: inout ReleasedImages
    ) -> CachedImage? {
        guard let (image, deadline) = living(key) else { return nil }
        evicted.remove(key)
        images.add(image, key, cost: max(0, image.cost), deadline)
        if let number = images.find(key) { _ = isYoung(number, &released) }
        makeRoom(&released)
        return image
    }

    /// One that had to make room, that is still there, not too old, and that may be kept.
    private func living(_ key: CacheKey) -> (CachedImage, Deadline)? {
        guard let (image, deadline) = evicted.find(key), let maximumEntryCost, image.cost <= maximumEntryCost,
            deadline == .never || deadline > Deadline(now())
        else { return nil }
        return (image, deadline)
    }

    func contains(_ key: CacheKey) -> Bool {
        guard let number = images.find(key) else { return living(key) != nil }
        return !isExpired(number)
    }

    private func isExpired(_ number: UInt32) -> Bool {
        let deadline = images.deadline(number)
        return deadline != .never && deadline <= Deadline(now())
    }

    func keys(ofSource source: String) -> [CacheKey] {
        images.numbers(ofSource: source).filter { !isExpired($0) }.map { images.key($0) }
    }
}

// MARK: Keeping

extension MemoryCache.State {
    @inline(__always)
    mutating func store(
        _ image: CachedImage, _ key: CacheKey, _ released: inout ReleasedImages
    ) {
        if !evicted.isEmpty { evicted.remove(key) }
        guard let deadline = deadline(image) else { return removeKept(key, &released) }
        looks.count(max(0, image.cost))
        add(image, key, deadline, &released)
        makeRoom(&released)
    }

    /// Nil where it is not to be kept at all.
    @inline(__always)
    private func deadline(_ image: CachedImage) -> Deadline? {
        guard let maximumEntryCost, image.cost <= maximumEntryCost else { return nil }
        let expiry = image.expiry ?? limits.expiry
        if expiry == .never { return .never }
        let moment = now()
        let deadline = Deadline(expiry, now: moment)
        return deadline > Deadline(moment) ? deadline : nil
    }

    @inline(__always)
    private mutating func add(
        _ image: CachedImage, _ key: CacheKey, _ deadline: Deadline, _ released: inout ReleasedImages
    ) {
        let cost = max(0, image.cost)
        guard let number = images.find(key) else { return images.add(image, key, cost: cost, deadline) }
        released.add(images.replace(number, by: image, key, cost: cost, deadline))
    }

    /// Whether somebody should look at how scarce memory is.
    @inline(__always)
    mutating func isTimeToLook() -> Bool { looks.isTime(now) }
}

// MARK: Forgetting

extension MemoryCache.State {
    @inline(__always)
    mutating func remove(_ key: CacheKey, _ released: inout ReleasedImages) {
        if !evicted.isEmpty { evicted.remove(key) }
        removeKept(key, &released)
    }

    @inline(__always)
    private mutating func removeKept(_ key: CacheKey, _ released: inout ReleasedImages) {
        if let number = images.find(key) { released.add(images.remove(number)) }
    }

    mutating func remove(source: String, _ released: inout ReleasedImages) {
        evicted.remove(source: source)
        for number in images.numbers(ofSource: source) { released.add(images.remove(number)) }
    }

    mutating func removeAll() -> LRUTable<CachedImage> {
        evicted = EvictedImages()
        var all = LRUTable<CachedImage>()
        swap(&all, &images)
        return all
    }
}

// MARK: Making room

extension MemoryCache.State {
    /// Evicts what is above the limits, and some of what is too old where the oldest is.
    @inline(__always)
    private mutating func makeRoom(_ released: inout ReleasedImages) {
        while images.totalCost > limits.cost || images.count > limits.count { evictOldest(&released) }
        if limits.expiry != .never { removeOldestExpired(now(), &released) }
    }

    /// At most so many go with one call; there will be another.
    private static let expiredCount = 32

    private mutating func removeOldestExpired(_ now: Duration, _ released: inout ReleasedImages) {
        for _ in 0..<Self.expiredCount {
            guard let oldest = images.oldest, images.deadline(oldest) <= Deadline(now) else { return }
            released.add(images.remove(oldest))
        }
    }

    private mutating func evictOldest(_ released: inout ReleasedImages) {
        guard let oldest = images.oldest else { return }
        let mayReturn = !isExpired(oldest)
        let (key, deadline) = (images.key(oldest), images.deadline(oldest))
        var removed = images.remove(oldest)
        if mayReturn, removed.value.isHeldElsewhere() { evicted.add(removed.value, key, deadline) }
        released.add(removed)
    }

    /// Evicts at most `batchCount`; true where no more need to go.
    mutating func evict(
        toCost cost: Int, count: Int, _ batchCount: Int, _ released: inout ReleasedImages
    ) -> Bool {
        for _ in 0..<batchCount {
            if images.isEmpty || images.totalCost <= cost && images.count <= count { return true }
            evictOldest(&released)
        }
        return false
    }

    /// Looks at `batchCount` pictures from a number on. The number to go on with, nil at the end.
    mutating func removeExpired(
        from first: UInt32, _ batchCount: Int, _ released: inout ReleasedImages
    ) -> UInt32? {
        let moment = Deadline(now())
        var number = images.first(from: first)
        for _ in 0..<batchCount {
            guard let current = number else { break }
            if images.deadline(current) <= moment { released.add(images.remove(current)) }
            number = images.first(from: current + 1)
        }
        return number
    }

    /// Pictures that have no expiry of their own get the new one, which begins now where there was none.
    mutating func set(_ newLimits: MemoryCache.Limits) {
        let old = limits.expiry
        limits = newLimits
        maximumEntryCost = newLimits.maximumEntryCost
        guard newLimits.expiry != old else { return }
        evicted = EvictedImages()
        setDeadlines(insteadOf: old, now())
    }

    private mutating func setDeadlines(insteadOf old: CacheExpiry, _ now: Duration) {
        var number = images.oldest
        while let current = number {
            if images.value(current).expiry == nil { setDeadline(current, insteadOf: old, now) }
            number = images.next(after: current)
        }
    }

    private mutating func setDeadline(_ number: UInt32, insteadOf old: CacheExpiry, _ now: Duration) {
        let known = images.deadline(number)
        guard let age = old.age, let newAge = limits.expiry.age, known != .never else {
            return images.setDeadline(Deadline(limits.expiry, now: now), number)
        }
        images.setDeadline(known.advanced(by: newAge - age), number)
    }
}
