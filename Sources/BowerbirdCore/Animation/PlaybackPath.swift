/// The way through the frames in one round, counted in steps.
///
/// Which frame is the last is not known before a file has wholly arrived. Until then `forward` and `bounce` go as far as
/// there are frames, and the two that start at the end stay on frame 0. The steps that there are stay what they are when
/// frames are added.
struct PlaybackPath: Hashable, Sendable {
    let frameCount: Int
    let mode: PlaybackMode
    let isComplete: Bool

    /// No frames are taken for one.
    init(frameCount: Int, mode: PlaybackMode, isComplete: Bool = true) {
        self.frameCount = max(1, frameCount)
        self.mode = mode
        self.isComplete = isComplete
    }

    var stepCount: Int {
        if !isComplete { return mode.startsAtEnd ? 1 : frameCount }
        return mode.comesBack ? max(1, 2 * frameCount - 2) : frameCount
    }

    /// That of a step of the round.
    func frame(atStep step: Int) -> Int {
        let distance = step < frameCount ? step : 2 * frameCount - 2 - step
        return isComplete && mode.startsAtEnd ? frameCount - 1 - distance : distance
    }

    /// The step that shows `frame`, on the way back where there is one and it is asked for; nil for a frame that is not
    /// on the way.
    func step(showing frame: Int, isReturning: Bool = false) -> Int? {
        guard (0..<frameCount).contains(frame) else { return nil }
        let distance = isComplete && mode.startsAtEnd ? frameCount - 1 - frame : frame
        let isBetween = distance > 0 && distance < frameCount - 1
        let step = isReturning && isComplete && mode.comesBack && isBetween ? 2 * frameCount - 2 - distance : distance
        return step < stepCount ? step : nil
    }

    /// Whether the step lies on the way back.
    func isReturning(atStep step: Int) -> Bool { step >= frameCount }

    /// The step whose frame stays when the last round is over: one that comes back has come back to its first.
    var finalStep: Int { mode.comesBack ? 0 : stepCount - 1 }
}
