import BowerbirdTestSupport
import Testing

@testable import BowerbirdCore

extension FrameBuffer.State {
    fileprivate static let plenty = MemoryAvailability(total: 8 << 30, free: 4 << 30)

    fileprivate init(_ count: Int, _ budget: FrameBudget = .all, poster: Bitmap? = nil) {
        self.init(ScriptedFrames(count), budget, Self.plenty, poster: poster)
    }

    /// Ends a decode well and goes on.
    fileprivate mutating func finish(_ decode: Decode) throws -> Actions {
        #expect(ended(decode, .success(try ScriptedFrames.bitmap(decode.index))) == true)
        return goOn(after: decode)
    }

    /// Decodes until nothing is wanted; the frames in their order.
    fileprivate mutating func settle(_ actions: Actions) throws -> [Int] {
        var (decoded, next): ([Int], Decode?) = ([], actions.start)
        while let decode = next {
            decoded.append(decode.index)
            next = try finish(decode).start
        }
        return decoded
    }
}

@Suite
struct `The frames that are decoded ahead` {
    @Test func areThoseThatComeNext() throws {
        var state = FrameBuffer.State(5)
        let (viewer, joined) = state.join()
        #expect(try state.settle(joined) == [0, 1, 2, 3, 4])
        #expect(state.move(viewer, to: 2, .forward, isReturning: false).start == nil, "all are there")
    }

    @Test func beginAtTheFrameThatIsLookedAtAndGoOnAfterTheEnd() throws {
        var state = FrameBuffer.State(5)
        let (viewer, joined) = state.join()
        let first = try #require(joined.start)
        #expect(state.move(viewer, to: 3, .forward, isReturning: false).start == nil, "one at a time")
        #expect(try state.settle(state.finish(first)) == [3, 4, 1, 2])
    }

    @Test(arguments: [
        (PlaybackMode.reverse, false, [3, 2, 1, 0, 5, 4]), (.bounce, false, [3, 4, 5, 2, 1, 0]),
        (.bounce, true, [3, 2, 1, 0, 4, 5]), (.reversedBounce, false, [3, 2, 1, 0, 4, 5]),
        (.reversedBounce, true, [3, 4, 5, 2, 1, 0]),
    ])
    func followTheWayOfTheirMode(mode: PlaybackMode, isReturning: Bool, expected: [Int]) throws {
        var state = FrameBuffer.State(6)
        let (viewer, _) = state.join()
        _ = state.move(viewer, to: 3, mode, isReturning: isReturning)
        #expect(state.wanted == expected)
    }

    @Test func areAsManyAsTheBudgetAllowsWithTheFirstOfAllAmongThem() throws {
        var state = FrameBuffer.State(9, .frames(4))
        let (viewer, joined) = state.join()
        #expect(try state.settle(joined) == [0, 1, 2, 3])
        let moved = state.move(viewer, to: 5, .forward, isReturning: false)
        #expect(moved.dropped.map(\.frameNumber) == [1], "what was used longest ago makes room before")
        #expect(try state.settle(moved) == [5, 6, 7])
        #expect(state.heldIndexes == [0, 5, 6, 7])
        #expect(state.byteCount == 4 * 16)
    }

    @Test func stayBehindUntilTheirRoomIsNeededAndGoInTheOrderOfTheirUse() throws {
        var state = FrameBuffer.State(9, .frames(5))
        let (viewer, joined) = state.join()
        _ = try state.settle(joined)
        #expect(state.move(viewer, to: 1, .forward, isReturning: false).start == nil)
        let moved = state.move(viewer, to: 2, .forward, isReturning: false)
        #expect(moved.dropped.map(\.frameNumber) == [1])
        let decode = try #require(moved.start)
        _ = state.move(viewer, to: 4, .forward, isReturning: false)
        let next = try state.finish(decode)
        #expect(next.dropped.map(\.frameNumber) == [3], "2 was shown, 3 was only decoded")
        #expect(try state.settle(next) == [6, 7])
        #expect(state.heldIndexes == [0, 4, 5, 6, 7])
    }

