import BowerbirdCore
import BowerbirdTestSupport
import Testing

/// Frames are decoded one step at a time on the thread of the test.
@Suite
struct `A frame buffer` {
    private let executor = SeededExecutor(seed: 1)
    private let told = Recorder<String>()

    private func buffer(_ frames: ScriptedFrames, _ budget: FrameBudget = .all, poster: Bitmap? = nil) -> FrameBuffer {
        FrameBuffer(frames, budget: budget, poster: poster, executor: executor)
    }

    private func join(_ buffer: FrameBuffer, as name: String = "") -> FrameBuffer.Viewer {
        buffer.join { [told] in told.add("\(name)\($0)") }
    }

    @Test func answersAtOnceAndTellsWhenAFrameIsReady() {
        let frames = ScriptedFrames(4)
        let buffer = buffer(frames)
        let viewer = join(buffer)
        #expect(viewer.frame(at: 2) == nil)
        #expect(frames.decoded == [], "nothing is decoded on the caller's thread")
        #expect(executor.runOne())
        #expect(told.all == ["0"])
        #expect(executor.runOne())
        #expect(viewer.frame(at: 2)?.frameNumber == 2)
        #expect(buffer.readiness(of: 2) == .ready)
        #expect(buffer.byteCount == 2 * 16)
        executor.runUntilIdle()
        #expect(frames.decoded == [0, 2, 3, 1])
        #expect(told.all == ["0", "2", "3", "1"])
        #expect(viewer.frame(at: 9) == nil)
    }

    @Test func tellsEverybodyInTheOrderOfTheirComing() {
        let buffer = buffer(ScriptedFrames(2))
        let viewers = ["a", "b", "c"].map { join(buffer, as: $0) }
        executor.runOne()
        viewers[1].leave()
        executor.runUntilIdle()
        #expect(told.all == ["a0", "b0", "c0", "a1", "c1"])
        viewers.forEach { $0.leave() }
    }

    @Test func sharesItsFramesAmongAllWhoLook() throws {
        let frames = ScriptedFrames(3)
        let buffer = buffer(frames)
        let first = join(buffer)
        executor.runUntilIdle()
        let second = join(buffer)
        executor.runUntilIdle()
        #expect(frames.decoded == [0, 1, 2])
        #expect(try #require(first.frame(at: 1)).isIdentical(to: try #require(second.frame(at: 1))))
    }

    @Test func mayBeUsedByThoseWhoAreTold() {
        let buffer = buffer(ScriptedFrames(4))
        let viewer = Holder<FrameBuffer.Viewer>()
        viewer.set(buffer.join { [told] index in told.add("\(viewer.value?.frame(at: (index + 2) % 4) == nil)") })
        executor.runUntilIdle()
        #expect(told.all == ["true", "false", "true", "false"])
        viewer.value?.leave()
        viewer.set(nil)
    }

    @Test func remembersWhyAFrameCannotBeHad() {
        let frames = ScriptedFrames(3, failures: [1: .corrupt("x")])
        let buffer = buffer(frames)
        let viewer = join(buffer)
        executor.runUntilIdle()
        #expect(told.all == ["0", "1", "2"])
        #expect(buffer.failure(at: 1) == .corrupt("x"))
        #expect(viewer.frame(at: 1) == nil)
        executor.runUntilIdle()
        #expect(frames.decoded == [0, 1, 2])
    }

    @Test func stopsWhenTheLastViewerLeaves() {
        let frames = ScriptedFrames(3)
        let buffer = buffer(frames)
        let viewer = join(buffer)
        frames.whileDecoding { _ in
            viewer.leave()
            #expect(Task.isCancelled)
        }
        executor.runUntilIdle()
        #expect(frames.decoded == [0])
        #expect(told.all == [])
        #expect(buffer.readiness(of: 0) == .waiting)
        #expect(viewer.frame(at: 0) == nil, "it has left")
        #expect(executor.pendingCount == 0)
        frames.whileDecoding { _ in }
    }

