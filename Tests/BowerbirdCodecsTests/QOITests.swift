import BowerbirdCodecs
import BowerbirdCore
import Testing

@Suite("Decoding and encoding QOI")
struct QOITests {
    private let decoder = QOIDecoder()

    @Test(arguments: [true, false], [PixelFormat.rgba8Straight, .bgra8Premultiplied])
    func pixelsComeBackAsTheyWere(isOpaque: Bool, format: PixelFormat) throws {
        let picture = try makePicture(67, 43, format: format, isOpaque: isOpaque)
        let file = try encode(picture, with: QOIEncoder())
        let options = DecodingOptions(pixels: format == .rgba8Straight ? .exact : .display)
        let image = try decoder.decode(file, options)
        #expect(image.bitmap.bytes == picture.bytes && image.bitmap.isOpaque == isOpaque && image.warnings.isEmpty)
        #expect(
            image.header
                == ImageHeader(
                    format: .qoi, storedSize: PixelSize(width: 67, height: 43), hasAlpha: !isOpaque, profile: .sRGB))
        #expect(try decoder.header(of: Array(file[..<14])) == image.header)
        #expect(file[12] == (isOpaque ? 3 : 4))
    }

    @Test func everyKindOfChunkIsWritten() throws {
        let pixels: [[UInt8]] = [
            [0, 0, 0, 255], [0, 0, 0, 255], [1, 255, 0, 255], [20, 20, 15, 255], [120, 3, 200, 255], [1, 255, 0, 255],
            [120, 3, 200, 9], [120, 3, 200, 9],
        ]
        let file = try encode(try bitmap(pixels), with: QOIEncoder())
        let expected: [UInt8] = [
            0xC1, 0x76, 0xB5, 0x62, 0xFE, 120, 3, 200, 51, 0xFF, 120, 3, 200, 9, 0xC0,
        ]
        #expect(Array(file[14..<file.count - 8]) == expected)
        #expect(try decoder.decode(file, .exactAsStored).bitmap.bytes == pixels.flatMap { $0 })
    }

    @Test func chunksMeanWhatTheFormatSays() throws {
        // Full colour, an index, a difference of (−1, 0, 1), a luma step, full with alpha, a run of three.
        let chunks: [UInt8] = [0xFE, 10, 20, 30, 0x5B, 0xA6, 0xA5, 9, 0xFF, 1, 2, 3, 4, 0xC2]
        let end: [UInt8] = [4, 0] + chunks + [0, 0, 0, 0, 0, 0, 0, 1]
        let file = Array("qoif".utf8) + bigEndian(8) + bigEndian(1) + end
        let image = try decoder.decode(file, .exactAsStored)
        #expect(
            image.bitmap.bytes == [
                10, 20, 30, 255, 9, 20, 31, 255, 17, 26, 34, 255, 10, 20, 30, 255, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4,
                1,
                2, 3, 4,
            ])
        #expect(image.warnings.isEmpty)
    }

    @Test func aLinearFileSaysSo() throws {
        var options = EncodingOptions()
        options.profile = .cicp(CodingPoints(primaries: 1, transfer: 8))
        let file = try QOIEncoder().encode(try makePicture(3, 3), options).withUnsafeBytes { Array($0) }
        #expect(file[13] == 1)
        #expect(try decoder.header(of: file).profile == options.profile)
    }

    @Test func sixteenBitsAreRounded() throws {
        let deep = try makePicture(9, 9, format: .rgba16Straight, isOpaque: false)
        let shallow = try makePicture(9, 9, format: .rgba8Straight, isOpaque: false)
        #expect(try encode(deep, with: QOIEncoder()) == encode(shallow, with: QOIEncoder()))
    }

    @Test func everyTargetIsMet() throws {
        let file = try encode(makePicture(60, 30), with: QOIEncoder())
        #expect(try decoder.decode(file, .fitting(20, 20)).size == PixelSize(width: 20, height: 10))
    }

    @Test func longRunsAreSplit() throws {
        let picture = try bitmap(Array(repeating: [7, 7, 7, 255], count: 1000))
        let file = try encode(picture, with: QOIEncoder())
        #expect(file.count < 50)
        #expect(try decoder.decode(file, .exactAsStored).bitmap.bytes == picture.bytes)
    }

    private func bitmap(_ pixels: [[UInt8]]) throws -> Bitmap {
        var buffer = try makeBuffer(pixels.count, 1, .rgba8Straight)
        buffer.withUnsafeMutableBytes { $0.copyBytes(from: pixels.joined()) }
        return buffer.freeze()
    }
}

