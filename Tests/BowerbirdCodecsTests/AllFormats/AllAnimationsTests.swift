import BowerbirdCodecs
import BowerbirdCore
import BowerbirdTestSupport
import Testing

@Suite("Every format that moves")
struct AllAnimationsTests {
    private let codecs = CodecSet.builtIn

    private func frames(
        in file: [UInt8], _ options: DecodingOptions = DecodingOptions()
    ) throws -> any FrameSource {
        let data = try #require(EncodedImage(file))
        let frames = try codecs.frames(in: data, options)
        return try #require(frames)
    }

    @Test(arguments: AnimatedFormat.all)
    func framesComeBackAsTheyWere(row: AnimatedFormat) throws {
        let film = try row.film()
        let file = try row.write(film)
        let frames = try frames(in: file, .exactAsStored)
        #expect(frames.delays == film.delays && frames.size == film.size)
        for index in film.pictures.indices {
            #expect(try frames.frame(at: index).bytes == film.pictures[index].bytes, "frame \(index)")
        }
        let image = try codecs.decode(file, .exactAsStored)
        #expect(image.bitmap.bytes == film.pictures[0].bytes)
        #expect(image.header.isAnimated && image.header.hasAlpha && image.warnings.isEmpty)
        #expect(image.header.frameCount == nil || image.header.frameCount == film.frameCount)
    }

    @Test(arguments: AnimatedFormat.all, [LoopCount.forever, .times(3)])
    func theLoopCountComesBack(row: AnimatedFormat, loopCount: LoopCount) throws {
        var film = try SampleFilm(frameCount: 2, hasHalves: row.hasHalves)
        film.loopCount = loopCount
        let file = try row.write(film)
        let possible = row.saysLoopCount ? [loopCount] : [loopCount, .forever]
        let found = try [frames(in: file).loopCount, codecs.decode(file).header.loopCount ?? .times(99)]
        #expect(found.allSatisfy { possible.contains($0) }, "\(found)")
    }

    @Test(arguments: AnimatedFormat.all)
    func framesInAnyOrderAreTheSame(row: AnimatedFormat) throws {
        let file = try row.write(row.film())
        let inOrder = try frames(in: file)
        let bytes = try (0..<inOrder.frameCount).map { try inOrder.frame(at: $0).bytes }
        var random = SeededRandom(seed: 7)
        for source in [inOrder, try frames(in: file)] {
            for index in (0..<bytes.count).flatMap({ [$0, $0] }).shuffled(using: &random) {
                #expect(try source.frame(at: index).bytes == bytes[index], "frame \(index)")
            }
        }
    }

    @Test(arguments: AnimatedFormat.all)
    func whoWantsTheFirstFrameOnlyGetsIt(row: AnimatedFormat) throws {
        let file = try row.write(row.film())
        let first = try frames(in: file).frame(at: 0).bytes
        var options = DecodingOptions()
        #expect(try codecs.decode(file, options).bitmap.bytes == first)
        options.firstFrameOnly = true
        #expect(try codecs.decode(file, options).bitmap.bytes == first)
        let data = try #require(EncodedImage(file))
        let frames = try codecs.frames(in: data, options)
        #expect(frames == nil)
    }

    @Test(arguments: AnimatedFormat.all)
    func everyFrameMeetsTheTarget(row: AnimatedFormat) throws {
        let file = try row.write(row.film())
        for mode in ScaleMode.allCases {
            let options = DecodingOptions(targetSize: PixelSize(width: 13, height: 11), scaleMode: mode)
            let size = options.outputSize(of: PixelSize(width: 40, height: 30))
            let frames = try frames(in: file, options)
            #expect(frames.size == size)
            for index in 0..<frames.frameCount { #expect(try frames.frame(at: index).size == size) }
            #expect(try codecs.decode(file, options).bitmap.bytes == frames.frame(at: 0).bytes)
        }
    }

    /// Encoders have ways of their own for films that are wanted at once.
    @Test(arguments: AnimatedFormat.all, [0, 0.5, 0.85, 1])
    func lossyFilmsAreWrittenInAHurry(row: AnimatedFormat, quality: Double) throws {
        let film = try SampleFilm(frameCount: 4, hasHalves: row.hasHalves)
        var options = EncodingOptions(quality: quality)
        options.effort = 0
        let file = try codecs.encode(film, as: row.format, options)
        let frames = try #require(try codecs.frames(in: file))
        #expect(frames.delays == film.delays)
        #expect(try frames.frame(at: 3).size == film.size)
    }

    /// Other tests of the process take memory meanwhile, but not each time.
    @Test(arguments: AnimatedFormat.all)
    func manyFramesTakeTheMemoryOfFew(row: AnimatedFormat) throws {
        let file = try row.longFile()
        let growths = (0..<4).lazy.map { _ in try? growth(of: frames(in: file), count: row.longFrameCount) }
        let most = 40 << 20
        #expect(row.longFrameCount * LongFilm.size.pixelCount * 4 > 2 * most)
        #expect(growths.contains { $0.map { $0 < most } ?? false })
    }

    private func growth(of frames: any FrameSource, count: Int) throws -> Int {
        try #require(frames.frameCount == count && frames.size == LongFilm.size)
        let before = ResidentMemory.byteCount
        var most = 0
        for index in 0..<count {
            _ = try frames.frame(at: index)
            most = max(most, ResidentMemory.byteCount - before)
        }
        return most
    }
}
