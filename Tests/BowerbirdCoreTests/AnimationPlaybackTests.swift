import BowerbirdCore
import BowerbirdTestSupport
import Testing

extension AnimationPlayback {
    fileprivate mutating func tick(
        _ milliseconds: Int, _ readiness: (Int) -> FrameReadiness = { _ in .ready }
    ) -> [Event] {
        tick(by: .milliseconds(milliseconds), readiness: readiness)
    }

    /// Shown and playing, with a delay of 100 ms a frame.
    fileprivate static func playing(
        _ count: Int, _ loopCount: LoopCount = .forever, _ mode: PlaybackMode = .forward, isComplete: Bool = true
    ) -> AnimationPlayback {
        let delays = Array(repeating: Duration.milliseconds(100), count: count)
        var playback = AnimationPlayback(delays: delays, loopCount: loopCount, mode: mode, isComplete: isComplete)
        playback.play()
        _ = playback.tick(0)
        return playback
    }
}

@Suite
struct `An animation that is played` {
    @Test func showsItsFirstFrameWhenThatIsReadyAndCountsItsTimeFromThen() {
        var playback = AnimationPlayback(ScriptedFrames(3))
        #expect(playback.needsTicks, "the first frame is shown even where nothing is played")
        #expect(playback.tick(500) { _ in .waiting } == [])
        playback.play()
        #expect(playback.tick(500) { _ in .waiting } == [])
        #expect(playback.tick(500) == [.frame(0)])
        #expect(playback.timeToNextFrame == .milliseconds(100))
        #expect(playback.tick(99) == [])
        #expect(playback.timeToNextFrame == .milliseconds(1))
        #expect(playback.tick(1) == [.frame(1)])
    }

    @Test func goesOnByOneFrameATickHoweverLate() {
        var playback = AnimationPlayback.playing(5)
        #expect(playback.tick(10_000) == [.frame(1)])
        #expect(playback.tick(0) == [.frame(2)], "one frame's debt is made up for")
        #expect(playback.tick(99) == [])
        #expect(playback.tick(1) == [.frame(3)])
    }

    @Test func waitsForAFrameThatIsNotReady() {
        var playback = AnimationPlayback.playing(3)
        for _ in 0..<5 { #expect(playback.tick(100) { $0 == 1 ? .waiting : .ready } == []) }
        #expect(playback.frameIndex == 0)
        #expect(playback.nextFrameIndex == 1)
        #expect(playback.timeToNextFrame == .zero)
        #expect(playback.tick(0) == [.frame(1)])
        #expect(playback.tick(99) == [], "what was waited for is not made up for")
        #expect(playback.tick(1) == [.frame(2)])
    }

    @Test func keepsTheTimeOfAFrameThatFailed() {
        var playback = AnimationPlayback.playing(3, .times(1))
        #expect(playback.tick(100) { $0 == 1 ? .failed : .ready } == [.frameFailed(1)])
        #expect(playback.tick(99) == [])
        #expect(playback.tick(1) == [.frame(2)])
    }

    @Test func countsRoundsAndStaysAtTheLastFrame() {
        var playback = AnimationPlayback.playing(2, .times(2))
        let ticks = (0..<5).map { _ in playback.tick(100) }
        #expect(
            ticks == [[.frame(1)], [.loopFinished(1), .frame(0)], [.frame(1)], [.loopFinished(2), .finished], []])
        #expect(playback.status == .finished)
        #expect(playback.frameIndex == 1)
        #expect(playback.nextFrameIndex == nil)
        #expect(playback.loop == 2)
        #expect(!playback.needsTicks)
        #expect(playback.timeToNextFrame == nil)
    }

    @Test func inReverseStaysAtTheFirst() {
        var playback = AnimationPlayback.playing(2, .times(1), .reverse)
        #expect(playback.frameIndex == 1)
        #expect(playback.tick(100) == [.frame(0)])
        #expect(playback.tick(100) == [.loopFinished(1), .finished])
        #expect(playback.frameIndex == 0)
    }

