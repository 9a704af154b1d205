import BowerbirdTestSupport
import Testing

@testable import BowerbirdCore

@Suite
struct `A timeline` {
    private func frames(_ timeline: AnimationTimeline, every step: Duration, count: Int) -> [Int] {
        (0..<count).map { timeline.position(at: step * $0).frameIndex }
    }

    @Test func showsEachFrameForItsTime() {
        let timeline = AnimationTimeline(delays: [.milliseconds(100), .milliseconds(50), .milliseconds(200)])
        #expect(
            timeline.position(at: .zero)
                == .init(frameIndex: 0, loop: 0, isFinished: false, timeToNextFrame: .milliseconds(100)))
        #expect(
            timeline.position(at: .milliseconds(99))
                == .init(frameIndex: 0, loop: 0, isFinished: false, timeToNextFrame: .milliseconds(1)))
        #expect(
            timeline.position(at: .milliseconds(100))
                == .init(frameIndex: 1, loop: 0, isFinished: false, timeToNextFrame: .milliseconds(50)))
        #expect(
            timeline.position(at: .milliseconds(800))
                == .init(frameIndex: 1, loop: 2, isFinished: false, timeToNextFrame: .milliseconds(50)))
        #expect(timeline.roundDuration == .milliseconds(350))
    }

    @Test(arguments: [
        (PlaybackMode.forward, [0, 1, 2, 3, 0, 1, 2, 3, 3, 3]), (.reverse, [3, 2, 1, 0, 3, 2, 1, 0, 0, 0]),
        (.bounce, [0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 0]),
        (.reversedBounce, [3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 3]),
    ])
    func goesThroughARoundAsItsModeSaysAndStaysAtItsEnd(mode: PlaybackMode, expected: [Int]) {
        let timeline = AnimationTimeline(
            delays: Array(repeating: .seconds(1), count: 4), loopCount: .times(2), mode: mode)
        #expect(frames(timeline, every: .seconds(1), count: expected.count) == expected)
        let end = timeline.position(at: .seconds(100))
        #expect(end == .init(frameIndex: expected.last ?? -1, loop: 2, isFinished: true, timeToNextFrame: nil))
    }

    @Test(arguments: PlaybackMode.allCases)
    func ofTwoFramesShowsThemInTurn(mode: PlaybackMode) {
        let timeline = AnimationTimeline(delays: [.seconds(1), .seconds(1)], mode: mode)
        let expected = mode == .forward || mode == .bounce ? [0, 1, 0, 1, 0] : [1, 0, 1, 0, 1]
        #expect(frames(timeline, every: .seconds(1), count: 5) == expected)
    }

    @Test(arguments: PlaybackMode.allCases)
    func ofOneFrameHasNothingToPlay(mode: PlaybackMode) {
        let timeline = AnimationTimeline(delays: [.seconds(1)], mode: mode)
        let still = AnimationTimeline.Position(frameIndex: 0, loop: 0, isFinished: true, timeToNextFrame: nil)
        #expect(timeline.position(at: .zero) == still)
        #expect(timeline.position(at: .seconds(1 << 40)) == still)
    }

    @Test func isFinishedWhenTheLastFrameHasHadItsTime() {
        let timeline = AnimationTimeline(delays: [.seconds(1), .seconds(2)], loopCount: .times(1))
        #expect(
            timeline.position(at: .seconds(2))
                == .init(frameIndex: 1, loop: 0, isFinished: false, timeToNextFrame: .seconds(1)))
        #expect(timeline.position(at: .seconds(3)).isFinished)
        #expect(timeline.position(at: .seconds(3)).loop == 1)
    }

    @Test(arguments: [LoopCount.times(0), .times(-5), .times(1)])
    func isPlayedOnceAtLeast(loopCount: LoopCount) {
        let timeline = AnimationTimeline(delays: [.seconds(1), .seconds(1)], loopCount: loopCount)
        #expect(!timeline.position(at: .milliseconds(1999)).isFinished)
        #expect(timeline.position(at: .seconds(2)).loop == 1)
        #expect(timeline.position(at: .seconds(2)).isFinished)
    }

    @Test func takesTheLoopCountOfTheFileUnlessAnotherIsGiven() {
        let file = ScriptedFrames(2, loopCount: .times(3))
        #expect(AnimationTimeline(file).loopCount == .times(3))
        #expect(AnimationTimeline(file, loopCount: .forever).loopCount == .forever)
        #expect(AnimationTimeline(file).delays == file.delays)
    }

    @Test func isFasterByItsRate() {
        let timeline = AnimationTimeline(delays: [.seconds(1), .seconds(3)], rate: 2)
        #expect(timeline.roundDuration == .seconds(2))
        #expect(timeline.position(at: .milliseconds(499)).frameIndex == 0)
        #expect(timeline.position(at: .milliseconds(500)).timeToNextFrame == .milliseconds(1500))
    }

    @Test(arguments: [0, -1, -Double.infinity, .nan])
    func withoutARateStandsAtTheStart(rate: Double) {
        let timeline = AnimationTimeline(delays: [.seconds(1), .seconds(1)], mode: .reverse, rate: rate)
        let start = AnimationTimeline.Position(frameIndex: 1, loop: 0, isFinished: false, timeToNextFrame: nil)
        #expect(timeline.position(at: .seconds(5)) == start)
        #expect(timeline == AnimationTimeline(delays: timeline.delays, mode: .reverse, rate: 0))
    }

    @Test(arguments: [1, 3, 0.1, 1e-300, 1e300, .leastNonzeroMagnitude, .infinity])
    func holdsAnyNumbers(rate: Double) {
        let (most, least) = (Duration(attoseconds: .max), Duration(attoseconds: .min))
        let all: [[Duration]] = [[most, most, most, most], [.zero, .zero], [least, .seconds(Int64.max)], []]
        for delays in all {
            for loopCount in [LoopCount.forever, .times(.max), .times(.min)] {
                let timeline = AnimationTimeline(delays: delays, loopCount: loopCount, mode: .bounce, rate: rate)
                for elapsed in [Duration.zero, least, most, .nanoseconds(1), .seconds(Int64.max)] {
                    let position = timeline.position(at: elapsed)
                    #expect(timeline.delays.indices.contains(position.frameIndex))
                    #expect(position.timeToNextFrame.map { $0 > .zero } ?? true)
                }
            }
        }
    }

    @Test func givesFramesWithoutATimeTheUsualOne() {
        let timeline = AnimationTimeline(delays: [.zero, Duration.seconds(-1), .milliseconds(11)])
        #expect(timeline.delays == [.milliseconds(100), .milliseconds(100), .milliseconds(11)])
        #expect(AnimationTimeline(delays: []).delays == [.milliseconds(100)])
    }

    @Test func ofAFileThatIsArrivingStaysAtTheLastFrameThatThereIs() {
        let delays: [Duration] = [.seconds(1), .seconds(1)]
        for mode in [PlaybackMode.forward, .bounce] {
            let timeline = AnimationTimeline(delays: delays, loopCount: .times(1), mode: mode, isComplete: false)
            #expect(timeline.position(at: .milliseconds(500)).timeToNextFrame == .milliseconds(500))
            let held = AnimationTimeline.Position(frameIndex: 1, loop: 0, isFinished: false, timeToNextFrame: nil)
            #expect(timeline.position(at: .milliseconds(1500)) == held)
            #expect(timeline.position(at: .seconds(1500)) == held)
        }
    }

    @Test(arguments: [PlaybackMode.reverse, .reversedBounce])
    func thatStartsAtTheEndWaitsForTheEnd(mode: PlaybackMode) {
        let timeline = AnimationTimeline(delays: [.seconds(1), .seconds(1)], mode: mode, isComplete: false)
        let held = AnimationTimeline.Position(frameIndex: 0, loop: 0, isFinished: false, timeToNextFrame: nil)
        #expect(timeline.position(at: .zero) == held)
        #expect(timeline.position(at: .seconds(9)) == held)
    }

    @Test(arguments: UInt64(0)..<40)
    func agreesWithOneThatCountsMillisecondByMillisecond(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            let model = NaiveAnimation(&random)
            let rates: [Double] = [0.25, 0.5, 1, 2, 4]
            let rate: Double = rates.randomElement(using: &random) ?? 1
            let timeline = AnimationTimeline(
                delays: model.delays.map { .milliseconds($0) }, loopCount: model.loopCount, mode: model.mode, rate: rate
            )
            for _ in 0..<20 {
                let time = Int.random(in: 0...model.roundTime * 4, using: &random)
                let position = timeline.position(at: .microseconds(Int64(Double(time) * 1000 / rate)))
                let expected = model.position(at: time)
                #expect(position.frameIndex == expected.frame, "seed \(seed)")
                #expect(position.loop == expected.loop, "seed \(seed)")
                #expect(position.isFinished == expected.isFinished, "seed \(seed)")
                guard let next = position.timeToNextFrame else { continue }
                #expect(next == .microseconds(Int64(Double(expected.left) * 1000 / rate)), "seed \(seed)")
            }
        }
    }
}

