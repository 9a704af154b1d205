import BowerbirdCore

/// When a cache that is being used should look at how scarce memory is: at most once a second, and only where something
/// has been stored since, for nothing else takes memory. The clock costs as much as storing, and is not asked each time.
struct PressureLooks {
    /// A handful of pictures that fill a screen, or a few hundred thumbnails.
    private static let cost = 4 << 20
    private static let interval = Duration.seconds(1)

    private var storedCost = 0
    private var last: Duration?

    @inline(__always)
    mutating func count(_ cost: Int) {
        storedCost = storedCost &+ cost
    }

    @inline(__always)
    mutating func isTime(_ now: () -> Duration) -> Bool {
        storedCost >= Self.cost && isLate(now())
    }

    private mutating func isLate(_ now: Duration) -> Bool {
        storedCost = 0
        if let last, now - last < Self.interval { return false }
        last = now
        return true
    }
}
