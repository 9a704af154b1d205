import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdCodecs

@Suite("Animations composed of fragments")
struct CompositedFramesTests {
    private static let canvas = PixelSize(width: 11, height: 7)
    private let header = ImageHeader(format: .gif, storedSize: canvas, hasAlpha: true)

    private func frames(
        _ film: Film, _ format: PixelFormat = .bgra8Premultiplied, continuing earlier: CompositedFrames? = nil
    ) -> CompositedFrames {
        var header = header
        if format == .rgba16Straight { header.bitsPerComponent = 16 }
        let options = DecodingOptions(pixels: format == .bgra8Premultiplied ? .display : .exact)
        return CompositedFrames(
            header, film.fragments, loopCount: .forever, options, film, continuing: earlier)
    }

    @Test(arguments: PixelFormat.allCases)
    func everyFrameIsWhatPlayingInOrderShows(format: PixelFormat) throws {
        for seed in 0..<25 as Range<UInt64> {
            let film = try Film.random(12, on: Self.canvas, format, seed: seed)
            let expected = film.played(on: Self.canvas)
            let inOrder = frames(film, format)
            for index in expected.indices {
                #expect(try inOrder.frame(at: index).bytes == expected[index], "seed \(seed), frame \(index)")
            }
            let sought = frames(film, format)
            var random = SeededRandom(seed: seed)
            for _ in 0..<30 {
                let index = Int.random(in: expected.indices, using: &random)
                #expect(try sought.frame(at: index).bytes == expected[index], "seed \(seed), seeking \(index)")
            }
        }
    }

    @Test func aFrameIsOpaqueOnlyWhereEveryPixelIs() throws {
        var opaqueCount = 0
        for seed in 100..<140 as Range<UInt64> {
            let film = try Film.random(10, on: Self.canvas, .bgra8Premultiplied, seed: seed)
            let (inOrder, sought) = (frames(film), frames(film))
            let pictures = try film.fragments.indices.map { try inOrder.frame(at: $0) }
            for (index, picture) in pictures.enumerated().reversed() {
                let alphas = stride(from: 3, to: picture.byteCount, by: 4).map { picture.bytes[$0] }
                let isReallyOpaque = alphas.allSatisfy { $0 == 255 }
                #expect(!picture.isOpaque || isReallyOpaque)
                #expect(try sought.frame(at: index).isOpaque == picture.isOpaque)
                opaqueCount += picture.isOpaque ? 1 : 0
            }
        }
        #expect(opaqueCount > 20)
    }

    @Test func anOpaqueCanvasStaysOpaqueUnderWhatIsLaidOverIt() throws {
        let film = try Film([
            Fragment(Self.canvas, hasAlpha: false),
            Fragment(PixelSize(width: 3, height: 3)),
            Fragment(PixelSize(width: 3, height: 3), disposal: .clear, hasAlpha: false),
            Fragment(PixelSize(width: 2, height: 2), hasAlpha: false),
        ])
        let frames = frames(film)
        #expect(try (0..<4).map { try frames.frame(at: $0).isOpaque } == [true, true, true, false])
    }

    @Test func anOpaqueFragmentThatLacksPixelsShowsNothingThere() throws {
        var film = try Film([Fragment(Self.canvas, hasAlpha: false), Fragment(Self.canvas, hasAlpha: false)])
        film.pictures[1] = try makeBuffer(Self.canvas.width, Self.canvas.height).freeze()
        let (inOrder, sought) = (frames(film), frames(film))
        _ = try inOrder.frame(at: 0)
        let picture = try inOrder.frame(at: 1)
        #expect(!picture.isOpaque && picture.bytes.allSatisfy { $0 == 0 })
        #expect(try sought.frame(at: 1).bytes == picture.bytes)
    }

    // MARK: What a frame costs

    @Test func playingInOrderReadsEachFragmentOnce() throws {
        let film = try Film(Array(repeating: Fragment(Self.canvas), count: 20))
        let frames = frames(film)
        for index in 0..<20 { _ = try frames.frame(at: index) }
        _ = try frames.frame(at: 19)
        #expect(film.reads.list == Array(0..<20))
    }

