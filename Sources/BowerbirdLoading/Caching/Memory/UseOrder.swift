/// The numbers from 1 on, those in use in the order of their last use: a list whose links are indices into one array,
/// eight to a line of memory. Its ends meet in number 0, which stands for nothing.
///
/// Invariant of the unsafe code: `links` has `capacity` places, and only numbers that `take` gave come in from outside.
@safe
struct UseOrder: ~Copyable {
    private struct Link {
        /// The number used just before, 0 for the oldest. Of one that is not in use, itself.
        var older: UInt32
        /// The number used just after, 0 for the newest. Of one that is not in use, the next that is not.
        var newer: UInt32
    }

    private var links: UnsafeMutablePointer<Link>
    private(set) var capacity: Int
    /// The numbers from here on have never been in use.
    private var unused: UInt32 = 1
    /// The first of those that no longer are; 0 where there is none.
    private var spare: UInt32 = 0

    init(capacity: Int) {
        self.capacity = capacity
        unsafe links = .allocate(capacity: capacity)
        unsafe links.initialize(repeating: Link(older: 0, newer: 0), count: capacity)
    }

    deinit { unsafe links.deallocate() }

    /// 0 where nothing is in use.
    @inline(__always)
    var oldest: UInt32 { unsafe links[0].newer }

    /// 0 where nothing is in use.
    @inline(__always)
    var newest: UInt32 { unsafe links[0].older }

    /// 0 behind the newest.
    func next(after number: UInt32) -> UInt32 { unsafe links[Int(number)].newer }

    /// Above all that are in use.
    var end: UInt32 { unused }

    func isInUse(_ number: UInt32) -> Bool { unsafe number < unused && links[Int(number)].older != number }

    @inline(__always)
    var isFull: Bool { spare == 0 && unused == capacity }

    /// A number that was not in use, as the newest. There must be one: see `isFull`.
    @inline(__always)
    mutating func take() -> UInt32 {
        var number = spare
        if number == 0 {
            number = unused
            unused += 1
        } else {
            spare = unsafe links[Int(number)].newer
        }
        append(number)
        return number
    }

    @inline(__always)
    mutating func remove(_ number: UInt32) {
        unlink(number)
        unsafe links[Int(number)] = Link(older: number, newer: spare)
        spare = number
    }

    @inline(__always)
    mutating func makeNewest(_ number: UInt32) {
        if number == newest { return }
        unlink(number)
        append(number)
    }

    mutating func grow(to newCapacity: Int) {
        let old = unsafe links
        unsafe links = .allocate(capacity: newCapacity)
        unsafe links.moveInitialize(from: old, count: capacity)
        unsafe (links + capacity).initialize(repeating: Link(older: 0, newer: 0), count: newCapacity - capacity)
        unsafe old.deallocate()
        capacity = newCapacity
    }

    @inline(__always)
    private mutating func append(_ number: UInt32) {
        let last = unsafe links[0].older
        unsafe links[Int(number)] = Link(older: last, newer: 0)
        unsafe links[Int(last)].newer = number
        unsafe links[0].older = number
    }

    @inline(__always)
    private mutating func unlink(_ number: UInt32) {
        let link = unsafe links[Int(number)]
        unsafe links[Int(link.older)].newer = link.newer
        unsafe links[Int(link.newer)].older = link.older
    }
}