    @Test(arguments: [FrameBudget.frames(1), .frames(-5), .bytes(0), .bytes(-1), .bytes(16)])
    func areThreeHoweverSmallTheBudget(budget: FrameBudget) throws {
        var state = FrameBuffer.State(9, budget)
        let (viewer, joined) = state.join()
        #expect(try state.settle(joined) == [0, 1, 2])
        #expect(try state.settle(state.move(viewer, to: 7, .forward, isReturning: false)) == [7, 8])
        #expect(state.heldIndexes == [0, 7, 8])
    }

    @Test func areTwoForEachViewHoweverSmallTheBudget() throws {
        var state = FrameBuffer.State(20, .frames(1))
        let (first, joined) = state.join()
        _ = try state.settle(joined)
        let (second, also) = state.join()
        _ = try state.settle(also)
        _ = try state.settle(state.move(first, to: 5, .forward, isReturning: false))
        #expect(try state.settle(state.move(second, to: 10, .reverse, isReturning: false)) == [10, 9])
        #expect(state.heldIndexes == [0, 5, 6, 9, 10])
        _ = state.leave(second)
        #expect(state.heldIndexes.count == 3, "what it needed goes when it leaves")
    }

    @Test func areUsedAnewOnlyWhereTheViewHasMoved() throws {
        var state = FrameBuffer.State(9, .frames(5))
        let (viewer, joined) = state.join()
        _ = try state.settle(joined)
        for _ in 0..<2 { _ = try state.settle(state.move(viewer, to: 3, .forward, isReturning: false)) }
        #expect(state.heldIndexes == [0, 3, 4, 5, 6])
        for mode in [PlaybackMode.reverse, .bounce] {
            let moved = state.move(viewer, to: 3, mode, isReturning: mode == .bounce)
            #expect(try state.settle(moved) == (mode == .reverse ? [2, 1, 8] : [4]), "another way from the same frame")
        }
    }

    @Test func areTakenInTurnsForSeveralViews() throws {
        var state = FrameBuffer.State(20, .frames(7))
        let (first, joined) = state.join()
        let (second, _) = state.join()
        _ = state.move(first, to: 5, .forward, isReturning: false)
        _ = state.move(second, to: 6, .forward, isReturning: false)
        #expect(state.wanted == [5, 6, 7, 8, 9, 10, 0])
        #expect(joined.start?.index == 0)
    }

    @Test func areFewerWhereTheyTurnOutToBeLarger() throws {
        var state = FrameBuffer.State(9, .bytes(8 * 16))
        let (_, joined) = state.join()
        #expect(state.capacity == 8)
        let first = try #require(joined.start)
        #expect(state.ended(first, .success(try ScriptedFrames.bitmap(0, side: 3))) == true)
        #expect(state.capacity == 3)
    }

    @Test func beginAfterThePosterWhereThatIsThere() throws {
        let poster = try ScriptedFrames.bitmap(0)
        var state = FrameBuffer.State(3, poster: poster)
        #expect(state.bitmap(at: 0)?.isIdentical(to: poster) == true)
        let (_, joined) = state.join()
        #expect(try state.settle(joined) == [1, 2])
        let other = FrameBuffer.State(3, poster: try ScriptedFrames.bitmap(0, side: 7))
        #expect(other.readiness(of: 0) == .waiting, "one of another size is none")
    }

    @Test func areNoneWithoutAView() {
        var state = FrameBuffer.State(3)
        #expect(state.wanted == [])
        #expect(state.restore(FrameBuffer.State.plenty).start == nil)
        #expect(state.replace(ScriptedFrames(9)).start == nil)
    }