    @Test func seekingBeginsAtTheNearestFrameThatNeedsNoOther() throws {
        let small = PixelSize(width: 2, height: 2)
        let film = try Film([
            Fragment(Self.canvas), Fragment(small), Fragment(Self.canvas, hasAlpha: false), Fragment(small),
            Fragment(Self.canvas, blend: .source), Fragment(small), Fragment(Self.canvas, disposal: .clear),
            Fragment(small),
        ])
        for (index, reads) in [(7, [7]), (6, [4, 5, 6]), (3, [2, 3]), (1, [0, 1]), (4, [4])] {
            film.reads.forget()
            _ = try frames(film).frame(at: index)
            #expect(film.reads.list == reads)
        }
    }

    @Test func fragmentsThatDoNotStayAreNotReadOnTheWay() throws {
        let small = PixelSize(width: 2, height: 2)
        let film = try Film([
            Fragment(Self.canvas), Fragment(small, disposal: .restore), Fragment(small, disposal: .clear),
            Fragment(small), Fragment(small, disposal: .restore),
        ])
        let expected = film.played(on: Self.canvas)
        let frames = frames(film)
        #expect(try frames.frame(at: 4).bytes == expected[4])
        #expect(film.reads.list == [0, 3, 4])
        #expect(try frames.frame(at: 2).bytes == expected[2])
    }

    @Test func aFragmentBesideTheCanvasIsNeverRead() throws {
        var film = try Film([Fragment(Self.canvas), Fragment(Self.canvas), Fragment(Self.canvas)])
        film.fragments[1].rect.x = Self.canvas.width
        film.fragments[2].rect.y = -Self.canvas.height
        let frames = frames(film)
        let first = try frames.frame(at: 0).bytes
        #expect(try frames.frame(at: 1).bytes == first)
        #expect(try frames.frame(at: 2).bytes == first)
        #expect(film.reads.list == [0])
    }

    @Test func longerFramesGoOnWhereTheShorterOnesWere() throws {
        let film = try Film.random(9, on: Self.canvas, .bgra8Premultiplied, seed: 7)
        var start = film
        start.fragments.removeLast(4)
        let earlier = frames(start)
        for index in 0..<5 { _ = try earlier.frame(at: index) }
        film.reads.forget()
        let later = frames(film, continuing: earlier)
        #expect(try later.frame(at: 5).bytes == film.played(on: Self.canvas)[5])
        #expect(film.reads.list == [5])
        #expect(try earlier.frame(at: 2).bytes == film.played(on: Self.canvas)[2])
    }

    // MARK: What goes wrong

