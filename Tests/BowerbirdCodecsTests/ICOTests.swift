import BowerbirdCodecs
import BowerbirdCore
import Testing

/// An icon put together by hand.
struct ICOFile {
    /// What the list says, and what is there.
    var pictures: [(width: Int, height: Int, depth: Int, bytes: [UInt8])]
    var isCursor = false

    var bytes: [UInt8] {
        var file = littleEndian(0, isCursor ? 2 : 1, pictures.count, bytes: 2)
        var offset = 6 + 16 * pictures.count
        for picture in pictures {
            file += [UInt8(truncatingIfNeeded: picture.width), UInt8(truncatingIfNeeded: picture.height), 0, 0]
            file += littleEndian(1, picture.depth, bytes: 2) + littleEndian(picture.bytes.count, offset)
            offset += picture.bytes.count
        }
        return file + pictures.flatMap(\.bytes)
    }

    /// A picture of one colour with 32 bits; in the mask the first pixel of the lowest row is transparent.
    static func bitmap(_ side: Int, _ color: [UInt8]) -> [UInt8] {
        let header = BMPFile(width: side, height: 2 * side, bits: 32, pixels: []).header
        let maskRow = (side + 31) / 32 * 4
        var mask = Array(repeating: UInt8(0), count: maskRow * side)
        mask[0] = 0x80
        return header + (0..<side * side).flatMap { _ in color } + mask
    }
}

@Suite("Decoding icons")
struct ICOTests {
    private let decoder = ICODecoder()

    @Test func alphaCountsWhereThereIsSome() throws {
        let file = ICOFile(pictures: [(2, 2, 32, ICOFile.bitmap(2, [10, 20, 30, 128]))])
        let image = try decoder.decode(file.bytes, .exactAsStored)
        #expect(image.bitmap.bytes == Array(repeatElement([30, 20, 10, 128], count: 4).joined()))
        #expect(image.header.hasAlpha && image.header.format == .ico && image.header.storedSize == image.size)
        #expect(try decoder.decode(file.bytes).bitmap.pixel(0, 0) == [5, 10, 15, 128])
    }

    @Test func theMaskCountsWhereThereIsNoAlpha() throws {
        let file = ICOFile(pictures: [(2, 2, 32, ICOFile.bitmap(2, [10, 20, 30, 0]))], isCursor: true)
        let bitmap = try decoder.decode(file.bytes, .exactAsStored).bitmap
        #expect(bitmap.pixel(0, 1) == [30, 20, 10, 0] && bitmap.pixel(1, 1) == [30, 20, 10, 255])
        #expect(bitmap.pixel(0, 0) == [30, 20, 10, 255] && !bitmap.isOpaque)
    }

    @Test func theMaskOfPicturesWithColorsByNumber() throws {
        let dib = BMPFile(width: 9, height: 2, bits: 1, palette: [0, 0, 255, 0, 255, 0, 0, 0], pixels: [])
        let picture = dib.header + dib.palette + [0x80, 0x80, 0, 0] + [0x40, 0x80, 0, 0]
        let file = ICOFile(pictures: [(9, 1, 1, picture)])
        let bitmap = try decoder.decode(file.bytes).bitmap
        #expect(bitmap.pixel(0, 0) == [255, 0, 0, 255] && bitmap.pixel(1, 0) == [0, 0, 0, 0])
        #expect(bitmap.pixel(2, 0) == [0, 0, 255, 255] && bitmap.pixel(8, 0) == [0, 0, 0, 0])
    }

    @Test func anOpaquePictureIsKnownToBeOne() throws {
        let dib = BMPFile(width: 1, height: 2, bits: 24, pixels: [1, 2, 3, 0, 0, 0, 0, 0])
        let file = ICOFile(pictures: [(1, 1, 24, dib.header + dib.pixels)])
        let bitmap = try decoder.decode(file.bytes).bitmap
        #expect(bitmap.isOpaque && bitmap.bytes == [1, 2, 3, 255])
    }

    private static let sides = ICOFile(
        pictures: [16, 48, 32].map { ($0, $0, 32, ICOFile.bitmap($0, [UInt8($0), 0, 0, 255])) })

    @Test(arguments: [(nil, 48), (10, 16), (16, 16), (17, 32), (33, 48), (100, 48)] as [(Int?, Int)])
    func theSmallestThatIsLargeEnoughIsChosen(target: Int?, side: Int) throws {
        var options = DecodingOptions()
        options.targetSize = target.map { PixelSize(width: $0, height: $0) }
        let image = try decoder.decode(Self.sides.bytes, options)
        #expect(image.header.storedSize == PixelSize(width: side, height: side))
        #expect(image.size.width == min(target ?? side, side) && image.bitmap.pixel(0, 0)[0] == UInt8(side))
        #expect(image.header.frameCount == 3 && !image.header.isAnimated)
        options.pixels = .exact
        #expect(try decoder.decode(Self.sides.bytes, options).size.width == 48)
    }