    @Test(arguments: [-1, 3, Int.max, Int.min])
    func areNotThoseThatThereAreNot(index: Int) throws {
        var state = FrameBuffer.State(3)
        let (viewer, joined) = state.join()
        _ = try state.settle(joined)
        #expect(state.move(viewer, to: index, .forward, isReturning: false).start == nil)
        #expect(state.readiness(of: index) == .waiting)
        #expect(state.bitmap(at: index) == nil)
        #expect(state.failure(at: index) == nil)
    }

    @Test func areNoneOfASourceWithoutFrames() {
        var state = FrameBuffer.State(0)
        let (viewer, joined) = state.join()
        #expect(joined.start == nil)
        #expect(state.move(viewer, to: 0, .bounce, isReturning: false).start == nil)
        #expect(state.trim().dropped.isEmpty)
        #expect(state.capacity == 0)
    }
}

@Suite
struct `A frame that cannot be decoded` {
    @Test func isRememberedAndPassedOver() throws {
        var state = FrameBuffer.State(3)
        let (_, joined) = state.join()
        let first = try #require(joined.start)
        #expect(state.ended(first, .failure(.corrupt("x"))) == true)
        #expect(state.readiness(of: 0) == .failed)
        #expect(state.failure(at: 0) == .corrupt("x"))
        #expect(try state.settle(state.goOn(after: first)) == [1, 2])
    }

    @Test func becauseItsSourceSaysSoIsNotAskedForAgain() throws {
        var state = FrameBuffer.State(1)
        let (_, joined) = state.join()
        let first = try #require(joined.start)
        #expect(state.ended(first, .failure(.cancelled)) == true, "nobody cancelled it")
        #expect(state.goOn(after: first).start == nil)
        #expect(state.readiness(of: 0) == .failed)
    }

    @Test func isTriedAgainWhenTheFileHasGrown() throws {
        var state = FrameBuffer.State(2)
        let (_, joined) = state.join()
        let zeroth = try #require(joined.start)
        let first = try #require(try state.finish(zeroth).start)
        _ = state.ended(first, .failure(.truncated(atByte: 9)))
        _ = state.goOn(after: first)
        #expect(try state.settle(state.replace(ScriptedFrames(3))) == [1, 2])
        #expect(state.failure(at: 1) == nil)
    }

    @Test func isTriedAgainWhenThereIsMemory() throws {
        var state = FrameBuffer.State(2)
        let (_, joined) = state.join()
        let first = try #require(joined.start)
        _ = state.ended(first, .failure(.outOfMemory(PixelSize(width: 2, height: 2))))
        let second = try #require(state.goOn(after: first).start)
        _ = state.ended(second, .failure(.corrupt("x")))
        _ = state.goOn(after: second)
        #expect(try state.settle(state.restore(FrameBuffer.State.plenty)) == [0])
        #expect(state.readiness(of: 1) == .failed)
    }
}

@Suite
struct `Leaving a frame buffer` {
    @Test func givesUpTheDecodeWhenNobodyLooks() throws {
        var state = FrameBuffer.State(3)
        let (first, joined) = state.join()
        let (second, _) = state.join()
        let decode = try #require(joined.start)
        #expect(state.leave(first).cancel == nil)
        #expect(state.leave(second).cancel == decode.id)
        #expect(state.leave(second).cancel == nil, "once")
        #expect(state.ended(decode, .failure(.cancelled)) == false)
        #expect(state.goOn(after: decode).start == nil)
        #expect(state.readiness(of: 0) == .waiting)
    }

    @Test func andComingBackDecodesAgainWhatWasGivenUp() throws {
        var state = FrameBuffer.State(2)
        let (first, joined) = state.join()
        let decode = try #require(joined.start)
        _ = state.leave(first)
        #expect(state.join().1.start == nil, "the one that was given up has not ended")
        #expect(state.ended(decode, .failure(.cancelled)) == false)
        #expect(try state.settle(state.goOn(after: decode)) == [0, 1])
    }

    @Test func keepsAFrameThatWasDecodedAllTheSame() throws {
        var state = FrameBuffer.State(2)
        let (first, joined) = state.join()
        let decode = try #require(joined.start)
        _ = state.leave(first)
        _ = try state.finish(decode)
        #expect(state.heldIndexes == [0])
    }