    @Test func aDamagedFrameThrowsAndLeavesTheOthers() throws {
        var film = try Film.random(8, on: Self.canvas, .bgra8Premultiplied, seed: 3)
        for index in film.fragments.indices { film.fragments[index].disposal = .keep }
        film.fragments[5] = Fragment(Self.canvas, hasAlpha: false)
        film.pictures[5] = try makePicture(Self.canvas.width, Self.canvas.height)
        let expected = film.played(on: Self.canvas)
        film.damaged = 3
        let frames = frames(film)
        #expect(try frames.frame(at: 2).bytes == expected[2])
        for index in [3, 4, 3] {
            #expect(throws: DecodingError.corrupt("fragment 3")) { try frames.frame(at: index) }
        }
        film.reads.forget()
        #expect(try frames.frame(at: 2).bytes == expected[2])
        #expect(film.reads.list.isEmpty)
        for index in [1, 5, 6, 0] { #expect(try frames.frame(at: index).bytes == expected[index]) }
    }

    @Test func aFrameThatWasPassedOnTheWayToADamagedOneIsStillDrawn() throws {
        let small = PixelSize(width: 2, height: 2)
        var film = try Film([Fragment(Self.canvas), Fragment(small, disposal: .restore), Fragment(small)])
        film.damaged = 2
        let frames = frames(film)
        #expect(throws: DecodingError.corrupt("fragment 2")) { try frames.frame(at: 2) }
        #expect(try frames.frame(at: 1).bytes == film.played(on: Self.canvas)[1])
    }

    @Test func aCancelledTaskIsAnsweredAndTheNextIsNot() async throws {
        let film = try Film(Array(repeating: Fragment(Self.canvas), count: 4))
        let frames = frames(film)
        let error = await Task { () -> DecodingError? in
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(DecodingError) { _ = try frames.frame(at: 3) } catch { return error }
            return nil
        }.value
        #expect(error == .cancelled && film.reads.list.isEmpty)
        #expect(try frames.frame(at: 3).bytes == film.played(on: Self.canvas)[3])
    }

    @Test func framesAreScaledAndTheirDelaysAreThoseThatAreShown() throws {
        var film = try Film(Array(repeating: Fragment(Self.canvas), count: 3))
        film.fragments[1].delay = .milliseconds(10)
        film.fragments[2].delay = .milliseconds(11)
        let frames = CompositedFrames(header, film.fragments, loopCount: .times(3), .fitting(5, 5), film)
        #expect(frames.size == PixelSize(width: 5, height: 3) && frames.loopCount == .times(3))
        #expect(try frames.frame(at: 0).size == frames.size)
        #expect(frames.delays == [.milliseconds(40), .milliseconds(100), .milliseconds(11)])
    }

    @Test func manyThreadsMayAskAtOnce() async throws {
        let film = try Film.random(10, on: Self.canvas, .bgra8Premultiplied, seed: 11)
        let expected = film.played(on: Self.canvas)
        let frames = frames(film)
        let areRight = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<40 {
                group.addTask { try frames.frame(at: index % 10).bytes == expected[index % 10] }
            }
            return try await group.reduce(true) { $0 && $1 }
        }
        #expect(areRight)
    }
}

// MARK: Made animations

extension Fragment {
    fileprivate init(
        _ size: PixelSize, blend: Blend = .over, disposal: Disposal = .keep, hasAlpha: Bool = true
    ) {
        self.init(
            rect: PixelRect(size), blend: blend, disposal: disposal, delay: .milliseconds(40), hasAlpha: hasAlpha)
    }
}

/// Fragments with their pixels, which notes what is read.
private struct Film: FragmentReader {
    var fragments: [Fragment]
    var pictures: [Bitmap]
    var damaged: Int?
    let byteCount = 0
    let reads = Reads()

    final class Reads: Sendable {
        private let indices = Lock([Int]())

        var list: [Int] { indices.withLock { $0 } }
        func note(_ index: Int) { indices.withLock { $0.append(index) } }
        func forget() { indices.withLock { $0 = [] } }
    }

    init(_ fragments: [Fragment]) throws {
        self.fragments = fragments
        pictures = try fragments.map { fragment in
            try makePicture(fragment.rect.size.width, fragment.rect.size.height, isOpaque: !fragment.hasAlpha)
        }
    }

    func pixels(ofFragment index: Int) throws(DecodingError) -> Bitmap {
        reads.note(index)
        if index == damaged { throw .corrupt("fragment \(index)") }
        return pictures[index]
    }

    /// Every blend, disposal and kind of alpha, whole fragments and ones that reach beyond the canvas on each side.
    static func random(_ count: Int, on canvas: PixelSize, _ format: PixelFormat, seed: UInt64) throws -> Film {
        var random = SeededRandom(seed: seed)
        var film = try Film([])
        for _ in 0..<count {
            var fragment = Fragment(canvas)
            if Int.random(in: 0..<3, using: &random) > 0 {
                fragment.rect.size = PixelSize(width: .random(in: 1...14, using: &random), height: 5)
                fragment.rect.x = .random(in: -6...canvas.width, using: &random)
                fragment.rect.y = .random(in: -5...canvas.height, using: &random)
            }
            fragment.blend = Bool.random(using: &random) ? .source : .over
            fragment.disposal = [.keep, .clear, .restore][Int.random(in: 0..<3, using: &random)]
            fragment.hasAlpha = Bool.random(using: &random)
            film.fragments.append(fragment)
            film.pictures.append(try noise(fragment, format, &random))
        }
        return film
    }

