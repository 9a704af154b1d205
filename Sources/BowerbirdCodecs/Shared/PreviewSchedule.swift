/// When a picture that is arriving is shown: at a few marks of its progress, each at most once, the newest state for
/// all the marks that have been passed.
struct PreviewSchedule {
    private var marks: [Int]

    /// `marks` grow.
    init(marks: [Int]) { self.marks = marks }

    /// Whether a mark has been reached that was not before.
    mutating func isDue(at progress: Int) -> Bool {
        guard let first = marks.first, first <= progress else { return false }
        marks.removeAll { $0 <= progress }
        return true
    }
}