    @Test func stopsWhenTheLastViewerIsForgotten() {
        let frames = ScriptedFrames(3)
        let buffer = buffer(frames)
        var viewer: FrameBuffer.Viewer? = join(buffer)
        #expect(viewer != nil)
        viewer = nil
        executor.runUntilIdle()
        #expect(frames.decoded == [], "a decode that had not begun does not begin")
        #expect(buffer.byteCount == 0)
    }

    @Test func beginsAgainForThoseWhoComeBackBeforeTheDecodeHasEnded() {
        let frames = ScriptedFrames(2)
        let buffer = buffer(frames)
        let viewer = join(buffer)
        let other = Holder<FrameBuffer.Viewer>()
        frames.whileDecoding { [told] _ in
            if other.value != nil { return }
            viewer.leave()
            other.set(buffer.join { told.add("other \($0)") })
        }
        executor.runUntilIdle()
        #expect(frames.decoded == [0, 0, 1])
        #expect(told.all == ["other 0", "other 1"])
        other.set(nil)
        frames.whileDecoding { _ in }
    }

    @Test func stopsWhenItIsForgotten() {
        let frames = ScriptedFrames(3)
        let buffer = Holder(buffer(frames))
        weak let weakBuffer = buffer.value
        // A viewer holds its buffer, so both are let go while a frame is on its way.
        let viewer = Holder(buffer.value?.join())
        frames.whileDecoding { _ in
            viewer.set(nil)
            buffer.set(nil)
            #expect(Task.isCancelled)
        }
        executor.runUntilIdle()
        #expect(weakBuffer == nil)
        #expect(frames.decoded == [0])
    }

    @Test func takesThePosterForItsFirstFrame() throws {
        let frames = ScriptedFrames(2)
        let poster = try ScriptedFrames.bitmap(0)
        let buffer = buffer(frames, poster: poster)
        let viewer = join(buffer)
        #expect(viewer.frame(at: 0)?.isIdentical(to: poster) == true)
        executor.runUntilIdle()
        #expect(frames.decoded == [1])
    }

    @Test func trimsUnderPressureAndGrowsAgain() {
        let frames = ScriptedFrames(9)
        let buffer = buffer(frames)
        let viewer = join(buffer)
        executor.runUntilIdle()
        _ = viewer.frame(at: 4)
        buffer.respond(to: .normal)
        #expect(buffer.byteCount == 9 * 16)
        buffer.respond(to: .warning)
        #expect(buffer.byteCount == 3 * 16)
        #expect(buffer.capacity == 3)
        executor.runUntilIdle()
        #expect(buffer.byteCount == 3 * 16)
        buffer.respond(to: .critical)
        buffer.respond(to: .normal)
        executor.runUntilIdle()
        #expect(buffer.byteCount == 9 * 16)
    }

    @Test func freesWhatItDrops() {
        let buffer = buffer(ScriptedFrames(9))
        let viewer = join(buffer)
        executor.runUntilIdle()
        weak let storage = viewer.frame(at: 8)?.storage
        #expect(storage != nil)
        _ = viewer.frame(at: 3)
        buffer.trim()
        #expect(storage == nil)
    }

    @Test func reckonsAnewWhenItMayGrow() {
        let memory = Holder(MemoryAvailability(total: 1 << 30, free: 100 << 20))
        let buffer = FrameBuffer(ScriptedFrames(100, side: 1024), executor: executor) {
            memory.value ?? MemoryAvailability(total: 0, free: 0)
        }
        #expect(buffer.capacity == 15)
        memory.set(MemoryAvailability(total: 1 << 30, free: 50 << 20))
        #expect(buffer.capacity == 15)
        buffer.restore()
        #expect(buffer.capacity == 7)
    }