    @Test func bouncesBackToWhereItBegan() {
        var playback = AnimationPlayback.playing(3, .times(1), .bounce)
        #expect(playback.tick(100) == [.frame(1)])
        #expect(!playback.isReturning)
        #expect(playback.tick(100) == [.frame(2)])
        #expect(playback.tick(100) == [.frame(1)])
        #expect(playback.isReturning)
        #expect(playback.tick(100) { _ in .waiting } == [], "its end is a frame too")
        #expect(playback.tick(0) == [.loopFinished(1), .frame(0), .finished])
        #expect(playback.nextFrameIndex == nil)
    }

    @Test func ofOneFrameIsFinishedAtOnce() {
        var playback = AnimationPlayback(ScriptedFrames(1, loopCount: .times(3)))
        playback.play()
        #expect(playback.tick(0) == [.frame(0)])
        #expect(playback.needsTicks)
        #expect(playback.timeToNextFrame == .zero)
        #expect(playback.tick(0) == [.finished])
        #expect(playback.loop == 0)
        #expect(playback.nextFrameIndex == nil)
    }

    @Test func takesTheLoopCountOfTheFileUnlessAnotherIsGiven() {
        let file = ScriptedFrames(2, loopCount: .times(3))
        #expect(AnimationPlayback(file).loopCount == .times(3))
        #expect(AnimationPlayback(file, loopCount: .forever).loopCount == .forever)
    }

    @Test func endsWithThisRoundWhereTheLoopCountBecomesLessThanAreOver() {
        var playback = AnimationPlayback.playing(2)
        for _ in 0..<6 { _ = playback.tick(100) }
        playback.loopCount = .times(1)
        #expect(playback.tick(100) == [.frame(1)])
        #expect(playback.tick(100) == [.loopFinished(4), .finished])
    }
}

@Suite
struct `Whoever plays an animation` {
    @Test func pausesItWhereItIs() {
        var playback = AnimationPlayback.playing(3)
        _ = playback.tick(150)
        playback.pause()
        #expect(playback.status == .paused)
        #expect(!playback.needsTicks)
        #expect(playback.tick(1000) == [])
        playback.play()
        #expect(playback.tick(50) == [.frame(2)], "the time before counts")
    }

    @Test func stopsItAtTheStart() {
        var playback = AnimationPlayback.playing(2)
        for _ in 0..<3 { _ = playback.tick(100) }
        playback.stop()
        #expect(playback.status == .stopped)
        #expect(playback.loop == 0)
        #expect(playback.frameIndex == 0)
        #expect(playback.tick(0) == [.frame(0)], "it shows its start")
        #expect(playback.tick(1000) == [])
        playback.stop()
        #expect(!playback.needsTicks)
        playback.pause()
        #expect(playback.status == .stopped)
    }

    @Test func playsItAgainFromTheStartWhenItHadFinished() {
        var playback = AnimationPlayback.playing(2, .times(1))
        for _ in 0..<2 { _ = playback.tick(100) }
        playback.play()
        #expect(playback.status == .playing)
        #expect(playback.loop == 0)
        #expect(playback.tick(0) == [.frame(0)])
    }

    @Test func seeksAFrameWhichIsWaitedFor() {
        var playback = AnimationPlayback.playing(9, .times(3))
        _ = playback.tick(150)
        #expect(playback.seek(to: 7, loop: 2) == true)
        #expect(playback.frameIndex == 7)
        #expect(playback.loop == 2)
        #expect(playback.tick(500) { _ in .waiting } == [])
        #expect(playback.tick(500) == [.frame(7)])
        #expect(playback.tick(100) == [.frame(8)])
        #expect(playback.tick(100) == [.loopFinished(3), .finished])
    }

    @Test(arguments: [(-1, nil), (9, nil), (0, -1), (0, 3), (Int.max, Int.max)] as [(Int, Int?)])
    func seeksNothingThatThereIsNot(index: Int, loop: Int?) {
        let before = AnimationPlayback.playing(9, .times(3))
        var playback = before
        #expect(playback.seek(to: index, loop: loop) == false)
        #expect(playback == before)
    }

    @Test func countsNoFurtherThanThereAreNumbers() {
        var playback = AnimationPlayback.playing(2)
        #expect(playback.seek(to: 1, loop: .max) == true)
        _ = playback.tick(0)
        #expect(playback.tick(100) == [.loopFinished(.max), .frame(0)])
    }

