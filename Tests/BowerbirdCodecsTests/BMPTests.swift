import BowerbirdCodecs
import BowerbirdCore
import Testing

@Suite("Decoding BMP")
struct BMPTests {
    private let decoder = BMPDecoder()
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let green: [UInt8] = [0, 255, 0, 255]
    private static let blue: [UInt8] = [0, 0, 255, 255]
    private static let black: [UInt8] = [0, 0, 0, 255]
    /// Red, green and blue as BMP files have them.
    private static let palette: [UInt8] = [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0]

    private func pixels(_ file: BMPFile) throws -> [[UInt8]] {
        let image = try decoder.decode(file.bytes, .exactAsStored)
        #expect(image.warnings.isEmpty)
        return (0..<image.size.height).flatMap { y in (0..<image.size.width).map { image.bitmap.pixel($0, y) } }
    }

    @Test(arguments: [(1, 0b0100_0000), (2, 0b0001_1000), (4, 0x01), (8, 0)])
    func indicesChooseColorsFromTheBottomUp(bits: Int, first: Int) throws {
        let rest: [UInt8] = bits == 4 ? [0x20] : bits == 8 ? [1, 2] : [0]
        var file = BMPFile(
            width: 3, height: 2, bits: bits, palette: Self.palette,
            pixels: Array(([UInt8(first)] + rest + [0, 0, 0]).prefix(4)) + [0, 0, 0, 0])
        file.header.replaceSubrange(32..<36, with: littleEndian(min(3, 1 << bits)))
        let lower = bits == 1 ? [Self.red, Self.green, Self.red] : [Self.red, Self.green, Self.blue]
        #expect(try pixels(file) == [Self.red, Self.red, Self.red] + lower)
    }