    @Test func forgetsWhereItWas() throws {
        var state = FrameBuffer.State(9, .frames(3))
        let (first, joined) = state.join()
        _ = try state.settle(joined)
        _ = state.leave(first)
        #expect(state.move(first, to: 5, .forward, isReturning: false).start == nil)
        #expect(state.viewerCount == 0)
        #expect(state.heldIndexes == [0, 1, 2], "the frames stay")
        #expect(state.trim().dropped.count == 2)
    }
}

@Suite
struct `A frame buffer under pressure` {
    @Test func keepsTheFrameThatIsShownTheNextAndTheFirst() throws {
        var state = FrameBuffer.State(9)
        let (viewer, joined) = state.join()
        _ = try state.settle(joined)
        _ = state.move(viewer, to: 4, .forward, isReturning: false)
        let trimmed = state.trim()
        #expect(trimmed.dropped.count == 6)
        #expect(state.heldIndexes == [0, 4, 5])
        #expect(state.byteCount == 3 * 16)
        #expect(try state.settle(state.move(viewer, to: 5, .forward, isReturning: false)) == [6])
        #expect(state.heldIndexes == [0, 5, 6])
    }

    @Test func growsAgainWhenItIsOver() throws {
        var state = FrameBuffer.State(9)
        let (_, joined) = state.join()
        _ = try state.settle(joined)
        _ = state.trim()
        #expect(state.isTrimmed)
        #expect(try state.settle(state.restore(FrameBuffer.State.plenty)) == [3, 4, 5, 6, 7, 8])
        #expect(!state.isTrimmed)
    }

    @Test func isReckonedAnewByWhatIsFree() {
        let large = ScriptedFrames(100, side: 1024)
        var state = FrameBuffer.State(large, .automatic, MemoryAvailability(total: 8 << 30, free: 100 << 20))
        #expect(state.capacity == 15, "60 of 100 MB, at 4 MB a frame")
        _ = state.restore(MemoryAvailability(total: 8 << 30, free: 50 << 20))
        #expect(state.capacity == 7)
    }
}

@Suite
struct `A frame budget` {
    private let mega = 1 << 20

    private func frames(_ budget: FrameBudget, of count: Int = 10_000, total: Int, free: Int, byteCount: Int) -> Int {
        budget.frameCount(of: count, byteCount: byteCount, memory: MemoryAvailability(total: total, free: free))
    }

    @Test func isAFifthOfAllOrThreeFifthsOfWhatIsFree() {
        #expect(frames(.automatic, total: 1000 * mega, free: 900 * mega, byteCount: mega) == 200)
        #expect(frames(.automatic, total: 1000 * mega, free: 100 * mega, byteCount: mega) == 60)
    }

    @Test func isTenMegabytesAtLeastAnd512FramesAtMost() {
        #expect(frames(.automatic, total: 0, free: 0, byteCount: mega) == 10)
        #expect(frames(.automatic, total: .max, free: .max, byteCount: 1) == 512)
    }

    @Test func isOneFrameAtLeastAndAllAtMost() {
        #expect(frames(.automatic, total: 1, free: 1, byteCount: .max) == 1)
        #expect(frames(.bytes(7), total: 1, free: 1, byteCount: 0) == 7)
        #expect(frames(.frames(.max), of: 12, total: 1, free: 1, byteCount: 1) == 12)
        #expect(frames(.bytes(.max), of: 12, total: 1, free: 1, byteCount: 1) == 12)
        #expect(frames(.all, of: 12, total: 1, free: 1, byteCount: .max) == 12)
        #expect(frames(.frames(.min), of: 12, total: 1, free: 1, byteCount: 1) == 1)
    }

    @Test func holdsASizeThatNoMemoryHas() {
        let state = FrameBuffer.State(ScriptedFrames(3, side: .max), .automatic, FrameBuffer.State.plenty)
        #expect(state.capacity == 1)
    }
}