    @Test func goesOnFromWhereItSoughtWhenItHadFinished() {
        var playback = AnimationPlayback.playing(2, .times(2))
        for _ in 0..<4 { _ = playback.tick(100) }
        #expect(playback.status == .finished)
        #expect(playback.seek(to: 0) == true)
        #expect(playback.status == .paused)
        #expect(playback.loop == 1)
        playback.play()
        #expect(playback.tick(0) == [.frame(0)])
        #expect(playback.tick(100) == [.frame(1)])
        #expect(playback.tick(100) == [.loopFinished(2), .finished])
    }

    @Test func mayChangeItsRate() {
        var playback = AnimationPlayback.playing(9)
        _ = playback.tick(50)
        playback.rate = 0.5
        #expect(playback.timeToNextFrame == .milliseconds(100))
        #expect(playback.tick(99) == [])
        #expect(playback.tick(1) == [.frame(1)])
        playback.rate = 4
        #expect(playback.tick(25) == [.frame(2)])
    }

    @Test(arguments: [0, -1, -Double.infinity, .nan])
    func stopsItByItsRate(rate: Double) {
        var playback = AnimationPlayback.playing(9)
        playback.rate = rate
        #expect(!playback.needsTicks)
        #expect(playback.timeToNextFrame == nil)
        #expect(playback.tick(1000) == [])
        playback.rate = 1
        #expect(playback.tick(99) == [])
        #expect(playback.tick(1) == [.frame(1)])
    }

    @Test func mayTurnItRound() {
        var playback = AnimationPlayback.playing(5)
        for _ in 0..<2 { _ = playback.tick(100) }
        playback.mode = .reverse
        #expect(playback.frameIndex == 2)
        #expect(playback.tick(100) == [.frame(1)])
        playback.mode = .bounce
        #expect(playback.tick(100) == [.frame(2)])
    }

    @Test(arguments: [Duration(attoseconds: .max), Duration(attoseconds: .min), .seconds(Int64.max)])
    func maySayAnyTime(elapsed: Duration) {
        for rate in [1, 1e300, .infinity, .leastNonzeroMagnitude] {
            var playback = AnimationPlayback(delays: [elapsed, elapsed], rate: rate)
            playback.play()
            for skips in [false, true] {
                playback.skipsLateFrames = skips
                for _ in 0..<4 { #expect(playback.tick(by: elapsed) { _ in .ready }.count <= 4) }
            }
            #expect(playback.timeToNextFrame.map { $0 >= .zero } ?? true)
        }
    }
}

@Suite
struct `An animation that is still arriving` {
    private func delays(_ count: Int) -> [Duration] { Array(repeating: .milliseconds(100), count: count) }

    @Test func waitsAtTheLastFrameAndGoesOnWhenThereAreMore() {
        var playback = AnimationPlayback.playing(2, .times(1), isComplete: false)
        #expect(playback.tick(100) == [.frame(1)])
        #expect(playback.tick(1000) == [])
        #expect(playback.nextFrameIndex == nil)
        #expect(!playback.needsTicks)
        playback.replaceDelays(delays(3), isComplete: false)
        #expect(playback.needsTicks)
        #expect(playback.frameCount == 3)
        #expect(playback.tick(0) == [.frame(2)])
        #expect(playback.tick(100) == [])
        playback.replaceDelays(delays(3), isComplete: true)
        #expect(playback.tick(0) == [.loopFinished(1), .finished])
    }

    @Test func ofOneFrameSoFarIsNotFinished() {
        var playback = AnimationPlayback.playing(1, isComplete: false)
        #expect(playback.tick(100) == [])
        #expect(playback.status == .playing)
        playback.replaceDelays(delays(1), isComplete: true)
        #expect(playback.tick(0) == [.finished])
    }

    @Test(arguments: [PlaybackMode.reverse, .reversedBounce])
    func inReverseShowsTheFirstFrameUntilTheLastIsThere(mode: PlaybackMode) {
        var playback = AnimationPlayback.playing(3, .times(1), mode, isComplete: false)
        #expect(playback.frameIndex == 0)
        #expect(playback.tick(1000) == [])
        #expect(playback.seek(to: 2) == false)
        playback.replaceDelays(delays(5), isComplete: false)
        #expect(playback.tick(1000) == [])
        playback.replaceDelays(delays(5), isComplete: true)
        #expect(playback.tick(0) == [.frame(4)])
        #expect(playback.tick(100) == [.frame(3)])
    }