/// Too simple to be wrong: the frames of a round one after the other, and the milliseconds counted down.
struct NaiveAnimation {
    let delays: [Int]
    let mode: PlaybackMode
    let loopCount: LoopCount

    init(_ random: inout SeededRandom) {
        delays = (0..<Int.random(in: 2...9, using: &random)).map { _ in Int.random(in: 11...60, using: &random) }
        mode = PlaybackMode.allCases.randomElement(using: &random) ?? .forward
        loopCount = Bool.random(using: &random) ? .forever : .times(Int.random(in: 1...4, using: &random))
    }

    static func round(_ count: Int, _ mode: PlaybackMode) -> [Int] {
        let up = Array(0..<count)
        let back = Array(up.dropFirst().dropLast().reversed())
        return switch mode {
        case .forward: up
        case .reverse: up.reversed()
        case .bounce: up + back
        case .reversedBounce: up.reversed() + back.reversed()
        }
    }

    var round: [Int] { Self.round(delays.count, mode) }
    var roundTime: Int { round.map { delays[$0] }.reduce(0, +) }
    var finalFrame: Int { mode == .bounce || mode == .reversedBounce ? round[0] : round[round.count - 1] }

    func position(at time: Int) -> (frame: Int, loop: Int, isFinished: Bool, left: Int) {
        var (left, loop) = (time, 0)
        while true {
            if case .times(loop) = loopCount { return (finalFrame, loop, true, 0) }
            for frame in round {
                if left < delays[frame] { return (frame, loop, false, delays[frame] - left) }
                left -= delays[frame]
            }
            loop += 1
        }
    }
}