    private static func noise(
        _ fragment: Fragment, _ format: PixelFormat, _ random: inout SeededRandom
    ) throws -> Bitmap {
        let size = fragment.rect.size
        var buffer = try makeBuffer(size.width, size.height, format, isOpaque: !fragment.hasAlpha)
        let maximum = format == .rgba16Straight ? 65535 : 255
        for row in 0..<size.height {
            for x in 0..<size.width {
                let choice = [0, maximum, Int.random(in: 0...maximum, using: &random)].randomElement(using: &random)
                let alpha = fragment.hasAlpha ? choice ?? 0 : maximum
                let brightest = format == .bgra8Premultiplied ? alpha : maximum
                let values = (0..<3).map { _ in Int.random(in: 0...brightest, using: &random) } + [alpha]
                buffer.withRow(row) { $0.store(values, x, format) }
            }
        }
        return buffer.freeze()
    }

    /// Every frame, the plain way: all fragments one after the other, pixel by pixel.
    func played(on size: PixelSize) -> [[UInt8]] {
        guard let format = pictures.first?.format else { return [] }
        var canvas = Array(repeating: [0, 0, 0, 0], count: size.pixelCount)
        return zip(fragments, pictures).map { fragment, picture in
            let before = canvas
            var covered: [Int] = []
            for y in 0..<size.height {
                for x in 0..<size.width where fragment.rect.columns.contains(x) && fragment.rect.rows.contains(y) {
                    let above = picture.values(x - fragment.rect.x, y - fragment.rect.y)
                    covered.append(y * size.width + x)
                    canvas[y * size.width + x] =
                        fragment.blend == .source ? above : lay(above, over: canvas[y * size.width + x], format)
                }
            }
            let frame = canvas.flatMap { $0.flatMap { bytes(of: $0, format) } }
            switch fragment.disposal {
            case .keep: break
            case .clear: for index in covered { canvas[index] = [0, 0, 0, 0] }
            case .restore: canvas = before
            }
            return frame
        }
    }

    private func lay(_ above: [Int], over below: [Int], _ format: PixelFormat) -> [Int] {
        let maximum = format == .rgba16Straight ? 65535.0 : 255.0
        let (alpha, behind) = (Double(above[3]) / maximum, Double(below[3]) / maximum)
        if above[3] == 0 { return below }
        if format == .bgra8Premultiplied {
            return (0..<4).map { above[$0] + Int((Double(below[$0]) * (1 - alpha)).rounded()) }
        }
        let whole = alpha + behind * (1 - alpha)
        let colors = (0..<3).map { index in
            Int(((Double(above[index]) * alpha + Double(below[index]) * behind * (1 - alpha)) / whole).rounded())
        }
        return colors + [Int((whole * maximum).rounded())]
    }

    private func bytes(of value: Int, _ format: PixelFormat) -> [UInt8] {
        guard format == .rgba16Straight else { return [UInt8(value)] }
        return withUnsafeBytes(of: UInt16(value)) { Array($0) }
    }
}

extension MutableRawSpan {
    fileprivate mutating func store(_ values: [Int], _ x: Int, _ format: PixelFormat) {
        for (index, value) in values.enumerated() {
            if format == .rgba16Straight {
                storeBytes(of: UInt16(value), toByteOffset: 8 * x + 2 * index, as: UInt16.self)
            } else {
                storeBytes(of: UInt8(value), toByteOffset: 4 * x + index, as: UInt8.self)
            }
        }
    }
}

extension Bitmap {
    fileprivate func values(_ x: Int, _ y: Int) -> [Int] {
        let bytes = pixel(x, y)
        guard format == .rgba16Straight else { return bytes.map(Int.init) }
        return stride(from: 0, to: 8, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
    }
}
