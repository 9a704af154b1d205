/// An animation that is being played, moved on by the ticks of a view: a value, with no clock and no thread.
///
/// No frame is skipped: a tick goes on by one at most, and a frame that is not ready is waited for. Time that was lost
/// in that way is not made up for, but for a frame's. `skipsLateFrames` keeps to the time instead.
///
///     for event in playback.tick(by: sinceLastTick, readiness: buffer.readiness) {
///         if case .frame(let index) = event { show(index) }
///     }
public struct AnimationPlayback: Hashable, Sendable {
    /// What it does.
    public enum Status: Hashable, Sendable {
        /// At its start, and stays there.
        case stopped
        case playing
        /// Stays where it is.
        case paused
        /// All rounds are over. Playing it begins again.
        case finished
    }

    /// What a tick came to, in this order.
    public enum Event: Hashable, Sendable {
        /// So many rounds are over.
        case loopFinished(Int)
        /// This frame, which is ready, is to be shown.
        case frame(Int)
        /// The turn of this frame has come, which cannot be had. What is shown stays for as long as it would have.
        case frameFailed(Int)
        /// All rounds are over; what is shown stays.
        case finished
    }

    /// What it does now.
    public private(set) var status = Status.stopped
    /// How many rounds are over.
    public private(set) var loop = 0
    /// How many rounds there are. One less than are over already ends it with this one.
    public var loopCount: LoopCount
    /// The order of the frames. Changing it goes on from the frame that is shown.
    public var mode: PlaybackMode {
        didSet { if mode != oldValue { goToFrame(oldPath: path(oldValue)) } }
    }
    /// How fast: 2 is twice as fast as the file says. 0, what is less, and what is no number, stops.
    public var rate: Double
    /// Whether frames are left out where ticks, or frames, come too late. A tick skips a second of it at most.
    public var skipsLateFrames = false

    private var delays: [Duration]
    private var isComplete: Bool
    private var step = 0
    /// How much of the time of this frame is over, at a rate of 1.
    private var progress = Duration.zero
    /// Whether a tick has found this frame ready. Its time counts from then on.
    private var isShown = false

    /// Stopped at the start. What makes no sense in `delays` is put right, as by `AnimationTimeline`.
    public init(
        delays: [Duration], loopCount: LoopCount = .forever, mode: PlaybackMode = .forward, rate: Double = 1,
        isComplete: Bool = true
    ) {
        self.delays = FrameDelay.checked(delays)
        self.loopCount = loopCount
        self.mode = mode
        self.rate = rate
        self.isComplete = isComplete
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

    /// The frame that is shown, or, where it was not ready at the last tick, waited for.
    public var frameIndex: Int { path.frame(atStep: step) }
    /// Whether that is on the way back of a round that bounces.
    public var isReturning: Bool { path.isReturning(atStep: step) }
    /// The frame after it; nil where none follows: in the end, or because no more have arrived.
    public var nextFrameIndex: Int? { following.map { path.frame(atStep: $0) } }
    /// How many frames there are so far.
    public var frameCount: Int { delays.count }

    /// Whether ticks can change anything; where not, a view need not ask for them.
    public var needsTicks: Bool { !isShown || (isMoving && (isComplete || following != nil)) }

    /// How long it is until a tick can change something, for a view that would rather sleep than tick; nil where none
    /// will. Zero where a frame is waited for.
    public var timeToNextFrame: Duration? {
        guard needsTicks else { return nil }
        if !isShown || isStill { return .zero }
        return (delay - progress).scaled(by: 1 / rate, atMost: FrameDelay.longest)
    }
}

// MARK: Being told

extension AnimationPlayback {
    /// Goes on from where it is; from the start where it had finished.
    public mutating func play() {
        if status == .finished { goToStart() }
        status = .playing
    }

    /// Stays where it is.
    public mutating func pause() {
        if status == .playing { status = .paused }
    }

    /// Goes back to the start and stays there.
    public mutating func stop() {
        goToStart()
        status = .stopped
    }

    /// Goes to a frame, in the round that `loop` names (counted from 0) or in the same. It is shown by the next tick
    /// that finds it ready, and its time begins then. An animation that had finished is paused there.
    /// - Returns: False, and nothing happens, where there is no such frame, or no such round.
    @discardableResult
    public mutating func seek(to index: Int, loop: Int? = nil) -> Bool {
        guard let step = path.step(showing: index), loop.map(isRound) ?? true else { return false }
        if status == .finished {
            status = .paused
            self.loop = max(0, self.loop - 1)
        }
        self.loop = loop ?? self.loop
        go(to: step)
        return true
    }

    /// Takes the frames that a file has by now. It goes on from where it is; one that waited for frames goes on with
    /// the next tick.
    public mutating func replaceDelays(_ delays: [Duration], isComplete: Bool) {
        let (oldPath, frame) = (path, frameIndex)
        self.delays = FrameDelay.checked(delays)
        self.isComplete = isComplete
        if oldPath.isComplete { return goToFrame(oldPath: oldPath) }
        // Steps stay what they are while frames are added, so one that waits for the last frame starts there.
        step = min(step, path.stepCount - 1)
        if frameIndex != frame { go(to: step) }
    }