    @Test func pagesAreThePicturesFromTheBestOn() throws {
        for (page, side) in [48, 32, 16].enumerated() {
            let image = try decoder.decode(Self.sides.bytes, DecodingOptions(page: page))
            #expect(image.size.width == side)
        }
        for page in [3, -1] {
            #expect(
                decoder.failure(of: Self.sides.bytes, DecodingOptions(page: page)) == .noSuchFrame(page, count: 3))
        }
        #expect(try decoder.header(of: Self.sides.bytes).storedSize.width == 48)
        let few = DecodingOptions(limits: DecodingLimits(maximumFrameCount: 2))
        #expect(decoder.failure(of: Self.sides.bytes, few) == .tooManyFrames(maximum: 2))
    }

    @Test func ofEqualPicturesTheDeepestIsTheBest() throws {
        let shallow = ICOFile.bitmap(8, [1, 0, 0, 255])
        let file = ICOFile(pictures: [(8, 8, 4, shallow), (8, 8, 32, ICOFile.bitmap(8, [2, 0, 0, 255]))])
        #expect(try decoder.decode(file.bytes).bitmap.pixel(0, 0)[0] == 2)
        #expect(try decoder.decode(file.bytes, .fitting(4, 4)).bitmap.pixel(0, 0)[0] == 2)
    }

    #if PNG
        @Test func picturesMayBePNGFiles() throws {
            let picture = try makePicture(256, 256, format: .rgba8Straight, isOpaque: false)
            let png = try encode(picture, with: PNGEncoder())
            let file = ICOFile(pictures: [(16, 16, 32, ICOFile.bitmap(16, [1, 1, 1, 255])), (0, 0, 32, png)]).bytes
            let image = try decoder.decode(file, .exactAsStored)
            #expect(image.bitmap.bytes == picture.bytes && image.header.format == .ico)
            #expect(try decoder.header(of: file).storedSize == picture.size)
            #expect(try decoder.header(of: file).frameCount == 2)
        }
    #endif
}

@Suite("Damaged icons")
struct ICODamageTests {
    private let decoder = ICODecoder()
    private static let file = ICOFile(
        pictures: [(8, 8, 32, ICOFile.bitmap(8, [1, 2, 3, 255])), (4, 4, 32, ICOFile.bitmap(4, [1, 2, 3, 0]))])

    @Test func aSizeOverTheLimitIsRefused() {
        var file = Self.file
        file.pictures.removeLast()
        file.pictures[0].bytes.replaceSubrange(4..<12, with: littleEndian(0x7FFF_FFFF, 0x7FFF_FFFE))
        let size = PixelSize(width: 0x7FFF_FFFF, height: 0x3FFF_FFFF)
        #expect(decoder.failure(of: file.bytes) == .tooLarge(size, maximumPixelCount: 1 << 28))
    }

    @Test func emptyFilesAndListsThrow() {
        #expect(decoder.failure(of: []) == .empty)
        #expect(decoder.failure(of: [0, 0, 1, 0, 0, 0]) == .corrupt("it has no pictures"))
        #expect(decoder.failure(of: [0, 0, 1, 0, 255, 255, 0]) == .truncated(atByte: 7))
        #expect(decoder.failure(of: [1, 0, 1, 0, 1, 0]) == .corrupt("it does not begin as an icon does"))
    }

    @Test func aDamagedPictureIsReplacedByTheNextBest() throws {
        var file = Self.file
        file.pictures[0].bytes[0] = 99
        let image = try decoder.decode(file.bytes)
        #expect(image.size.width == 4 && image.warnings.count == 1)
        file.pictures[1].bytes[0] = 99
        guard case .corrupt = decoder.failure(of: file.bytes) else {
            Issue.record("it was not refused")
            return
        }
    }

    @Test func aPictureBehindTheEndOfTheFileThrows() {
        var file = Self.file
        file.pictures[0].bytes = []
        file.pictures.removeLast()
        let bytes = file.bytes
        #expect(decoder.failure(of: bytes) == .truncated(atByte: bytes.count))
    }

    @Test func aMissingMaskIsAWarning() throws {
        var file = Self.file
        file.pictures.removeFirst()
        let bytes = Array(file.bytes.dropLast(4))
        let image = try decoder.decode(bytes)
        guard case .truncated? = image.warnings.first else {
            Issue.record("there is no warning")
            return
        }
        #expect(image.bitmap.pixel(1, 3) == [1, 2, 3, 255])
    }

    @Test func noDamageTraps() async {
        let checks = DamageChecks(decoder: decoder, file: Self.file.bytes)
        // The small picture comes last, and only its mask has no warning where it is missing.
        checks.everyBeginningIsKnownToBeOne(upTo: 300)
        checks.noChangeTraps(rounds: 300)
        checks.noChangeOfTheFirstBytesTraps(120)
        await checks.aCancelledTaskStops()
    }
}

@Suite("Decoding icons from the corpus", Corpus.isPresent)
struct ICOCorpusTests {
    private let decoder = ICODecoder()

    @Test func everySoundFileIsDecoded() throws {
        for path in try Corpus.files(in: "image-rs/images/ico/images", ending: ".ico") + ["pillow/hopper.ico"] {
            #if !PNG
                if path.contains("png") { continue }
            #endif
            let image = try decoder.decode(Corpus.bytes(path))
            #expect(image.warnings.isEmpty, "\(path)")
            #expect(try decoder.header(of: Corpus.bytes(path)) == image.header, "\(path)")
        }
    }

    @Test func filesThatOnceBrokeADecoderEnd() throws {
        for path in try Corpus.files(in: "image-rs/regression/ico", ending: ".ico") {
            _ = decoder.failure(of: try Corpus.bytes(path))
        }
    }
}
