import BowerbirdCore

/// Numbers by the digests of their keys: a hash table with open addressing, one word a place.
///
/// A word has 32 bits of the digest and the number, so that a search reads one line of memory and rarely more, and
/// growing and removing need not look at what the numbers stand for. At most half of the places are taken; removing moves
/// back what stands behind, so that there are no tombstones.
///
/// Invariant of the unsafe code: `places` has `mask + 1` words, a power of two, and each position is masked.
@safe
struct DigestIndex: ~Copyable {
    private var places: UnsafeMutablePointer<UInt64>
    private var mask: UInt64
    private var count = 0

    private static var nothing: UInt64 { .max }

    /// An empty one with room for eight.
    init() {
        unsafe places = Self.emptyPlaces(16)
        mask = 15
    }

    deinit { unsafe places.deallocate() }

    private static func emptyPlaces(_ count: Int) -> UnsafeMutablePointer<UInt64> {
        let places = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
        unsafe places.initialize(repeating: nothing, count: count)
        return unsafe places
    }

    /// The part of a digest that is kept. The whole of it decides: two keys may have the same part.
    @inline(__always)
    static func tag(_ digest: KeyDigest) -> UInt32 { UInt32(truncatingIfNeeded: digest.low >> 32) }

    /// The first number under `tag` that is the one looked for.
    @inline(__always)
    func first(_ tag: UInt32, where isMatch: (UInt32) -> Bool) -> UInt32? {
        var position = UInt64(tag) & mask
        while true {
            let word = unsafe places[Int(position)]
            if word == Self.nothing { return nil }
            let number = UInt32(truncatingIfNeeded: word)
            if word >> 32 == UInt64(tag), isMatch(number) { return number }
            position = (position + 1) & mask
        }
    }

    @inline(__always)
    mutating func insert(_ number: UInt32, _ tag: UInt32) {
        if UInt64(count) * 2 > mask { grow() }
        count += 1
        put(Self.word(number, tag))
    }

    /// Puts another number in the place of one, where that is there.
    mutating func replace(_ number: UInt32, with other: UInt32, _ tag: UInt32) {
        guard let position = position(of: Self.word(number, tag)) else { return }
        unsafe places[Int(position)] = Self.word(other, tag)
    }

    @inline(__always)
    mutating func remove(_ number: UInt32, _ tag: UInt32) {
        guard let position = position(of: Self.word(number, tag)) else { return }
        count -= 1
        close(position)
    }

    @inline(__always)
    private static func word(_ number: UInt32, _ tag: UInt32) -> UInt64 { UInt64(tag) << 32 | UInt64(number) }

    @inline(__always)
    private func home(of word: UInt64) -> UInt64 { word >> 32 & mask }

    @inline(__always)
    private mutating func put(_ word: UInt64) {
        var position = home(of: word)
        while unsafe places[Int(position)] != Self.nothing { position = (position + 1) & mask }
        unsafe places[Int(position)] = word
    }

    @inline(__always)
    private func position(of word: UInt64) -> UInt64? {
        var position = home(of: word)
        while true {
            let found = unsafe places[Int(position)]
            if found == word { return position }
            if found == Self.nothing { return nil }
            position = (position + 1) & mask
        }
    }

    /// Fills a hole with what could stand there, and the hole that this leaves.
    @inline(__always)
    private mutating func close(_ position: UInt64) {
        var hole = position
        var next = (hole + 1) & mask
        while unsafe places[Int(next)] != Self.nothing {
            let word = unsafe places[Int(next)]
            if (next &- home(of: word)) & mask >= (next &- hole) & mask {
                unsafe places[Int(hole)] = word
                hole = next
            }
            next = (next + 1) & mask
        }
        unsafe places[Int(hole)] = Self.nothing
    }

    private mutating func grow() {
        let old = unsafe places
        let oldCount = Int(mask) + 1
        unsafe places = Self.emptyPlaces(oldCount * 2)
        mask = UInt64(oldCount * 2 - 1)
        for position in 0..<oldCount {
            let word = unsafe old[position]
            if word != Self.nothing { put(word) }
        }
        unsafe old.deallocate()
    }
}