    @Test(arguments: [12, 16, 64, 40, 52, 56, 108, 124])
    func everyHeaderIsRead(byteCount: Int) throws {
        let palette = byteCount == 12 ? [0, 0, 255, 0, 255, 0] : Array(Self.palette.prefix(8))
        var file = BMPFile(byteCount, width: 2, height: 1, bits: 1, palette: palette, pixels: [0x40, 0, 0, 0])
        file.gap = 5
        #expect(try pixels(file) == [Self.red, Self.green])
        #expect(try decoder.header(of: Array(file.bytes.prefix(14 + byteCount))).size.width == 2)
        #expect(throws: DecodingError.truncated(atByte: 13 + byteCount)) {
            try decoder.header(of: Array(file.bytes.prefix(13 + byteCount)))
        }
    }

    @Test func aNegativeHeightIsFromTheTop() throws {
        let file = BMPFile(
            width: 1, height: -2, bits: 8, palette: Self.palette, pixels: [1, 0, 0, 0, 2, 0, 0, 0])
        #expect(try pixels(file) == [Self.green, Self.blue])
    }

    @Test func missingColorsAreBlack() throws {
        let file = BMPFile(
            width: 4, height: 1, bits: 8, palette: Array(Self.palette.prefix(8)), pixels: [0, 1, 2, 255])
        #expect(try pixels(file) == [Self.red, Self.green, Self.black, Self.black])
    }

    @Test func anOffsetThatPointsIntoTheHeaderIsNotBelieved() throws {
        let file = BMPFile(width: 1, height: 1, bits: 8, usedColors: 3, palette: Self.palette, pixels: [1, 0, 0, 0])
        var bytes = file.bytes
        bytes.replaceSubrange(10..<14, with: littleEndian(0))
        #expect(try decoder.decode(bytes, .exactAsStored).bitmap.bytes == Self.green)
    }

    @Test func alphaCountsOnlyWhereItIsDeclared() throws {
        let pixel: [UInt8] = [10, 20, 30, 40]
        let masks = [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]
        let plain = BMPFile(width: 1, height: 1, bits: 32, pixels: pixel)
        #expect(try pixels(plain) == [[30, 20, 10, 255]])
        #expect(try !decoder.header(of: plain.bytes).hasAlpha)
        for (byteCount, compression) in [(40, 6), (56, 3), (108, 3), (124, 3), (124, 0)] {
            let file = BMPFile(
                byteCount, width: 1, height: 1, bits: 32, compression: compression, masks: masks, pixels: pixel)
            #expect(try pixels(file) == [[30, 20, 10, 40]], "header \(byteCount), compression \(compression)")
            #expect(try decoder.header(of: file.bytes).hasAlpha)
            #expect(try decoder.decode(file.bytes).bitmap.bytes == [2, 3, 5, 40])
        }
        let declaredElsewhere = BMPFile(
            108, width: 1, height: 1, bits: 32, masks: [0, 0, 0, 0x8000_0000], pixels: pixel)
        #expect(try pixels(declaredElsewhere) == [[30, 20, 10, 255]])
    }

    @Test func masksMayLieAnywhere() throws {
        let three = BMPFile(
            width: 2, height: 1, bits: 16, compression: 3, masks: [0x7, 0xF0, 0xC000],
            pixels: littleEndian(0x4037, 0x80F0, bytes: 2))
        #expect(try pixels(three) == [[255, 51, 85, 255], [0, 255, 170, 255]])
        let wide = BMPFile(
            width: 1, height: 1, bits: 32, compression: 3, masks: [0xFFE0_0000, 0x1F_FC00, 0],
            pixels: littleEndian(0x8000_0000 | 0x1F_FC00))
        #expect(try pixels(wide) == [[128, 255, 0, 255]])
        let full = BMPFile(
            width: 1, height: 1, bits: 32, compression: 3, masks: [0xFFFF_FFFF, 1, 0x8000_0000],
            pixels: littleEndian(0x8000_0001))
        #expect(try pixels(full) == [[128, 255, 255, 255]])
    }

    @Test func sixteenBitsWithoutMasksAreFiveEach() throws {
        let file = BMPFile(width: 2, height: 1, bits: 16, pixels: littleEndian(0x7C1F, 0x83E0, bytes: 2))
        #expect(try pixels(file) == [[255, 0, 255, 255], [0, 255, 0, 255]])
    }

    @Test func runsOfEightBits() throws {
        // Two green; three one by one; the next row; one over, and one; the end.
        let runs: [UInt8] = [2, 1, 0, 3, 0, 1, 2, 0, 0, 0, 0, 2, 1, 0, 1, 2, 0, 1]
        let file = BMPFile(width: 5, height: 2, bits: 8, compression: 1, palette: Self.palette, pixels: runs)
        let upper = [Self.black, Self.blue, Self.black, Self.black, Self.black]
        #expect(try pixels(file) == upper + [Self.green, Self.green, Self.red, Self.green, Self.blue])
        #expect(try decoder.decode(file.bytes).bitmap.isOpaque && !decoder.header(of: file.bytes).hasAlpha)
    }

    @Test func runsOfFourBits() throws {
        // Three of two that take turns; three one by one, padded to an even count of bytes.
        let runs: [UInt8] = [3, 0x12, 0, 3, 0x01, 0x20, 0, 1]
        let file = BMPFile(width: 6, height: 1, bits: 4, compression: 2, palette: Self.palette, pixels: runs)
        #expect(try pixels(file) == [Self.green, Self.blue, Self.green, Self.red, Self.green, Self.blue])
        #expect(try decoder.decode(file.bytes).bitmap.isOpaque)
    }

    @Test func runsOfColors() throws {
        let runs: [UInt8] = [2, 0, 0, 255, 0, 3, 0, 255, 0, 255, 0, 0, 0, 0, 255, 0, 0, 1]
        let file = BMPFile(64, width: 5, height: 1, bits: 24, compression: 4, pixels: runs)
        #expect(try pixels(file) == [Self.red, Self.red, Self.green, Self.blue, Self.red])
    }

    @Test func theProfileAndTheDensityAreRead() throws {
        var file = BMPFile(124, width: 1, height: 1, bits: 24, pixels: [1, 2, 3, 0])
        file.header.replaceSubrange(24..<32, with: littleEndian(2835, 3937))
        let profile = Array("not really a profile".utf8)
        let profileOffset = file.header.count + file.pixels.count
        file.pixels += profile
        file.header.replaceSubrange(56..<60, with: littleEndian(0x4D42_4544))
        file.header.replaceSubrange(112..<120, with: littleEndian(profileOffset, profile.count))
        #expect(try decoder.header(of: file.bytes).profile == .icc(ICCProfile(bytes: profile)))
        #expect(try decoder.header(of: Array(file.bytes.dropLast())).profile == .unspecified)
        let small = DecodingOptions(limits: DecodingLimits(maximumMetadataByteCount: 10))
        #expect(decoder.failure(of: file.bytes, small) == .tooMuchMetadata(maximumByteCount: 10))
        let density = try #require(decoder.metadata(of: file.bytes.span.bytes, DecodingLimits()).density)
        #expect(abs(density.horizontal - 72) < 0.1 && abs(density.vertical - 100) < 0.1)
        file.header.replaceSubrange(56..<60, with: littleEndian(0x4C49_4E4B))
        #expect(try decoder.header(of: file.bytes).profile == .unspecified)
        file.header.replaceSubrange(56..<60, with: littleEndian(0x7352_4742))
        #expect(try decoder.header(of: file.bytes).profile == .sRGB)
    }

    @Test func everyTargetIsMet() throws {
        let file = try encode(makePicture(60, 30), with: BMPEncoder())
        #expect(try decoder.decode(file, .fitting(20, 20)).size == PixelSize(width: 20, height: 10))
    }
}