    private func isRound(_ loop: Int) -> Bool {
        guard case .times(let count) = loopCount else { return loop >= 0 }
        return (0..<max(1, count)).contains(loop)
    }

    private mutating func goToStart() {
        loop = 0
        let wasShown = isShown && path.frame(atStep: 0) == frameIndex
        go(to: 0)
        isShown = wasShown
    }

    /// To the frame that another path showed at this step, where there still is one.
    private mutating func goToFrame(oldPath: PlaybackPath) {
        let frame = oldPath.frame(atStep: step)
        if let step = path.step(showing: frame, isReturning: oldPath.isReturning(atStep: step)) {
            self.step = step
        } else {
            go(to: path.stepCount - 1)
        }
    }

    private mutating func go(to step: Int) {
        self.step = step
        progress = .zero
        isShown = false
    }
}

// MARK: Moving on

extension AnimationPlayback {
    /// Moves on by the time since the last tick. What is not ready yet is asked about again at the next.
    public mutating func tick(by elapsed: Duration, readiness: (Int) -> FrameReadiness) -> [Event] {
        guard isShown else { return showFrame(readiness(frameIndex)) }
        guard isMoving else { return [] }
        if isStill { return finish() }
        progress += elapsed.scaled(by: rate, atMost: skipsLateFrames ? .seconds(1) : FrameDelay.longest)
        return skipsLateFrames ? skip(readiness) : goOn(readiness)
    }

    /// The frame that it was told to go to.
    private mutating func showFrame(_ readiness: FrameReadiness) -> [Event] {
        if readiness == .waiting { return [] }
        isShown = true
        return [event(readiness)]
    }

    /// By one frame, where its time has come and it is ready.
    private mutating func goOn(_ readiness: (Int) -> FrameReadiness) -> [Event] {
        guard progress >= delay else { return [] }
        let events = takeStep(readiness)
        // No debt beyond a frame's: the next tick would else show one that nobody sees, and so would those after it.
        progress = min(progress, delay)
        return events
    }

    /// Nothing where the frame that follows is not there, or not ready.
    private mutating func takeStep(_ readiness: (Int) -> FrameReadiness) -> [Event] {
        if isEnding && !mode.comesBack { return endRound() + finish() }
        guard let next = following else { return [] }
        let found = readiness(path.frame(atStep: next))
        if found == .waiting { return [] }
        let (isLast, wasLoop) = (isEnding, next == 0)
        progress -= delay
        step = next
        return (wasLoop ? endRound() : []) + [event(found)] + (isLast ? finish() : [])
    }

    /// To the latest frame that is due and ready. What lies between is counted but not shown. It is a second at most,
    /// and no frame takes less than 11 ms, so the way is short.
    private mutating func skip(_ readiness: (Int) -> FrameReadiness) -> [Event] {
        let shown = frameIndex
        var walk = self
        var (rounds, events): ([Event], [Event]) = ([], [])
        while walk.status == .playing, walk.progress >= walk.delay {
            let taken = walk.takeStep { _ in .ready }
            if taken.isEmpty { break }
            rounds += taken.filter { if case .loopFinished = $0 { true } else { false } }
            let found = walk.frameIndex == shown ? .ready : readiness(walk.frameIndex)
            if found == .waiting { continue }
            self = walk
            events = rounds + (frameIndex == shown ? [] : [event(found)])
            if status == .finished { events.append(.finished) }
        }
        progress = min(progress, delay)
        return events
    }

    private mutating func endRound() -> [Event] {
        loop = loop == .max ? loop : loop + 1
        return [.loopFinished(loop)]
    }

    private mutating func finish() -> [Event] {
        status = .finished
        return [.finished]
    }

    private func event(_ readiness: FrameReadiness) -> Event {
        readiness == .ready ? .frame(frameIndex) : .frameFailed(frameIndex)
    }

    private var path: PlaybackPath { path(mode) }
    private func path(_ mode: PlaybackMode) -> PlaybackPath {
        PlaybackPath(frameCount: delays.count, mode: mode, isComplete: isComplete)
    }

    private var delay: Duration { delays[frameIndex] }
    private var isMoving: Bool { status == .playing && rate > 0 }
    /// Whether there is nothing to be played.
    private var isStill: Bool { isComplete && delays.count == 1 }
    private var isAtEndOfRound: Bool { step == path.stepCount - 1 }

    /// Whether this is the last step of the last round.
    private var isEnding: Bool {
        guard case .times(let count) = loopCount else { return false }
        return isComplete && isAtEndOfRound && loop >= count - 1
    }

    /// The step after this one; nil where there is none yet, or none any more.
    private var following: Int? {
        if status == .finished || isStill { return nil }
        if !isAtEndOfRound { return step + 1 }
        return isComplete && (!isEnding || mode.comesBack) ? 0 : nil
    }
}