    @Test func asksForMemoryOnlyWhereItMatters() {
        let asked = Recorder<Int>()
        let memory: @Sendable () -> MemoryAvailability = {
            asked.add(1)
            return MemoryAvailability(total: 1 << 30, free: 1 << 30)
        }
        let all = FrameBuffer(ScriptedFrames(2), budget: .all, executor: executor, memory: memory)
        #expect(asked.all == [])
        #expect(all.capacity == 2)
        #expect(FrameBuffer(ScriptedFrames(2), executor: executor, memory: memory).capacity == 2)
        #expect(asked.all == [1])
    }

    @Test func takesALongerSource() {
        let buffer = buffer(ScriptedFrames(2))
        let viewer = join(buffer)
        executor.runUntilIdle()
        let longer = ScriptedFrames(4)
        buffer.replaceSource(longer)
        #expect(viewer.frame(at: 1)?.frameNumber == 1)
        executor.runUntilIdle()
        #expect(longer.decoded == [2, 3])
        #expect(buffer.source.frameCount == 4)
    }

    /// The whole of it: what is played is decoded in time, with no more than three frames at once.
    @Test(arguments: PlaybackMode.allCases, [FrameBudget.frames(1), .frames(4), .all])
    func neverKeepsAPlaybackWaitingForEver(mode: PlaybackMode, budget: FrameBudget) {
        let frames = ScriptedFrames(6, loopCount: .times(2))
        let buffer = buffer(frames, budget)
        let viewer = join(buffer)
        var playback = AnimationPlayback(frames, mode: mode)
        playback.play()
        var (shown, ticks): ([Int], Int) = ([], 0)
        while playback.status != .finished, ticks < 1000 {
            ticks += 1
            _ = viewer.frame(of: playback)
            if ticks.isMultiple(of: 3) { executor.runOne() }
            for event in playback.tick(by: .milliseconds(50), readiness: buffer.readiness) {
                guard case .frame(let index) = event else { continue }
                shown.append(index)
                #expect(buffer.bitmap(at: index)?.frameNumber == index)
            }
            #expect(buffer.byteCount <= buffer.capacity * 16)
        }
        let round = NaiveAnimation.round(6, mode)
        let end = mode == .bounce || mode == .reversedBounce ? [round[0]] : []
        #expect(shown == round + round + end)
    }

    /// With no executor of its own, and from many tasks at once.
    @Test(.timeLimit(.minutes(5)))
    func standsManyViewersOnManyThreads() async {
        let frames = ScriptedFrames(12)
        let buffer = FrameBuffer(frames, budget: .frames(5))
        await withTaskGroup { group in
            for seed in UInt64(0)..<8 { group.addTask { await Self.look(at: buffer, seed: seed) } }
        }
        #expect(buffer.byteCount <= 12 * 16)
        let viewer = buffer.join()
        for index in 0..<12 { #expect(await eventually { viewer.frame(at: index)?.frameNumber == index }) }
    }

    private static func look(at buffer: FrameBuffer, seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let viewer = buffer.join()
            let index = Int.random(in: 0..<12, using: &random)
            if let bitmap = viewer.frame(at: index) { #expect(bitmap.frameNumber == index) }
            if index == 0 { buffer.trim() }
            if index == 1 { buffer.restore() }
            await Task.yield()
        }
    }
}

/// What was told, in its order.
private final class Recorder<Value: Sendable>: Sendable {
    private let values = Lock<[Value]>([])

    var all: [Value] { values.withLock { $0 } }
    func add(_ value: Value) { values.withLock { $0.append(value) } }
}

/// Something that is let go when the test says so.
private final class Holder<Value: Sendable>: Sendable {
    private let held: Lock<Value?>

    init(_ value: Value? = nil) { held = Lock(value) }

    var value: Value? { held.withLock { $0 } }

    func set(_ value: Value?) {
        let old = held.withLock { held in
            defer { held = value }
            return held
        }
        _ = old
    }
}
