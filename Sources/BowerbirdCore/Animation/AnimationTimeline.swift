/// Which frame is shown when: a function of the time since the start, with no clock of its own.
///
/// For whoever skips frames that nobody would have seen, or shows several animations in step. A view, which would rather
/// wait for a frame than skip it, uses `AnimationPlayback`.
///
/// Making one costs a pass over the frames, and asking it a search among them.
public struct AnimationTimeline: Hashable, Sendable {
    /// How long each frame is shown at a rate of 1, as `FrameDelay` says; half a year at most.
    public let delays: [Duration]
    /// How many rounds there are.
    public let loopCount: LoopCount
    /// The order of the frames.
    public let mode: PlaybackMode
    /// How fast: 2 is twice as fast as the file says, 0 stops at the start.
    public let rate: Double
    /// Whether these are all frames of the file. The last one that there is stays until there are more.
    public let isComplete: Bool

    private let path: PlaybackPath
    /// When each step of a round is over, in attoseconds since the round began; each is later than the one before.
    private let ends: [Int128]

    /// - Parameters:
    ///   - delays: What makes no sense is put right: see `FrameDelay`. None at all is one frame.
    ///   - rate: One below 0, or that is no number, is 0.
    public init(
        delays: [Duration], loopCount: LoopCount = .forever, mode: PlaybackMode = .forward, rate: Double = 1,
        isComplete: Bool = true
    ) {
        self.delays = FrameDelay.checked(delays)
        self.loopCount = loopCount
        self.mode = mode
        self.rate = checkedRate(rate)
        self.isComplete = isComplete
        path = PlaybackPath(frameCount: self.delays.count, mode: mode, isComplete: isComplete)
        ends = Self.ends(path, self.delays, rate: self.rate)
    }

    /// That of a file; `loopCount` replaces what the file wants.
    public init(
        _ source: any FrameSource, loopCount: LoopCount? = nil, mode: PlaybackMode = .forward, rate: Double = 1,
        isComplete: Bool = true
    ) {
        self.init(
            delays: source.delays, loopCount: loopCount ?? source.loopCount, mode: mode, rate: rate,
            isComplete: isComplete)
    }

    /// The rate is in the sums, so that everything after is exact: to divide by it each time would let a frame end at
    /// one moment and the next begin at another.
    private static func ends(_ path: PlaybackPath, _ delays: [Duration], rate: Double) -> [Int128] {
        var ends: [Int128] = []
        ends.reserveCapacity(path.stepCount)
        for step in 0..<path.stepCount {
            let delay = delays[path.frame(atStep: step)].scaled(by: 1 / rate, atMost: FrameDelay.longest)
            ends.append((ends.last ?? 0) + max(1, delay.attoseconds))
        }
        return ends
    }

    /// How long a round takes at the rate.
    public var roundDuration: Duration { Duration(attoseconds: ends[ends.count - 1]) }

    /// Where an animation is.
    public struct Position: Hashable, Sendable {
        /// The frame that is shown.
        public var frameIndex: Int
        /// How many rounds are over.
        public var loop: Int
        /// Whether all rounds are over, so that the frame stays. Of a file with one frame it always is.
        public var isFinished: Bool
        /// How long it is until something of this changes; nil where nothing will.
        public var timeToNextFrame: Duration?
    }

    /// Where it is when it has been played for `elapsed`. Before the start it is at the start.
    public func position(at elapsed: Duration) -> Position {
        if isComplete, delays.count == 1 { return standing(atStep: 0, isFinished: true) }
        if rate == 0 { return standing(atStep: 0) }
        let time = max(0, elapsed.attoseconds)
        if !isComplete, time >= ends[ends.count - 1] { return standing(atStep: ends.count - 1) }
        let (rounds, offset) = time.quotientAndRemainder(dividingBy: ends[ends.count - 1])
        if case .times(let count) = loopCount, rounds >= max(1, count) {
            return standing(atStep: path.finalStep, loop: max(1, count), isFinished: true)
        }
        let step = step(at: offset)
        // Of a file that is still arriving, nothing comes after the last frame that there is.
        let isHeld = !isComplete && step == ends.count - 1
        return Position(
            frameIndex: path.frame(atStep: step), loop: Int(clamping: rounds), isFinished: false,
            timeToNextFrame: isHeld ? nil : Duration(attoseconds: ends[step] - offset))
    }

    private func standing(atStep step: Int, loop: Int = 0, isFinished: Bool = false) -> Position {
        Position(frameIndex: path.frame(atStep: step), loop: loop, isFinished: isFinished, timeToNextFrame: nil)
    }

    /// The first step that is not over; by halves.
    private func step(at offset: Int128) -> Int {
        var (low, high) = (0, ends.count - 1)
        while low < high {
            let middle = low + (high - low) / 2
            if ends[middle] > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
