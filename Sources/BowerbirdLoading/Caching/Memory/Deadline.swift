/// When something is too old, in nanoseconds of a clock that is never set back.
struct Deadline: Hashable, Comparable, Sendable {
    private let nanoseconds: Int64

    static let never = Deadline(nanoseconds: .max)

    private init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// - Parameter moment: Since some beginning.
    init(_ moment: Duration) {
        let (seconds, attoseconds) = moment.components
        let (product, isHuge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLate) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        nanoseconds = isHuge || isTooLate ? (seconds < 0 ? .min : .max) : sum
    }

    /// Of something that is stored or used now.
    init(_ expiry: CacheExpiry, now: Duration) {
        self = expiry.age.map { Deadline(now + $0) } ?? .never
    }

    /// Never stays never.
    func advanced(by duration: Duration) -> Deadline {
        self == .never ? self : Deadline(Duration.nanoseconds(nanoseconds) + duration)
    }

    @inline(__always)
    static func < (left: Deadline, right: Deadline) -> Bool { left.nanoseconds < right.nanoseconds }
}
