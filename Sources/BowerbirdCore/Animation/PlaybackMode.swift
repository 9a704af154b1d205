/// The order in which an animation shows its frames. What comes again and again is a round.
public enum PlaybackMode: String, Hashable, Sendable, CaseIterable {
    /// From the first frame to the last.
    case forward
    /// From the last frame to the first.
    case reverse
    /// To the last frame and back. Those at the two ends are shown once a round: of four frames a round is
    /// 0 1 2 3 2 1, and at the end of the last one frame 0 stays.
    case bounce
    /// As `bounce`, from the last frame: of four frames a round is 3 2 1 0 1 2, and in the end 3 stays.
    case reversedBounce

    var startsAtEnd: Bool { self == .reverse || self == .reversedBounce }
    var comesBack: Bool { self == .bounce || self == .reversedBounce }
}
