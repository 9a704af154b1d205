import BowerbirdCodecs
import BowerbirdCore
import BowerbirdTestSupport
import Testing

@Suite("GIF files while they arrive")
struct GIFProgressiveTests {
    private let decoder = GIFDecoder()

    /// What was seen of a file that arrived in chunks.
    private struct Arrival {
        var previews: [DecodedImage] = []
        var frameCounts: [Int] = []
        var image: DecodedImage
        var frames: (any FrameSource)?
    }

    private func arrive(
        _ file: [UInt8], _ options: DecodingOptions = DecodingOptions(), inChunksOf size: () -> Int
    ) throws -> Arrival {
        let arriving = try #require(decoder.makeProgressiveDecoder(options))
        var (previews, frameCounts): ([DecodedImage], [Int]) = ([], [])
        var count = 0
        while count < file.count {
            count = min(file.count, count + size())
            // A copy, so that the memory moves each time.
            let prefix = Array(file[..<count])
            try arriving.update(prefix.span.bytes, isComplete: count == file.count)
            if let preview = try arriving.preview() { previews.append(preview) }
            if let frames = try arriving.frames(), frames.frameCount != frameCounts.last {
                frameCounts.append(frames.frameCount)
            }
        }
        return Arrival(
            previews: previews, frameCounts: frameCounts, image: try arriving.finish(), frames: try arriving.frames())
    }

    private func still(isInterlaced: Bool) throws -> [UInt8] {
        var options = EncodingOptions()
        options.isProgressive = isInterlaced
        return try GIFEncoder().encode(makePicture(50, 40), options).withUnsafeBytes { Array($0) }
    }

    @Test(arguments: [1, 7, 100, 1_000_000, 0])
    func theSizeOfTheChunksNeverChangesThePixels(chunk: Int) throws {
        var random = SeededRandom(seed: 1)
        for file in try [GIFFixture.rich().bytes, still(isInterlaced: false), still(isInterlaced: true)] {
            for options in [DecodingOptions(), .exact, .fitting(6, 6)] {
                let expected = try decoder.decode(file, options)
                let result = try arrive(file, options) { chunk == 0 ? .random(in: 1...90, using: &random) : chunk }
                #expect(result.image.bitmap.bytes == expected.bitmap.bytes)
                #expect(result.image.bitmap.isOpaque == expected.bitmap.isOpaque)
                #expect(result.image.warnings == expected.warnings && !result.image.isPreview)
                #expect(result.image.header == expected.header)
                #expect(result.frames?.frameCount == (try decoder.frames(file, options))?.frameCount)
            }
        }
    }

    @Test func aFileCutShortGivesTheSameInChunks() throws {
        let whole = GIFFixture.rich().bytes
        for count in 0..<whole.count {
            let file = Array(whole[..<count])
            let expected = try? decoder.decode(file)
            let abandoned = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
            for end in stride(from: 0, through: count, by: 5) + [count] {
                let prefix = Array(file[..<end])
                try abandoned.update(prefix.span.bytes, isComplete: false)
            }
            let image = try? abandoned.finish()
            #expect(image?.bitmap.bytes == expected?.bitmap.bytes)
            #expect(image?.warnings == expected?.warnings && image?.header == expected?.header)
        }
    }

    @Test func theRowsThatHaveComeAreShownAFewTimes() throws {
        let result = try arrive(still(isInterlaced: false)) { 20 }
        #expect((3...4).contains(result.previews.count))
        let first = try #require(result.previews.first)
        #expect(first.isPreview && !first.bitmap.isOpaque && first.size == result.image.size)
        #expect(first.bitmap.pixel(10, 5) == result.image.bitmap.pixel(10, 5))
        #expect(first.bitmap.pixel(10, 39) == [0, 0, 0, 0])
    }

