/// How many stand at each priority, so that the highest is known however many come and go.
struct PriorityTally {
    private var counts = [Int](repeating: 0, count: WorkPriority.all.count)

    /// Nil when nobody is there.
    var highest: WorkPriority? { counts.lastIndex { $0 > 0 }.map { WorkPriority.all[$0] } }

    mutating func add(_ priority: WorkPriority) { counts[priority.rank] += 1 }
    mutating func remove(_ priority: WorkPriority) { counts[priority.rank] -= 1 }
}