@Suite("Damaged QOI files")
struct QOIDamageTests {
    private let decoder = QOIDecoder()

    private func makeFile(isOpaque: Bool = false) throws -> [UInt8] {
        try encode(makePicture(40, 30, isOpaque: isOpaque), with: QOIEncoder())
    }

    @Test func aSizeOverTheLimitIsRefused() throws {
        var file = try makeFile()
        file.replaceSubrange(4..<12, with: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        let size = PixelSize(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF)
        #expect(decoder.failure(of: file) == .tooLarge(size, maximumPixelCount: 1 << 28))
        file.replaceSubrange(4..<8, with: [0, 0, 0, 0])
        #expect(decoder.failure(of: file) == .corrupt("its size is 0 × 4294967295"))
    }

    @Test func emptyAndCutFilesThrow() throws {
        #expect(decoder.failure(of: []) == .empty)
        let file = try makeFile()
        for count in 1..<15 { #expect(decoder.failure(of: Array(file[..<count])) == .truncated(atByte: count)) }
        #expect(throws: DecodingError.truncated(atByte: 13)) { try decoder.header(of: Array(file[..<13])) }
    }

    @Test(arguments: [true, false])
    func aCutFileShowsWhatArrived(isOpaque: Bool) throws {
        let file = try makeFile(isOpaque: isOpaque)
        let whole = try decoder.decode(file).bitmap
        let part = Array(file[..<(file.count / 2)])
        let image = try decoder.decode(part)
        #expect(image.warnings == [.truncated(atByte: part.count)] && !image.bitmap.isOpaque)
        #expect(image.bitmap.pixel(20, 3) == whole.pixel(20, 3) && image.bitmap.pixel(39, 29) == [0, 0, 0, 0])
    }

    @Test func aWrongEndIsAWarning() throws {
        var file = try makeFile(isOpaque: true)
        let whole = try decoder.decode(file).bitmap
        file[file.count - 1] = 9
        let image = try decoder.decode(file)
        #expect(image.warnings == [.corrupt("something else is where its end should be")])
        #expect(image.bitmap.bytes == whole.bytes && image.bitmap.isOpaque)
        #expect(try decoder.decode(Array(file.dropLast(1))).warnings == [.truncated(atByte: file.count - 1)])
    }

    @Test(arguments: [(12, 2), (12, 5), (13, 2), (0, 0)] as [(Int, UInt8)])
    func aHeaderThatMakesNoSenseIsRefused(index: Int, value: UInt8) throws {
        var file = try makeFile()
        file[index] = value
        guard case .corrupt = decoder.failure(of: file) else {
            Issue.record("it was not refused")
            return
        }
    }

    @Test func noDamageTraps() async throws {
        let checks = DamageChecks(decoder: decoder, file: try makeFile())
        checks.everyBeginningIsKnownToBeOne(steps: 7, upTo: checks.file.count)
        checks.noChangeTraps(rounds: 300)
        checks.noChangeOfTheFirstBytesTraps(60)
        await checks.aCancelledTaskStops()
    }
}

@Suite("Decoding QOI from the corpus", Corpus.isPresent)
struct QOICorpusTests {
    @Test func filesHaveTheirPixels() throws {
        let image = try QOIDecoder().decode(Corpus.bytes("pillow/hopper.qoi"), .exactAsStored)
        #expect(image.warnings.isEmpty && image.size == PixelSize(width: 128, height: 128))
        let again = try encode(image.bitmap, with: QOIEncoder())
        #expect(try QOIDecoder().decode(again, .exactAsStored).bitmap.bytes == image.bitmap.bytes)
        let reference = try BMPDecoder().decode(Corpus.bytes("pillow/hopper.bmp"), .exactAsStored)
        #expect(try image.bitmap.greatestDifference(to: reference.bitmap) == 0)
        let basic = try QOIDecoder().decode(Corpus.bytes("image-rs/images/qoi/basic-test.qoi"), .exactAsStored)
        #expect(basic.warnings.isEmpty)
    }
}