    @Test func turnsBackOnlyAtTheRealEnd() {
        var playback = AnimationPlayback.playing(2, .forever, .bounce, isComplete: false)
        #expect(playback.tick(100) == [.frame(1)])
        #expect(playback.tick(100) == [])
        playback.replaceDelays(delays(3), isComplete: true)
        #expect(playback.tick(0) == [.frame(2)])
        #expect(playback.tick(100) == [.frame(1)])
        #expect(playback.tick(100) == [.loopFinished(1), .frame(0)])
    }

    @Test func thatTurnsOutToBeShorterGoesOnFromItsEnd() {
        var playback = AnimationPlayback.playing(5, isComplete: false)
        for _ in 0..<4 { _ = playback.tick(100) }
        playback.replaceDelays(delays(2), isComplete: true)
        #expect(playback.tick(0) == [.frame(1)])
        playback.replaceDelays([], isComplete: true)
        #expect(playback.tick(0) == [.frame(0)])
        #expect(playback.tick(0) == [.finished])
    }
}

@Suite
struct `An animation that may skip frames` {
    @Test func showsWhatIsDue() {
        var playback = AnimationPlayback.playing(5)
        playback.skipsLateFrames = true
        #expect(playback.tick(350) == [.frame(3)])
        #expect(playback.tick(49) == [])
        #expect(playback.tick(1) == [.frame(4)])
    }

    @Test func showsTheLatestThatIsReady() {
        var playback = AnimationPlayback.playing(5)
        playback.skipsLateFrames = true
        #expect(playback.tick(400) { $0 > 2 ? .waiting : .ready } == [.frame(2)])
        #expect(playback.tick(10) { $0 > 2 ? .waiting : .ready } == [])
        #expect(playback.tick(0) { $0 > 3 ? .waiting : .ready } == [.frame(3)])
        #expect(playback.tick(100) { $0 == 4 ? .failed : .ready } == [.frameFailed(4)])
    }

    @Test func countsTheRoundsThatItSkips() {
        var playback = AnimationPlayback.playing(3, .times(3))
        playback.skipsLateFrames = true
        #expect(playback.tick(400) == [.loopFinished(1), .frame(1)])
        #expect(playback.tick(400) == [.loopFinished(2), .frame(2)])
        #expect(playback.tick(400) == [.loopFinished(3), .finished], "the frame is there already")
    }

    @Test func endsAtTheLastFrameAndNotBeforeItIsReady() {
        var playback = AnimationPlayback.playing(3, .times(1))
        playback.skipsLateFrames = true
        #expect(playback.tick(900) { $0 == 2 ? .waiting : .ready } == [.frame(1)])
        #expect(playback.status == .playing)
        #expect(playback.tick(900) == [.loopFinished(1), .frame(2), .finished])
    }

    @Test func goesASecondFurtherAtMost() {
        var playback = AnimationPlayback.playing(3)
        playback.skipsLateFrames = true
        playback.rate = 1000
        #expect(playback.tick(1000) == [.loopFinished(1), .loopFinished(2), .loopFinished(3), .frame(1)])
    }

    @Test func waitsWhereNoMoreHaveArrived() {
        var playback = AnimationPlayback.playing(2, isComplete: false)
        playback.skipsLateFrames = true
        #expect(playback.tick(500) == [.frame(1)])
        #expect(playback.tick(500) == [])
    }
}

@Suite
struct `Whatever is done to an animation` {
    /// With ticks of a millisecond, and frames that are ready, it is where the timeline says.
    @Test(arguments: UInt64(0)..<100)
    func itIsWhereTheTimelineSays(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let model = NaiveAnimation(&random)
        var playback = AnimationPlayback(
            delays: model.delays.map { .milliseconds($0) }, loopCount: model.loopCount, mode: model.mode)
        playback.skipsLateFrames = Bool.random(using: &random)
        playback.play()
        _ = playback.tick(0)
        var time = 0
        while time < model.roundTime * 3 {
            let step = Int.random(in: 1...11, using: &random)
            time += step
            _ = playback.tick(step)
            let expected = model.position(at: time)
            #expect(playback.frameIndex == expected.frame, "seed \(seed) at \(time)")
            #expect(playback.loop == expected.loop, "seed \(seed) at \(time)")
            #expect((playback.status == .finished) == expected.isFinished, "seed \(seed) at \(time)")
        }
    }