@Suite("Encoding BMP")
struct BMPEncodingTests {
    @Test(arguments: [true, false], [PixelFormat.rgba8Straight, .bgra8Premultiplied])
    func pixelsComeBackAsTheyWere(isOpaque: Bool, format: PixelFormat) throws {
        let picture = try makePicture(67, 43, format: format, isOpaque: isOpaque)
        let file = try encode(picture, with: BMPEncoder())
        let options = DecodingOptions(pixels: format == .rgba8Straight ? .exact : .display)
        let image = try BMPDecoder().decode(file, options)
        #expect(image.bitmap.bytes == picture.bytes && image.bitmap.isOpaque == isOpaque)
        #expect(ImageFormat(sniffing: file.span.bytes) == .bmp && image.warnings.isEmpty)
        #expect(Array(file[2..<6]) == littleEndian(file.count))
    }

    @Test(arguments: [true, false])
    func theProfileAndTheDensityAreWritten(isOpaque: Bool) throws {
        let profile = ColorProfile.icc(ICCProfile(bytes: Array("a profile".utf8)))
        var options = EncodingOptions()
        options.profile = profile
        options.metadata = ImageMetadata(density: .init(horizontal: 300, vertical: 150))
        let picture = try makePicture(5, 5, format: .rgba8Straight, isOpaque: isOpaque)
        let file = try BMPEncoder().encode(picture, options).withUnsafeBytes { Array($0) }
        let image = try BMPDecoder().decode(file, .exactAsStored)
        #expect(image.header.profile == profile && image.bitmap.bytes == picture.bytes)
        let density = try #require(BMPDecoder().metadata(of: file.span.bytes, DecodingLimits()).density)
        #expect(abs(density.horizontal - 300) < 0.1 && abs(density.vertical - 150) < 0.1)
    }
}

@Suite("Damaged BMP files")
struct BMPDamageTests {
    private let decoder = BMPDecoder()

    @Test func aSizeOverTheLimitIsRefused() {
        let file = BMPFile(width: 0x7FFF_FFFF, height: -0x8000_0000, bits: 32, pixels: [0]).bytes
        let size = PixelSize(width: 0x7FFF_FFFF, height: 0x8000_0000)
        #expect(decoder.failure(of: file) == .tooLarge(size, maximumPixelCount: 1 << 28))
        #expect(decoder.failure(of: BMPFile(width: -1, height: 1, bits: 24, pixels: []).bytes) != nil)
    }

