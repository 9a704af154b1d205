import BowerbirdCore

/// Values by their keys and in the order of their last use, each with a cost and a time after which it is too old.
///
/// The entries lie side by side in one array and are known by their numbers in it, which stay as they are for as long as
/// the entry is there. Keys are compared by their digests; no text is read but where an entry has a source of its own.
///
/// Invariant of the unsafe code: the entries whose numbers are in use in `order` are initialized, and no other.
/// Invariant of the `@unchecked Sendable`: it cannot be copied, so whoever has it is the only one with its memory.
@safe
struct LRUTable<Value: Sendable>: ~Copyable, @unchecked Sendable {
    private struct Entry {
        var key: CacheKey
        var value: Value
        var cost: Int
        var deadline: Deadline
        /// Where the source is not the key's own text: its tag, and the entries before and after in the ring of those that
        /// have the same source. 0 for none.
        var sourceTag: UInt32 = 0
        var previous: UInt32 = 0
        var next: UInt32 = 0
    }

    /// What has left, and what it cost here.
    struct Removed {
        var value: Value
        let cost: Int
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var order: UseOrder
    private var numbers = DigestIndex()
    /// One entry of each ring, by the digest of its source.
    private var rings = DigestIndex()

    private(set) var count = 0
    private(set) var totalCost = 0

    /// An empty one. Takes little memory until it is used.
    init() {
        order = UseOrder(capacity: 8)
        unsafe entries = .allocate(capacity: 8)
    }

    deinit {
        var number = order.oldest
        while number != 0 {
            unsafe (entries + Int(number)).deinitialize(count: 1)
            number = order.next(after: number)
        }
        unsafe entries.deallocate()
    }

    @inline(__always)
    var isEmpty: Bool { count == 0 }

    /// The number of the one used longest ago.
    @inline(__always)
    var oldest: UInt32? { isEmpty ? nil : order.oldest }

    /// The number of the one used just after; nil for the newest.
    func next(after number: UInt32) -> UInt32? {
        let next = order.next(after: number)
        return next == 0 ? nil : next
    }

    /// The first number from `start` on that is in use, in the order of memory; nil where there is none.
    func first(from start: UInt32) -> UInt32? {
        start < order.end ? (start..<order.end).first { order.isInUse($0) } : nil
    }

    @inline(__always)
    func find(_ key: CacheKey) -> UInt32? { find(key.digest) }

    @inline(__always)
    private func find(_ digest: KeyDigest) -> UInt32? {
        numbers.first(DigestIndex.tag(digest)) { number in
            // Not by `==`, which is a call into another module.
            let found = unsafe entries[Int(number)].key.digest
            return found.low == digest.low && found.high == digest.high
        }
    }

    @inline(__always)
    func key(_ number: UInt32) -> CacheKey { unsafe entries[Int(number)].key }

    @inline(__always)
    func value(_ number: UInt32) -> Value { unsafe entries[Int(number)].value }

    @inline(__always)
    func deadline(_ number: UInt32) -> Deadline { unsafe entries[Int(number)].deadline }

    mutating func setDeadline(_ deadline: Deadline, _ number: UInt32) {
        unsafe entries[Int(number)].deadline = deadline
    }

    /// Makes it the newest.
    @inline(__always)
    mutating func use(_ number: UInt32) { order.makeNewest(number) }
}

// MARK: Changing

extension LRUTable {
    /// Adds the newest. There must be none under `key`.
    @inline(__always)
    mutating func add(_ value: Value, _ key: CacheKey, cost: Int, _ deadline: Deadline = .never) {
        if order.isFull { grow() }
        let number = order.take()
        unsafe (entries + Int(number)).initialize(to: Entry(key: key, value: value, cost: cost, deadline: deadline))
        numbers.insert(number, DigestIndex.tag(key.digest))
        count += 1
        totalCost += cost
        if !key.isOwnSource { joinRing(number) }
    }