@Suite
struct `A source that is replaced` {
    @Test func keepsTheFramesThatAreThere() throws {
        var state = FrameBuffer.State(2)
        let (_, joined) = state.join()
        _ = try state.settle(joined)
        #expect(try state.settle(state.replace(ScriptedFrames(4))) == [2, 3])
        #expect(state.frameCount == 4)
    }

    @Test func byALongerOneStillTakesTheFrameThatIsOnItsWay() throws {
        var state = FrameBuffer.State(2)
        let (_, joined) = state.join()
        let decode = try #require(joined.start)
        #expect(state.replace(ScriptedFrames(4)).start == nil)
        #expect(try state.settle(state.finish(decode)) == [1, 2, 3])
    }

    @Test(arguments: [ScriptedFrames(1), ScriptedFrames(9, side: 3)])
    func byAnotherPictureBeginsAnew(other: ScriptedFrames) throws {
        var state = FrameBuffer.State(2)
        let (viewer, joined) = state.join()
        let first = try #require(joined.start)
        let second = try #require(try state.finish(first).start)
        _ = state.move(viewer, to: 1, .forward, isReturning: false)
        let replaced = state.replace(other)
        #expect(replaced.cancel == second.id)
        #expect(replaced.dropped.count == 1)
        #expect(state.byteCount == 0)
        #expect(state.ended(second, .success(try ScriptedFrames.bitmap(1))) == false, "it is of the old one")
        #expect(state.goOn(after: second).start?.index == 0)
        #expect(state.heldIndexes == [])
    }
}

/// Random stories, and a list of what was seen of them.
@Suite
struct `Whatever is done to a frame buffer` {
    @Test(arguments: UInt64(0)..<500)
    func keepsItsPromises(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var story = BufferStory(&random)
        for _ in 0..<80 { try story.goOn(&random) }
        try story.end()
        #expect(story.faults == [], "seed \(seed)")
    }
}

private struct BufferStory {
    private struct View {
        let id: Int
        var index = 0
        var mode = PlaybackMode.forward
        var isReturning = false

        /// The frames from here on, for a round.
        func ahead(of count: Int) -> [Int] {
            let round = NaiveAnimation.round(count, mode)
            let places = round.indices.filter { round[$0] == index }
            let start = (isReturning ? places.last : places.first) ?? 0
            return Array(round[start...] + round[..<start])
        }
    }

    private var state: FrameBuffer.State
    private var count: Int
    private let budget: Int
    private var isTrimmed = false
    private var views: [View] = []
    private var running: FrameBuffer.State.Decode?
    private var isCancelled = false
    private var isTold = false
    private var held: Set<Int> = []
    private var failed: Set<Int> = []
    var faults: [String] = []

    init(_ random: inout SeededRandom) {
        count = Int.random(in: 1...10, using: &random)
        budget = Int.random(in: 1...12, using: &random)
        state = FrameBuffer.State(count, .frames(budget))
    }