    @Test(arguments: [(0, 4), (0, 5), (24, 1), (8, 2), (4, 1), (30, 0), (1, 3), (24, 3), (64, 3)])
    func codingsThatFilesDoNotHaveAreRefused(bits: Int, compression: Int) {
        let zeros = Array(repeating: UInt8(0), count: 40)
        let file = BMPFile(width: 1, height: 1, bits: bits, compression: compression, pixels: zeros).bytes
        guard case .corrupt = decoder.failure(of: file) else {
            Issue.record("it was not refused")
            return
        }
    }

    @Test func emptyFilesAndOthersThrow() {
        #expect(decoder.failure(of: []) == .empty)
        #expect(decoder.failure(of: Array("BM".utf8)) == .truncated(atByte: 2))
        #expect(decoder.failure(of: Array("GIF89a, and more than that".utf8)) != nil)
    }

    @Test func aCutFileShowsTheRowsThatArrived() throws {
        let file = try encode(makePicture(40, 30), with: BMPEncoder())
        let whole = try decoder.decode(file).bitmap
        let part = Array(file[..<(file.count / 2)])
        let image = try decoder.decode(part)
        #expect(image.warnings == [.truncated(atByte: part.count)] && !image.bitmap.isOpaque)
        #expect(image.bitmap.pixel(20, 28) == whole.pixel(20, 28) && image.bitmap.pixel(20, 2) == [0, 0, 0, 0])
        #expect(decoder.failure(of: Array(file[..<100])) == .truncated(atByte: 100))
    }

    @Test func runsOutsideThePictureEndIt() throws {
        let palette: [UInt8] = [0, 0, 255, 0]
        for (runs, warning) in [
            ([2, 0, 3, 0, 0, 1], "a run is longer than its row"),
            ([2, 0, 0, 2, 9, 0, 1, 0], "its runs leave the picture"),
            ([2, 0, 0, 2, 0, 9, 1, 0], "its runs leave the picture"),
        ] as [([UInt8], String)] {
            let file = BMPFile(width: 4, height: 2, bits: 8, compression: 1, palette: palette, pixels: runs).bytes
            let image = try decoder.decode(file, .exactAsStored)
            #expect(image.warnings == [.corrupt(warning)])
            #expect(image.bitmap.pixel(1, 1) == [255, 0, 0, 255])
        }
    }

    @Test func runsThatEndEarlyAreAWarning() throws {
        let file = BMPFile(width: 4, height: 1, bits: 8, compression: 1, palette: [9, 9, 9, 0], pixels: [2, 0]).bytes
        #expect(try decoder.decode(file).warnings == [.truncated(atByte: file.count)])
        let whole = BMPFile(width: 2, height: 1, bits: 8, compression: 1, palette: [9, 9, 9, 0], pixels: [2, 0]).bytes
        #expect(try decoder.decode(whole).warnings.isEmpty)
        let nothing = BMPFile(width: 2, height: 1, bits: 8, compression: 1, pixels: [0]).bytes
        #expect(decoder.failure(of: nothing) == .truncated(atByte: nothing.count))
    }

    @Test func noDamageTraps() async throws {
        let picture = try makePicture(20, 15, isOpaque: false)
        let checks = DamageChecks(decoder: decoder, file: try encode(picture, with: BMPEncoder()))
        checks.everyBeginningIsKnownToBeOne(steps: 3, upTo: checks.file.count)
        checks.noChangeTraps(rounds: 300)
        checks.noChangeOfTheFirstBytesTraps(142)
        await checks.aCancelledTaskStops()
        let runs: [UInt8] = [2, 1, 0, 3, 0, 1, 2, 0, 0, 0, 0, 2, 1, 0, 1, 2, 0, 1]
        for (bits, compression, header) in [(8, 1, 40), (4, 2, 40), (24, 4, 64)] {
            let file = BMPFile(
                header, width: 5, height: 2, bits: bits, compression: compression, palette: [1, 2, 3, 0, 4, 5, 6, 0],
                pixels: runs + runs)
            let checks = DamageChecks(decoder: decoder, file: file.bytes)
            checks.noChangeTraps(rounds: 300)
            checks.noChangeOfTheFirstBytesTraps(file.bytes.count)
        }
    }
}