    /// Puts the newest in the place of one with an equal key, whose value it returns.
    mutating func replace(
        _ number: UInt32, by value: Value, _ key: CacheKey, cost: Int, _ deadline: Deadline = .never
    ) -> Removed {
        use(number)
        leaveRing(number)
        let replaced = unsafe (entries + Int(number)).move()
        unsafe (entries + Int(number)).initialize(to: Entry(key: key, value: value, cost: cost, deadline: deadline))
        totalCost += cost - replaced.cost
        if !key.isOwnSource { joinRing(number) }
        return Removed(value: replaced.value, cost: replaced.cost)
    }

    @inline(__always)
    mutating func remove(_ number: UInt32) -> Removed {
        leaveRing(number)
        order.remove(number)
        let removed = unsafe (entries + Int(number)).move()
        numbers.remove(number, DigestIndex.tag(removed.key.digest))
        count -= 1
        totalCost -= removed.cost
        return Removed(value: removed.value, cost: removed.cost)
    }

    private mutating func grow() {
        let capacity = order.capacity
        let old = unsafe entries
        unsafe entries = .allocate(capacity: capacity * 2)
        // All but number 0, which stands for nothing.
        unsafe (entries + 1).moveInitialize(from: old + 1, count: capacity - 1)
        unsafe old.deallocate()
        order.grow(to: capacity * 2)
    }
}

// MARK: Sources

extension LRUTable {
    /// The numbers of all whose keys have this source.
    func numbers(ofSource source: String) -> [UInt32] {
        let digest = KeyDigest(of: source)
        var found: [UInt32] = []
        if let own = find(digest), unsafe entries[Int(own)].key.isOwnSource { found.append(own) }
        guard let first = ring(DigestIndex.tag(digest), source) else { return found }
        var number = first
        repeat {
            found.append(number)
            number = unsafe entries[Int(number)].next
        } while number != first
        return found
    }

    private func ring(_ tag: UInt32, _ source: String) -> UInt32? {
        rings.first(tag) { unsafe entries[Int($0)].key.source == source }
    }

    private mutating func joinRing(_ number: UInt32) {
        let source = key(number).source
        let tag = DigestIndex.tag(KeyDigest(of: source))
        unsafe entries[Int(number)].sourceTag = tag
        if let before = ring(tag, source) {
            let after = unsafe entries[Int(before)].next
            connect(before, number)
            connect(number, after)
        } else {
            connect(number, number)
            rings.insert(number, tag)
        }
    }

    @inline(__always)
    private mutating func leaveRing(_ number: UInt32) {
        let next = unsafe entries[Int(number)].next
        if next != 0 { leaveRing(number, next) }
    }

    private mutating func leaveRing(_ number: UInt32, _ next: UInt32) {
        let tag = unsafe entries[Int(number)].sourceTag
        if next == number { return rings.remove(number, tag) }
        connect(unsafe entries[Int(number)].previous, next)
        rings.replace(number, with: next, tag)
    }

    private mutating func connect(_ before: UInt32, _ after: UInt32) {
        unsafe entries[Int(before)].next = after
        unsafe entries[Int(after)].previous = before
    }
}

// MARK: By key

extension LRUTable {
    /// The value under `key`, which becomes the newest.
    mutating func use(_ key: CacheKey) -> Value? {
        guard let number = find(key) else { return nil }
        use(number)
        return value(number)
    }

    /// Puts `value` under `key`, as the newest. Returns the one that was there.
    mutating func insert(_ value: Value, for key: CacheKey, cost: Int) -> Value? {
        if let number = find(key) { return replace(number, by: value, key, cost: cost).value }
        add(value, key, cost: cost)
        return nil
    }

    mutating func remove(_ key: CacheKey) -> Value? {
        find(key).map { remove($0).value }
    }

    mutating func removeOldest() -> Removed? {
        oldest.map { remove($0) }
    }
}
