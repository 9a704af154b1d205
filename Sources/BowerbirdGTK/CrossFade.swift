/// How far a new picture has replaced the old one, as a function of time: no clock, no timer.
nonisolated struct CrossFade: Equatable {
    let duration: Duration
    /// The time of the first frame, in microseconds of the frame clock; nil before it.
    private var start: Int64?

    init(duration: Duration) {
        self.duration = duration
    }

    /// From 0 to 1, at the time of a frame; the first frame that asks is the beginning.
    mutating func progress(at frameTime: Int64) -> Double {
        let begun = start ?? frameTime
        start = begun
        let length = duration / .microseconds(1)
        guard length > 0 else { return 1 }
        return min(1, max(0, Double(frameTime - begun) / length))
    }
}