#if PNG
    @Suite("Decoding BMP from the corpus", Corpus.isPresent)
    struct BMPCorpusTests {
        private let decoder = BMPDecoder()

        @Test func filesHaveThePixelsOfTheirReferences() throws {
            let references = try Corpus.files(in: "image-rs/reference/bmp/images", ending: ".bmp.png")
            #expect(references.count > 40)
            for reference in references {
                let path = String(reference.replacing("/reference/", with: "/images/").dropLast(4))
                let image = try decoder.decode(Corpus.bytes(path), .exactAsStored)
                let expected = try PNGDecoder().decode(Corpus.bytes(reference), .exactAsStored)
                #expect(try image.bitmap.greatestDifference(to: expected.bitmap) == 0, "\(path)")
            }
        }

        @Test func filesOfOnePictureAreEqual() throws {
            let expected = try decoder.decode(Corpus.bytes("pillow/bmp/g/rgb24.bmp"), .exactAsStored).bitmap
            for name in ["g/rgb32", "g/rgb32bf", "g/rgb24pal", "q/rgb32bf-xbgr", "q/rgb32fakealpha", "q/rgb32h52"] {
                let image = try decoder.decode(Corpus.bytes("pillow/bmp/\(name).bmp"), .exactAsStored)
                #expect(try image.bitmap.greatestDifference(to: expected) == 0, "\(name)")
            }
            let indexed = try decoder.decode(Corpus.bytes("pillow/bmp/g/pal8.bmp"), .exactAsStored).bitmap
            for name in [
                "g/pal8-0", "g/pal8os2", "g/pal8rle", "g/pal8topdown", "g/pal8v4", "g/pal8v5", "q/pal8offs",
                "q/pal8os2v2", "q/pal8os2v2-16", "q/pal8oversizepal", "b/rletopdown", "b/badpalettesize",
            ] {
                let image = try decoder.decode(Corpus.bytes("pillow/bmp/\(name).bmp"), .exactAsStored)
                #expect(try image.bitmap.greatestDifference(to: indexed) == 0, "\(name)")
            }
        }

        @Test func everySoundFileIsDecoded() throws {
            for folder in ["g", "q"] {
                for path in try Corpus.files(in: "pillow/bmp/\(folder)", ending: ".bmp")
                where !path.hasSuffix("jpeg.bmp") && !path.hasSuffix("png.bmp") {
                    #expect(try decoder.decode(Corpus.bytes(path)).warnings.isEmpty, "\(path)")
                }
            }
        }

        @Test func brokenFilesAreRefusedOrShownWithAWarning() throws {
            for name in ["badbitcount", "badheadersize", "badwidth", "reallybig"] {
                #expect(decoder.failure(of: try Corpus.bytes("pillow/bmp/b/\(name).bmp")) != nil, "\(name)")
            }
            for name in ["badrle", "shortfile"] {
                #expect(try !decoder.decode(Corpus.bytes("pillow/bmp/b/\(name).bmp")).warnings.isEmpty, "\(name)")
            }
            for name in ["rle_overflow", "badrle"] {
                let path = "image-rs/images/bmp/images/lenient/\(name).bmp"
                #expect(try !decoder.decode(Corpus.bytes(path)).warnings.isEmpty, "\(name)")
            }
            for name in ["q/rgb24jpeg", "q/rgb24png"] {
                #expect(decoder.failure(of: try Corpus.bytes("pillow/bmp/\(name).bmp")) != nil)
            }
        }

        @Test func profilesAreFound() throws {
            let file = try Corpus.bytes("pillow/bmp/q/rgb24prof.bmp")
            guard case .icc(let profile) = try decoder.header(of: file).profile else {
                Issue.record("there is no profile")
                return
            }
            #expect(profile.colorSpace == .rgb)
            #expect(try decoder.header(of: Corpus.bytes("pillow/bmp/q/rgb24lprof.bmp")).profile == .unspecified)
        }
    }
#endif
