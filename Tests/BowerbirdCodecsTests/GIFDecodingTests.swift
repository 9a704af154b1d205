import BowerbirdCodecs
import BowerbirdCore
import Testing

@Suite("Decoding GIF")
struct GIFDecodingTests {
    private let decoder = GIFDecoder()
    private static let (black, red, green, blue): ([UInt8], [UInt8], [UInt8], [UInt8]) = (
        [0, 0, 0, 255], [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]
    )
    private static let nothing: [UInt8] = [0, 0, 0, 0]

    private func pixels(_ file: GIFFixture) throws -> [[UInt8]] {
        let bitmap = try decoder.decode(file.bytes, .exact).bitmap
        return (0..<bitmap.size.pixelCount).map { bitmap.pixel($0 % bitmap.size.width, $0 / bitmap.size.width) }
    }

    @Test(arguments: ["GIF87a", "GIF89a"])
    func bothVersionsAreRead(version: String) throws {
        var file = GIFFixture(2, 2)
        file.version = version
        file.addFrame([0, 1, 2, 3], 2, 2)
        #expect(try pixels(file) == [Self.black, Self.red, Self.green, Self.blue])
        let image = try decoder.decode(file.bytes)
        #expect(image.bitmap.format == .bgra8Premultiplied && image.bitmap.isOpaque && image.warnings.isEmpty)
        #expect(image.bitmap.pixel(1, 0) == [0, 0, 255, 255] && image.bitmap.pixel(1, 1) == [255, 0, 0, 255])
        #expect(
            image.header
                == ImageHeader(format: .gif, storedSize: PixelSize(width: 2, height: 2), hasAlpha: false))
    }

    @Test(arguments: 1...8)
    func everyCodeSizeIsRead(codeSize: Int) throws {
        let indices = (0..<99).map { UInt8($0 * 5 & (1 << codeSize - 1)) }
        var file = GIFFixture(11, 9)
        file.palette = (0..<(1 << codeSize)).flatMap { [UInt8($0), 0, 255] }
        file.addFrame(indices, 11, 9, codeSize: codeSize)
        #expect(try pixels(file) == indices.map { [$0, 0, 255, 255] })
    }

    @Test func aFrameMayHaveItsOwnPalette() throws {
        var file = GIFFixture(2, 1)
        file.addFrame([0, 1], 2, 1, palette: [7, 8, 9, 1, 2, 3])
        #expect(try pixels(file) == [[7, 8, 9, 255], [1, 2, 3, 255]])
        file.palette = nil
        #expect(try pixels(file) == [[7, 8, 9, 255], [1, 2, 3, 255]])
    }

    @Test func withoutAPaletteNumbersAreLevelsOfGrey() throws {
        var file = GIFFixture(2, 1)
        file.palette = nil
        file.addFrame([200, 3], 2, 1, codeSize: 8)
        #expect(try pixels(file) == [[200, 200, 200, 255], [3, 3, 3, 255]])
    }

    @Test func numbersBehindThePaletteAreBlack() throws {
        var file = GIFFixture(2, 1)
        file.addFrame([1, 4], 2, 1, codeSize: 3)
        #expect(try pixels(file) == [Self.red, Self.black])
        #expect(try decoder.decode(file.bytes).bitmap.isOpaque)
    }

    @Test func oneColourIsTransparent() throws {
        var file = GIFFixture(2, 1)
        file.addControl(transparent: 1)
        file.addFrame([1, 2], 2, 1)
        #expect(try pixels(file) == [Self.nothing, Self.green])
        let image = try decoder.decode(file.bytes)
        #expect(image.header.hasAlpha && !image.bitmap.isOpaque)
        #expect(image.bitmap.bytes == [0, 0, 0, 0, 0, 255, 0, 255])
    }

    @Test(arguments: 1...20)
    func rowsOfInterlacedFilesAreInTheirPlaces(height: Int) throws {
        let order = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
        var file = GIFFixture(2, height)
        file.palette = (0..<32).flatMap { [UInt8($0), 0, 0] }
        file.addFrame(order.flatMap { [UInt8($0), UInt8($0)] }, 2, height, isInterlaced: true, codeSize: 5)
        #expect(try pixels(file) == (0..<height).flatMap { Array(repeating: [UInt8($0), 0, 0, 255], count: 2) })
        #expect(try decoder.header(of: file.bytes).isProgressive)
    }

    @Test func whatTheFirstFrameLeavesFreeIsTransparent() throws {
        var file = GIFFixture(3, 2)
        file.addFrame([1], x: 1, y: 1, 1, 1)
        #expect(try pixels(file) == [0, 1, 2, 3, 4, 5].map { $0 == 4 ? Self.red : Self.nothing })
        #expect(try decoder.header(of: file.bytes).hasAlpha)
        #expect(try !decoder.decode(file.bytes).bitmap.isOpaque)
    }

    @Test func whatReachesBeyondTheCanvasIsCutOff() throws {
        var file = GIFFixture(2, 2)
        file.addFrame((0..<9).map { $0 % 4 }, x: 1, y: 1, 3, 3)
        #expect(try pixels(file) == [Self.nothing, Self.nothing, Self.nothing, Self.black])
        file.blocks = []
        file.addFrame((0..<9).map { $0 % 4 }, 3, 3)
        #expect(try pixels(file) == [Self.black, Self.red, Self.blue, Self.black])
        #expect(try decoder.decode(file.bytes).bitmap.isOpaque)
        file.blocks = []
        file.addFrame(1, x: 2, y: 0, 3, 3)
        #expect(try pixels(file) == Array(repeating: Self.nothing, count: 4))
    }

    @Test func aCanvasWithoutASizeTakesThatOfTheFirstFrame() throws {
        var file = GIFFixture(0, 0)
        file.addFrame(1, x: 1, y: 0, 2, 2)
        #expect(try decoder.header(of: file.bytes).size == PixelSize(width: 3, height: 2))
        #expect(try decoder.decode(file.bytes).size == PixelSize(width: 3, height: 2))
    }

    @Test func aFrameWithoutASizeHasThatOfTheCanvas() throws {
        var file = GIFFixture(2, 2)
        file.addFrame([0, 1, 2, 3], 0, 0)
        #expect(try pixels(file) == [Self.black, Self.red, Self.green, Self.blue])
    }

    @Test func everyTargetIsMetExactly() throws {
        let file = try encode(makePicture(83, 41, isOpaque: false), with: GIFEncoder())
        for side in [1, 2, 30, 83, 500] {
            let options = DecodingOptions.fitting(side, side)
            #expect(
                try decoder.decode(file, options).size == options.outputSize(of: PixelSize(width: 83, height: 41)))
        }
    }

    @Test func theBuiltInCodecsKnowGIF() throws {
        var file = GIFFixture(1, 1)
        file.addFrame(1, 1, 1)
        #expect(try CodecSet.builtIn.decode(file.bytes.span.bytes).header.format == .gif)
    }

    // MARK: Animations

    @Test func framesAreComposedAsTheirDisposalsSay() throws {
        var file = GIFFixture(2, 1)
        file.addControl(disposal: 1)
        file.addFrame([1, 1], 2, 1)
        file.addControl(disposal: 3)
        file.addFrame([2], 1, 1)
        file.addControl(disposal: 4)
        file.addFrame([3], x: 1, y: 0, 1, 1)
        file.addControl(transparent: 0, disposal: 2)
        file.addFrame([0, 3], 2, 1)
        file.addFrame([2], 1, 1)
        let frames = try #require(try decoder.frames(file.bytes, .exact))
        let (red, green, blue, nothing) = (Self.red, Self.green, Self.blue, Self.nothing)
        let expected = [[red, red], [green, red], [red, blue], [red, blue], [green, nothing]]
        #expect(frames.frameCount == expected.count)
        for index in [0, 1, 2, 3, 4, 2, 0, 4] {
            #expect(try frames.frame(at: index).bytes == expected[index].flatMap { $0 }, "frame \(index)")
        }
        #expect(try decoder.header(of: file.bytes).hasAlpha)
    }

    @Test func aFirstFrameThatIsUndoneLeavesNothing() throws {
        for disposal in [2, 3] as [UInt8] {
            var file = GIFFixture(2, 1)
            file.addControl(disposal: disposal)
            file.addFrame(1, 2, 1)
            #expect(try !decoder.header(of: file.bytes).hasAlpha)
            file.addFrame(2, 1, 1)
            #expect(try decoder.header(of: file.bytes).hasAlpha)
            let frames = try #require(try decoder.frames(file.bytes, .exact))
            #expect(try frames.frame(at: 1).bytes == Self.green + Self.nothing)
        }
    }

    @Test func delaysAreHundredthsAndTooShortOnesTheUsual() throws {
        var file = GIFFixture(1, 1)
        for delay in [0, 1, 2, 10, 65535] {
            file.addControl(delay: delay)
            file.addFrame(1, 1, 1)
        }
        file.addFrame(1, 1, 1)
        let frames = try #require(try decoder.frames(file.bytes))
        #expect(
            frames.delays == [100, 100, 20, 100, 655_350, 100].map { Duration.milliseconds($0) })
    }

    @Test(arguments: ["NETSCAPE2.0", "ANIMEXTS1.0"])
    func theLoopCountIsTheFiles(name: String) throws {
        for (count, expected) in [(0, LoopCount.forever), (1, .times(1)), (7, .times(7)), (65535, .times(65535))] {
            var file = GIFFixture(1, 1)
            file.addLoop(count, name: name)
            file.addFrame(1, 1, 1)
            file.addFrame(2, 1, 1)
            #expect(try decoder.frames(file.bytes)?.loopCount == expected)
            #expect(try decoder.header(of: file.bytes).loopCount == expected)
        }
    }

    @Test func withoutALoopCountAnAnimationIsPlayedOnce() throws {
        var file = GIFFixture(1, 1)
        file.addExtension(0xFF, [Array("NETSCAPE2.0".utf8), [2, 9, 9]])
        file.addExtension(0xFF, [Array("MAGICKS2.0!".utf8), [1, 9, 9]])
        file.addFrame(1, 1, 1)
        file.addFrame(2, 1, 1)
        let header = try decoder.header(of: file.bytes)
        #expect(header.frameCount == 2 && header.isAnimated && header.loopCount == .times(1))
        #expect(try decoder.frames(file.bytes)?.loopCount == .times(1))
    }

    @Test func aStillHasNoFrames() throws {
        var file = GIFFixture(1, 1)
        file.addLoop(0)
        file.addFrame(1, 1, 1)
        #expect(try decoder.frames(file.bytes) == nil)
        let header = try decoder.header(of: file.bytes)
        #expect(header.frameCount == 1 && !header.isAnimated && header.loopCount == nil)
    }

    @Test func whoWantsTheFirstFrameOnlyGetsIt() throws {
        let file = GIFFixture.rich().bytes
        #expect(try decoder.frames(file, DecodingOptions(firstFrameOnly: true)) == nil)
        #expect(try decoder.decode(file).bitmap.bytes == decoder.frames(file)?.frame(at: 0).bytes)
    }

    @Test func theHeaderIsThereBeforeTheFirstPixel() throws {
        let bytes = GIFFixture.rich().bytes
        let start = try #require(bytes.firstIndex(of: 0x2C))
        let header = try decoder.header(of: Array(bytes[..<(start + 11)]))
        #expect(header.size == PixelSize(width: 9, height: 8) && header.isProgressive && !header.hasAlpha)
        #expect(header.frameCount == nil && header.loopCount == .times(3) && header.isAnimated)
        #expect(throws: DecodingError.truncated(atByte: start + 10)) {
            try decoder.header(of: Array(bytes[..<(start + 10)]))
        }
    }

    // MARK: What stands beside the pictures

    @Test func commentsAreTexts() throws {
        var file = GIFFixture.rich()
        file.addExtension(0xFE, [[0x47, 0xE9]])
        file.addExtension(0xFE, [])
        let texts = try decoder.metadata(file.bytes).texts
        #expect(texts.map(\.text) == ["two blocks", "Gé"] && texts.allSatisfy { $0.keyword == "Comment" })
    }

    @Test func whatIsNotWrittenAsXMPIsIsLeftOut() throws {
        var file = GIFFixture.rich()
        file.addExtension(0xFF, [Array("XMP DataXMP".utf8), Array(repeating: 0x41, count: 255), [1, 2]])
        #expect(try decoder.metadata(file.bytes).xmp == nil)
    }

    @Test func aProfileAndXMPAreReadAsTheyAre() throws {
        let packet = Array("<x:xmpmeta>text that looks like blocks, ß\u{1}\u{FF}</x:xmpmeta>".utf8)
        var file = GIFFixture(1, 1)
        file.addExtension(0xFF, [Array("ICCRGBG1012".utf8), [1, 2, 3], [4]])
        file.blocks.append(
            [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + packet + [1] + (0...255).reversed() + [0])
        file.addFrame(1, 1, 1)
        #expect(try decoder.header(of: file.bytes).profile == .icc(ICCProfile(bytes: [1, 2, 3, 4])))
        #expect(try decoder.metadata(file.bytes).xmp == packet)
        #expect(try decoder.decode(file.bytes, .exact).profile == .icc(ICCProfile(bytes: [1, 2, 3, 4])))
    }
}