    /// Every frame comes after the one before it in its round, ready, and none is left out.
    @Test(arguments: UInt64(0)..<500)
    func noFrameIsLeftOut(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var story = PlaybackStory(&random)
        for _ in 0..<80 { story.goOn(&random) }
        #expect(story.faults == [], "seed \(seed)")
    }
}

/// A playback, and a model of it that knows no time: what may come next.
private struct PlaybackStory {
    var playback: AnimationPlayback
    var faults: [String] = []
    private var count: Int
    private var isComplete: Bool
    private var ready: Set<Int> = []
    /// In the round.
    private var place = 0
    private var isShown = false
    private var loop = 0
    private let rounds: Int

    init(_ random: inout SeededRandom) {
        count = Int.random(in: 2...6, using: &random)
        rounds = Int.random(in: 1...3, using: &random)
        isComplete = Bool.random(using: &random)
        playback = AnimationPlayback(
            delays: [], loopCount: .times(rounds),
            mode: PlaybackMode.allCases.randomElement(using: &random) ?? .forward,
            isComplete: false)
        playback.replaceDelays(Array(repeating: .milliseconds(20), count: count), isComplete: isComplete)
        playback.play()
    }

    private var round: [Int] {
        if isComplete { return NaiveAnimation.round(count, playback.mode) }
        return playback.mode == .forward || playback.mode == .bounce ? Array(0..<count) : [0]
    }

    mutating func goOn(_ random: inout SeededRandom) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...3: ready.insert(Int.random(in: 0..<count, using: &random))
        case 4: ready = ready.filter { _ in Bool.random(using: &random) }
        case 5: grow(&random)
        case 6: seek(Int.random(in: -1...count, using: &random))
        case 7: playback.pause()
        case 8, 9: if playback.status != .finished { playback.play() }
        default: tick(Int.random(in: 0...50, using: &random))
        }
        expect(playback.frameIndex == round[place], "frame \(playback.frameIndex) instead of \(round[place])")
        expect(playback.loop == loop, "\(playback.loop) rounds instead of \(loop)")
    }

    private mutating func grow(_ random: inout SeededRandom) {
        if isComplete { return }
        let before = round[place]
        count += Int.random(in: 0...2, using: &random)
        isComplete = Bool.random(using: &random)
        playback.replaceDelays(Array(repeating: .milliseconds(20), count: count), isComplete: isComplete)
        if round[place] != before { isShown = false }
    }

    private mutating func seek(_ index: Int) {
        guard let place = round.firstIndex(of: index) else { return expect(!playback.seek(to: index), "sought") }
        if playback.status == .finished { loop -= 1 }
        expect(playback.seek(to: index), "not sought")
        (self.place, isShown) = (place, false)
    }

    private mutating func tick(_ milliseconds: Int) {
        let (wasPlaying, wasShown) = (playback.status == .playing, isShown)
        let events = playback.tick(milliseconds) { ready.contains($0) ? .ready : .waiting }
        var expected: [AnimationPlayback.Event] = []
        if !events.isEmpty { expected = wasShown ? step() : showFrame() }
        expect(wasPlaying || !wasShown || events.isEmpty, "it moved")
        expect(events == expected, "\(events) instead of \(expected)")
        for case .frame(let index) in events { expect(ready.contains(index), "frame \(index) was not ready") }
    }

    private mutating func showFrame() -> [AnimationPlayback.Event] {
        isShown = true
        return [.frame(round[place])]
    }

    private mutating func step() -> [AnimationPlayback.Event] {
        if place + 1 < round.count {
            place += 1
            return [.frame(round[place])]
        }
        loop += 1
        let comesBack = playback.mode == .bounce || playback.mode == .reversedBounce
        if loop == rounds, !comesBack { return [.loopFinished(loop), .finished] }
        place = 0
        return [.loopFinished(loop), .frame(round[0])] + (loop == rounds ? [.finished] : [])
    }

    private mutating func expect(_ condition: Bool, _ fault: String) {
        if !condition { faults.append(fault) }
    }
}