    @Test func anInterlacedFileShowsWholePicturesThatGrowSharper() throws {
        let result = try arrive(still(isInterlaced: true)) { 20 }
        #expect((3...4).contains(result.previews.count))
        let differences = try result.previews.map { try $0.bitmap.meanDifference(to: result.image.bitmap) }
        #expect(differences == differences.sorted(by: >))
        for preview in result.previews { #expect(preview.bitmap.pixel(49, 39)[3] == 255) }
    }

    @Test(arguments: [false, true])
    func aLargePictureIsShownOnceMeanwhile(isInterlaced: Bool) throws {
        var file = GIFFixture(1, 65)
        file.addFrame([], 65535, 65, isInterlaced: isInterlaced)
        file.blocks[0] = Array(file.blocks[0].prefix(10)) + GIFFixture.flat(65535 * 65)
        let result = try arrive(file.bytes) { 100 }
        #expect(result.image.bitmap.isOpaque && result.image.warnings.isEmpty)
        #expect(result.previews.filter { !$0.bitmap.isOpaque || isInterlaced }.count == 1)
        #expect(result.previews.count <= 2)
    }

    @Test func whatArrivesAtOnceIsNotShownTwice() throws {
        #expect(try arrive(still(isInterlaced: false)) { .max }.previews.isEmpty)
        #expect(try arrive(GIFFixture.rich().bytes) { .max }.previews.isEmpty)
    }

    @Test func framesCanBePlayedWhenTwoHaveWhollyCome() throws {
        let file = GIFFixture.rich().bytes
        let expected = try #require(try decoder.frames(file))
        let result = try arrive(file) { 1 }
        #expect(result.frameCounts == [2, 3, 4] && result.frames?.loopCount == .times(3))
        for index in [3, 0, 2, 1] {
            #expect(try result.frames?.frame(at: index).bytes == expected.frame(at: index).bytes)
        }
        #expect(result.frames?.delays == expected.delays)
    }

    @Test func theSameFramesAreGivenUntilThereAreMore() throws {
        let file = GIFFixture.rich().bytes
        let arriving = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
        try arriving.update(file.span.bytes, isComplete: false)
        let first = try #require(try arriving.frames()) as AnyObject
        try arriving.update(file.span.bytes, isComplete: true)
        #expect(try arriving.frames() as AnyObject === first)
    }

    @Test func aLoopCountBehindTheFramesIsTakenUp() throws {
        var file = GIFFixture(1, 1)
        file.addFrame(1, 1, 1)
        file.addFrame(2, 1, 1)
        file.end = []
        let arriving = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
        var bytes = file.bytes
        try arriving.update(bytes.span.bytes, isComplete: false)
        #expect(try arriving.frames()?.loopCount == .times(1))
        file.addLoop(0)
        bytes = file.bytes
        try arriving.update(bytes.span.bytes, isComplete: true)
        #expect(try arriving.frames()?.loopCount == .forever)
    }

    @Test func whoWantsTheFirstFrameOnlyGetsNoFrames() throws {
        let options = DecodingOptions(firstFrameOnly: true)
        #expect(try arrive(GIFFixture.rich().bytes, options) { 3 }.frames == nil)
    }

    @Test func whatFailedOnceFailsForGood() throws {
        let file = GIFFixture.rich().bytes
        let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 10))
        let arriving = try #require(decoder.makeProgressiveDecoder(options))
        let refusal = DecodingError.tooLarge(PixelSize(width: 9, height: 8), maximumPixelCount: 10)
        #expect(throws: refusal) { try arriving.update(file.span.bytes, isComplete: true) }
        #expect(throws: refusal) { try arriving.update(file.span.bytes, isComplete: true) }
        #expect(throws: refusal) { try arriving.preview() }
        #expect(throws: refusal) { try arriving.frames() }
        #expect(throws: refusal) { try arriving.finish() }
    }

    @Test func damageLooksTheSameHoweverItArrives() throws {
        let file = GIFFixture.rich().bytes
        let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1 << 12))
        var random = SeededRandom(seed: 9)
        for _ in 0..<200 {
            var damaged = file
            for _ in 0..<3 {
                damaged[Int.random(in: 6..<file.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let whole = try? decoder.decode(damaged, options)
            let arrived = try? arrive(damaged, options) { .random(in: 1...70, using: &random) }.image
            #expect(whole?.bitmap.bytes == arrived?.bitmap.bytes, "\(damaged)")
            #expect(whole?.warnings == arrived?.warnings, "\(damaged)")
        }
    }

    @Test func nothingAtAllIsTruncated() throws {
        let arriving = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
        #expect(try arriving.preview() == nil)
        #expect(try arriving.frames() == nil)
        #expect(throws: DecodingError.truncated(atByte: 0)) { try arriving.finish() }
    }
}
