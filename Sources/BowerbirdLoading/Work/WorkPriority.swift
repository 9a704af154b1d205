/// How urgent a piece of work is: ordinary work, however low, goes before work that is only ahead of need.
struct WorkPriority: Comparable, Hashable, Sendable {
    enum Lane: Int, Sendable, CaseIterable {
        /// Nobody looks at it yet.
        case prefetch
        case ordinary
    }

    var lane: Lane
    var level: RequestPriority

    init(_ level: RequestPriority = .normal, lane: Lane = .ordinary) {
        self.lane = lane
        self.level = level
    }

    /// All there are, the least urgent first: each stands at its rank.
    static let all = Lane.allCases.flatMap { lane in RequestPriority.allCases.map { WorkPriority($0, lane: lane) } }

    /// From 0, the least urgent, without gaps.
    var rank: Int { lane.rawValue * RequestPriority.allCases.count + level.rawValue }

    static func < (left: WorkPriority, right: WorkPriority) -> Bool { left.rank < right.rank }
}