    mutating func goOn(_ random: inout SeededRandom) throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: join()
        case 2: if let view = views.randomElement(using: &random) { leave(view) }
        case 3: take(state.trim()) { $0.isTrimmed = true }
        case 4: take(state.restore(FrameBuffer.State.plenty)) { $0.isTrimmed = false }
        case 5: grow(by: Int.random(in: 0...3, using: &random))
        case 6...11: move(&random)
        default: try finish(fails: Int.random(in: 0..<8, using: &random) == 0)
        }
    }

    /// Everything that is wanted comes in the end, and then nothing is done.
    mutating func end() throws {
        for _ in 0..<100 where running != nil { try finish(fails: false) }
        expect(running == nil, "it never ends")
        for index in wanted where !views.isEmpty {
            expect(state.readiness(of: index) != .waiting, "\(index) is missing")
        }
        for view in views { leave(view) }
        for _ in 0..<2 { try finish(fails: false) }
        expect(state.viewerCount == 0 && running == nil, "something goes on")
    }

    private mutating func join() {
        let (id, actions) = state.join()
        take(actions) { $0.views.append(View(id: id)) }
    }

    private mutating func leave(_ view: View) {
        take(state.leave(view.id)) { $0.views.removeAll { $0.id == view.id } }
    }

    private mutating func grow(by more: Int) {
        take(state.replace(ScriptedFrames(count + more))) { story in
            story.count += more
            story.failed = []
        }
    }

    private mutating func move(_ random: inout SeededRandom) {
        guard let place = views.indices.randomElement(using: &random) else { return }
        views[place].mode = PlaybackMode.allCases.randomElement(using: &random) ?? .forward
        views[place].isReturning = Bool.random(using: &random)
        views[place].index = Int.random(in: 0..<count, using: &random)
        let view = views[place]
        take(state.move(view.id, to: view.index, view.mode, isReturning: view.isReturning)) { _ in }
    }

    /// The decode ends, and, the next time, goes on.
    private mutating func finish(fails: Bool) throws {
        guard let decode = running else { return }
        if !isTold {
            isTold = true
            let result: Result<Bitmap, DecodingError> =
                isCancelled
                ? .failure(.cancelled)
                : fails ? .failure(.corrupt("x")) : .success(try ScriptedFrames.bitmap(decode.index))
            expect(state.ended(decode, result) != isCancelled, "told wrongly")
            if !isCancelled, fails { failed.insert(decode.index) }
            if !isCancelled, !fails { held.insert(decode.index) }
            return
        }
        let actions = state.goOn(after: decode)
        take(actions) { story in story.running = nil }
    }

    /// What the views need, by turns, and the first of all.
    private var wanted: [Int] {
        let ways = views.map { $0.ahead(of: count) }
        var wanted: [Int] = []
        for distance in 0..<(ways.map(\.count).max() ?? 0) {
            for way in ways where distance < way.count && !wanted.contains(way[distance]) {
                let others = wanted.filter { $0 != 0 }.count
                if others < capacity - 1 { wanted.append(way[distance]) }
            }
        }
        return wanted.contains(0) ? wanted : wanted + [0]
    }

    private var capacity: Int {
        min(count, isTrimmed ? 1 + 2 * views.count : max(budget, 1 + 2 * views.count))
    }

    private mutating func take(_ actions: FrameBuffer.State.Actions, _ change: (inout BufferStory) -> Void) {
        change(&self)
        let wanted = wanted
        let gone = Set(actions.dropped.compactMap(\.frameNumber))
        expect(gone.isSubset(of: held), "dropped what was not there")
        expect(gone.isDisjoint(with: wanted) || views.isEmpty, "dropped what is wanted")
        expect(!gone.contains(0), "dropped the first")
        held.subtract(gone)
        take(start: actions.start, wanted)
        take(cancel: actions.cancel)
        check()
    }

    private mutating func take(start: FrameBuffer.State.Decode?, _ wanted: [Int]) {
        let next = views.isEmpty ? nil : wanted.first { !held.contains($0) && !failed.contains($0) }
        if running != nil { return expect(start == nil, "two at a time") }
        expect(start?.index == next, "decodes \(String(describing: start?.index)), not \(String(describing: next))")
        (running, isCancelled, isTold) = (start, false, false)
    }

    private mutating func take(cancel: Int?) {
        let mustStop = views.isEmpty && running != nil && !isCancelled
        expect(cancel == (mustStop ? running?.id : nil), "cancelled wrongly")
        if mustStop { isCancelled = true }
    }

    private mutating func check() {
        expect(state.heldIndexes == held.sorted(), "holds \(state.heldIndexes), not \(held.sorted())")
        expect(state.byteCount == 16 * held.count, "counts \(state.byteCount) bytes")
        expect(held.count <= capacity, "holds \(held.count) of \(capacity)")
    }

    private mutating func expect(_ condition: Bool, _ fault: String) {
        if !condition { faults.append(fault) }
    }
}
