import BowerbirdCore
import BowerbirdRaster
import BowerbirdTestSupport
import Testing

@testable import BowerbirdCodecs

@Suite("Encoding GIF")
struct GIFEncodingTests {
    private let decoder = GIFDecoder()

    private func encode(_ bitmap: Bitmap, _ options: EncodingOptions = EncodingOptions()) throws -> [UInt8] {
        try GIFEncoder().encode(bitmap, options).withUnsafeBytes { Array($0) }
    }

    private func encode(_ film: Film, _ options: EncodingOptions = EncodingOptions()) throws -> [UInt8] {
        try GIFEncoder().encode(film, options).withUnsafeBytes { Array($0) }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 128, 129, 256])
    func aPictureOfFewColoursComesBackAsItWas(colorCount: Int) throws {
        let picture = try makeFlatPicture(41, 37, colorCount: colorCount)
        let image = try decoder.decode(encode(picture), .exact)
        #expect(image.bitmap.bytes == picture.bytes && image.bitmap.isOpaque && image.warnings.isEmpty)
    }

    @Test(arguments: [1, 3, 255])
    func soDoesOneThatIsTransparentInPlaces(colorCount: Int) throws {
        let picture = try makeFlatPicture(41, 37, colorCount: colorCount, isOpaque: false)
        let image = try decoder.decode(encode(picture), .exact)
        #expect(image.bitmap.bytes == picture.bytes && image.header.hasAlpha)
    }

    @Test(arguments: [(1, 1), (1, 9), (300, 1), (5, 17)])
    func interlacedFilesHaveTheSamePixels(width: Int, height: Int) throws {
        var options = EncodingOptions()
        options.isProgressive = true
        let picture = try makeFlatPicture(width, height, colorCount: 200)
        let file = try encode(picture, options)
        #expect(try decoder.decode(file, .exact).bitmap.bytes == picture.bytes)
        #expect(try decoder.header(of: file).isProgressive)
    }

    @Test(arguments: PixelFormat.allCases)
    func everyPixelFormatIsTaken(format: PixelFormat) throws {
        var buffer = try makeBuffer(4, 1, format)
        let half: [UInt8] = format == .bgra8Premultiplied ? [10, 20, 64, 128] : [127, 40, 20, 128]
        let pixels: [[UInt8]] = [[1, 2, 3, 255], half, [5, 6, 7, 127], [0, 0, 0, 0]]
        buffer.withRow(0) { row in
            for (index, value) in pixels.joined().enumerated() {
                if format == .rgba16Straight {
                    row.storeBytes(of: UInt16(value) * 257, toByteOffset: 2 * index, as: UInt16.self)
                } else {
                    row.storeBytes(of: value, toByteOffset: index, as: UInt8.self)
                }
            }
        }
        let bitmap = try decoder.decode(encode(buffer.freeze()), .exact).bitmap
        let first: [UInt8] = format == .bgra8Premultiplied ? [3, 2, 1, 255] : [1, 2, 3, 255]
        #expect(bitmap.pixel(0, 0) == first)
        // Straight colour, and all or nothing of alpha.
        #expect(bitmap.pixel(1, 0) == (format == .bgra8Premultiplied ? [128, 40, 20, 255] : [127, 40, 20, 255]))
        #expect(bitmap.pixel(2, 0) == [0, 0, 0, 0] && bitmap.pixel(3, 0) == [0, 0, 0, 0])
    }

    @Test func manyColoursBecomeThoseThatAreNear() throws {
        let picture = try makePicture(64, 48, format: .rgba8Straight)
        for (effort, limit) in [(0.0, 4.0), (0.5, 4.5), (1.0, 4.5)] {
            var options = EncodingOptions()
            options.effort = effort
            let bitmap = try decoder.decode(encode(picture, options), .exact).bitmap
            #expect(try bitmap.meanDifference(to: picture) < limit, "effort \(effort)")
            #expect(bitmap.isOpaque)
        }
    }

    @Test func ditheringKeepsTheMeanOfASlope() throws {
        // One step of grey for every four pixels, in three colours only.
        var palette = GIFPalette()
        for color in [0xFF00_0000, 0xFF80_8080, 0xFFFF_FFFF] as [UInt32] { _ = palette.insert(color) }
        var buffer = try makeBuffer(64, 16, .rgba8Straight)
        for y in 0..<16 {
            buffer.withRow(y) { row in
                for x in 0..<256 { row.storeBytes(of: x % 4 == 3 ? 255 : 100, toByteOffset: x, as: UInt8.self) }
            }
        }
        let pixels = GIFPixels(buffer.freeze())
        var dithering = Dithering(to: palette, isOn: true)
        let mean = dithering.indices(of: pixels).reduce(0) { $0 + [0, 128, 255][Int($1)] } / pixels.size.pixelCount
        #expect((97...103).contains(mean))
        var plain = Dithering(to: palette, isOn: false)
        #expect(plain.indices(of: pixels).allSatisfy { $0 == 1 })
    }

    @Test func manyColoursLeaveRoomForNothing() throws {
        var picture = try makePicture(64, 48, format: .rgba8Straight)
        var buffer = try copy(of: picture)
        buffer.isOpaque = false
        buffer.withRow(5) { row in row.storeBytes(of: 0, toByteOffset: 4 * 9, as: UInt32.self) }
        picture = buffer.freeze()
        let bitmap = try decoder.decode(encode(picture), .exact).bitmap
        #expect(bitmap.pixel(9, 5) == [0, 0, 0, 0] && bitmap.pixel(10, 5)[3] == 255)
        #expect(try bitmap.meanDifference(to: picture) < 5)
    }

    @Test(arguments: Orientation.allCases)
    func pixelsAreTurnedBecauseTheFileCannotSayIt(orientation: Orientation) throws {
        var options = EncodingOptions()
        options.orientation = orientation
        let picture = try makeFlatPicture(7, 5, colorCount: 30)
        let expected = try picture.oriented(orientation)
        #expect(try decoder.decode(encode(picture, options), .exact).bitmap.bytes == expected.bytes)
        let film = Film([picture, try makeFlatPicture(7, 5, colorCount: 30, seed: 2)])
        let frames = try #require(try decoder.frames(encode(film, options), .exact))
        #expect(frames.size == expected.size)
        #expect(try frames.frame(at: 0).bytes == expected.bytes)
    }

    @Test func profileAndTextsAreWritten() throws {
        var options = EncodingOptions()
        options.profile = .icc(TestProfile.displayP3)
        let texts = [("Comment", "hello"), ("Author", "nobody")].map { ImageMetadata.Text(keyword: $0.0, text: $0.1) }
        options.metadata = ImageMetadata(xmp: Array("<x:xmpmeta/>".utf8), texts: texts)
        let file = try encode(makeFlatPicture(3, 3, colorCount: 3), options)
        let metadata = try decoder.metadata(file)
        #expect(metadata.texts.map(\.text) == ["hello", "Author: nobody"])
        #expect(metadata.xmp == options.metadata?.xmp)
        #expect(try decoder.header(of: file).profile == options.profile)
    }

    @Test func whatTheFormatCannotHoldIsRefused() throws {
        let wide = try makeBuffer(65536, 1).freeze()
        #expect(throws: EncodingError.tooLarge(wide.size, format: .gif)) { try encode(wide) }
        #expect(throws: EncodingError.tooLarge(wide.size, format: .gif)) { try encode(Film([wide, wide])) }
    }

    // MARK: Animations

    @Test(arguments: [2, 16, 255, 256], [true, false])
    func framesOfFewColoursComeBackAsTheyWere(colorCount: Int, isOpaque: Bool) throws {
        // One colour is nothing.
        let colorCount = isOpaque ? colorCount : min(colorCount, 255)
        var film = Film(
            try (0..<6).map { try makeFlatPicture(23, 19, colorCount: colorCount, isOpaque: isOpaque, seed: $0) })
        film.delays = [20, 30, 100, 40, 5000, 70].map { .milliseconds($0) }
        film.loopCount = .times(4)
        let frames = try #require(try decoder.frames(encode(film), .exact))
        #expect(frames.delays == film.delays && frames.loopCount == .times(4) && frames.frameCount == 6)
        for index in 0..<6 {
            #expect(try frames.frame(at: index).bytes == film.pictures[index].bytes, "frame \(index)")
        }
    }

    @Test func whatBecomesTransparentIsTakenAway() throws {
        var random = SeededRandom(seed: 4)
        let pictures = try (0..<12).map { _ in
            var buffer = try makeBuffer(9, 7, .rgba8Straight)
            for y in 0..<7 {
                for x in 0..<9 where Int.random(in: 0..<3, using: &random) == 0 {
                    let color = 0xFF00_0000 | UInt32(y)
                    buffer.withRow(y) { $0.storeBytes(of: color, toByteOffset: 4 * x, as: UInt32.self) }
                }
            }
            return buffer.freeze()
        }
        let empty = try makeBuffer(9, 7, .rgba8Straight).freeze()
        let film = Film(pictures + [empty, empty] + pictures.prefix(2))
        let frames = try #require(try decoder.frames(encode(film), .exact))
        for (index, picture) in film.pictures.enumerated() {
            #expect(try frames.frame(at: index).bytes == picture.bytes, "frame \(index)")
        }
    }

    @Test func onlyWhatChangesIsWritten() throws {
        let first = try makeFlatPicture(100, 100, colorCount: 200)
        var buffer = try copy(of: first)
        buffer.withRow(50) { $0.storeBytes(of: 0xFF12_3456, toByteOffset: 200, as: UInt32.self) }
        let second = buffer.freeze()
        let (still, film) = (try encode(first), try encode(Film([first, second, second, first])))
        #expect(film.count < still.count + 150)
        let frames = try #require(try decoder.frames(film, .exact))
        #expect(try frames.frame(at: 2).bytes == second.bytes)
        #expect(try frames.frame(at: 3).bytes == first.bytes)
    }

    @Test func manyColoursOfAnAnimationStayNear() throws {
        let pictures = try [makePicture(48, 40), makePicture(48, 40, isOpaque: false), makePicture(48, 40)]
        let frames = try #require(try decoder.frames(encode(Film(pictures))))
        #expect(try frames.frame(at: 2).meanDifference(to: pictures[2]) < 5)
        #expect(try frames.frame(at: 0).isOpaque && !frames.frame(at: 1).isOpaque)
    }

    @Test func delaysAreRoundedAndTheirSumIsKept() {
        let sixty = Array(repeating: Duration.milliseconds(100) / 6, count: 60)
        #expect(GIFAnimation.hundredths(sixty).allSatisfy { $0 == 2 })
        let thirty = Array(repeating: Duration.seconds(1) / 30, count: 30)
        #expect(GIFAnimation.hundredths(thirty).reduce(0, +) == 100)
        #expect(Set(GIFAnimation.hundredths(thirty)) == [3, 4])
        let extremes = [Duration.zero, .seconds(100_000), .milliseconds(15), .milliseconds(14), .milliseconds(50)]
        #expect(GIFAnimation.hundredths(extremes) == [2, 65535, 2, 2, 5])
    }

    @Test(arguments: [LoopCount.forever, .times(1), .times(2), .times(100_000)])
    func theLoopCountIsWritten(count: LoopCount) throws {
        var film = Film(try (0..<2).map { try makeFlatPicture(3, 3, colorCount: 9, seed: $0) })
        film.loopCount = count
        let expected = count == .times(100_000) ? .times(65535) : count
        #expect(try decoder.frames(encode(film))?.loopCount == expected)
    }

    @Test func oneFrameIsAStill() throws {
        let picture = try makeFlatPicture(5, 5, colorCount: 5)
        #expect(try encode(Film([picture])) == encode(picture))
    }

    @Test func aFrameThatCannotBeHadIsNamed() throws {
        var film = Film(try (0..<3).map { try makeFlatPicture(3, 3, colorCount: 9, seed: $0) })
        film.damaged = 1
        #expect(throws: EncodingError.unreadableFrame(1, .corrupt("it"))) { try encode(film) }
    }

    @Test func aCancelledTaskStopsEncoding() async throws {
        let film = Film(try (0..<3).map { try makePicture(30, 30, isOpaque: $0 == 0) })
        let errors = await Task { () -> [EncodingError] in
            withUnsafeCurrentTask { $0?.cancel() }
            var errors: [EncodingError] = []
            do throws(EncodingError) {
                _ = try GIFEncoder().encode(film, EncodingOptions())
            } catch {
                errors.append(error)
            }
            do throws(EncodingError) {
                _ = try GIFEncoder().encode(film.pictures[0], EncodingOptions())
            } catch {
                errors.append(error)
            }
            return errors
        }.value
        #expect(errors == [.cancelled, .cancelled])
    }
}

private func copy(of bitmap: Bitmap) throws(DecodingError) -> PixelBuffer {
    guard let buffer = PixelBuffer(copying: bitmap) else { throw .outOfMemory(bitmap.size) }
    return buffer
}

private struct Film: FrameSource {
    var pictures: [Bitmap]
    var delays: [Duration]
    var loopCount = LoopCount.forever
    var damaged: Int?

    init(_ pictures: [Bitmap]) {
        self.pictures = pictures
        delays = pictures.map { _ in .milliseconds(50) }
    }

    var size: PixelSize { pictures[0].size }

    func frame(at index: Int) throws(DecodingError) -> Bitmap {
        if index == damaged { throw .corrupt("it") }
        return pictures[index]
    }
}
