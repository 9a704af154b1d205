#if TIFF
    import BowerbirdCore
    import BowerbirdRaster
    import BowerbirdTestSupport
    import Testing

    @testable import BowerbirdCodecs

    private typealias Entry = TIFFFile.Entry

    @Suite("Decoding TIFF")
    struct TIFFTests {
        private let decoder = TIFFDecoder()

        private func pixels(
            _ page: TIFFFile.Page, isBigEndian: Bool = false, opaque: Bool = true
        ) throws -> [[UInt8]] {
            let file = TIFFFile(pages: [page], isBigEndian: isBigEndian).bytes
            let image = try decoder.decode(file, .exactAsStored)
            #expect(image.warnings.isEmpty && image.bitmap.isOpaque == opaque)
            #expect(try decoder.header(of: file) == image.header && image.header.hasAlpha == !opaque)
            return (0..<image.size.height).flatMap { y in (0..<image.size.width).map { image.bitmap.pixel($0, y) } }
        }

        private func gray(_ values: [Int]) -> [[UInt8]] { values.map { [UInt8($0), UInt8($0), UInt8($0), 255] } }

        private func components(_ deep: [UInt8]) -> [UInt16] {
            deep.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: 2).map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt16.self) }
            }
        }

        @Test(arguments: [true, false])
        func grayOfEveryDepth(isInverted: Bool) throws {
            let photometric = isInverted ? 0 : 1
            let cases: [(Int, [UInt8], [Int])] = [
                (1, [0b0100_0000], [0, 255]), (2, [0b0001_1011], [0, 85]), (4, [0x0F], [0, 255]),
                (8, [0, 77], [0, 77]),
            ]
            for (bits, bytes, values) in cases {
                let page = TIFFFile.page(2, 1, bits: [bits], photometric: photometric, parts: [bytes])
                let expected = gray(values.map { isInverted ? 255 - $0 : $0 })
                #expect(try pixels(page) == expected, "\(bits) bits")
            }
        }

        @Test(arguments: [true, false])
        func sixteenBitsKeepAllOfThem(isBigEndian: Bool) throws {
            let order = TIFFFile(pages: [], isBigEndian: isBigEndian)
            let values = [0x1234, 0xFFFF, 1, 0x8000]
            let page = TIFFFile.page(
                1, 1, bits: [16, 16, 16, 16], photometric: 2, [Entry(tag: 338, type: 3, values: [2])],
                parts: [values.flatMap { order.number($0, 2) }])
            #expect(try components(pixels(page, isBigEndian: isBigEndian, opaque: false)[0]) == values.map(UInt16.init))
            let file = TIFFFile(pages: [page], isBigEndian: isBigEndian).bytes
            #expect(try decoder.header(of: file).bitsPerComponent == 16)
            #expect(try decoder.decode(file).bitmap.pixel(0, 0) == [0, 128, 9, 128])
        }

        @Test func twelveAndThirtyTwoBitsBecomeSixteen() throws {
            let twelve = TIFFFile.page(2, 1, bits: [12], photometric: 1, parts: [[0xFF, 0xF0, 0x01]])
            #expect(try pixels(twelve).map { components($0)[0] } == [65535, 16])
            let thirtyTwo = TIFFFile.page(
                1, 1, bits: [32], photometric: 1, parts: [littleEndian(0x1234_5678)])
            #expect(try components(pixels(thirtyTwo)[0])[0] == 0x1234)
            let signed = TIFFFile.page(
                2, 1, bits: [8], photometric: 1, [Entry(tag: 339, type: 3, values: [2])], parts: [[0x80, 0x7F]])
            #expect(try pixels(signed) == gray([0, 255]))
        }

        /// The last is 54343.499 of 65535, which is 54343.5 in the precision of the file.
        @Test func floatsFromNoneToOneAreLight() throws {
            let values: [Float] = [0, 1, 0.5, -3, 7, .nan, 0.82922864]
            let bytes = values.flatMap { littleEndian(Int($0.bitPattern)) }
            let page = TIFFFile.page(
                7, 1, bits: [32], photometric: 1, [Entry(tag: 339, type: 3, values: [3])], parts: [bytes])
            #expect(try pixels(page).map { components($0)[0] } == [0, 65535, 32768, 0, 65535, 0, 54344])
        }

        @Test func componentsMayLieInPlanes() throws {
            let together = TIFFFile.page(
                2, 2, bits: [8, 8, 8], photometric: 2, rowsPerStrip: 1,
                parts: [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]])
            let apart = TIFFFile.page(
                2, 2, bits: [8, 8, 8], photometric: 2, rowsPerStrip: 1, planar: 2,
                parts: [[1, 4], [7, 10], [2, 5], [8, 11], [3, 6], [9, 12]])
            let expected: [[UInt8]] = [[1, 2, 3, 255], [4, 5, 6, 255], [7, 8, 9, 255], [10, 11, 12, 255]]
            #expect(try pixels(together) == expected)
            #expect(try pixels(apart) == expected)
            #expect(try pixels(together, isBigEndian: true) == expected)
        }

        @Test(arguments: [1, 2])
        func tilesAreJoinedAndCut(planar: Int) throws {
            let tiles = (0..<4).map { tile in
                (0..<256).map { index in UInt8(truncatingIfNeeded: tile * 50 + index % 16 + index / 16) }
            }
            var parts = tiles + tiles + Array(repeating: Array(repeating: UInt8(7), count: 256), count: 4)
            if planar == 1 { parts = tiles.map { tile in tile.flatMap { [$0, $0, 7] } } }
            let page = TIFFFile.page(
                20, 17, bits: [8, 8, 8], photometric: 2, tile: 16, planar: planar, parts: parts)
            let all = try pixels(page)
            for (x, y) in [(0, 0), (15, 15), (16, 0), (19, 15), (0, 16), (19, 16)] {
                let expected = UInt8(truncatingIfNeeded: (x / 16 + y / 16 * 2) * 50 + x % 16 + y % 16)
                #expect(all[y * 20 + x] == [expected, expected, 7, 255], "\(x), \(y)")
            }
        }

        @Test func alphaIsStraightOrPremultiplied() throws {
            func page(_ kinds: Int...) -> TIFFFile.Page {
                let entries = kinds.map { Entry(tag: 338, type: 3, values: [$0]) }
                return TIFFFile.page(
                    1, 1, bits: [8, 8, 8, 8], photometric: 2, entries, parts: [[100, 50, 0, 128]])
            }
            #expect(try pixels(page(2), opaque: false) == [[100, 50, 0, 128]])
            #expect(try pixels(page(), opaque: false) == [[100, 50, 0, 128]])
            #expect(try pixels(page(1), opaque: false) == [[199, 100, 0, 128]])
            #expect(try pixels(page(0)) == [[100, 50, 0, 255]])
            let premultiplied = TIFFFile(pages: [page(1)]).bytes
            #expect(try decoder.decode(premultiplied).bitmap.bytes == [0, 50, 100, 128])
            let straight = TIFFFile(pages: [page(2)]).bytes
            #expect(try decoder.decode(straight).bitmap.bytes == [0, 25, 50, 128])
            let gray = TIFFFile.page(
                1, 1, bits: [8, 8], photometric: 1, [Entry(tag: 338, type: 3, values: [2])], parts: [[9, 77]])
            #expect(try pixels(gray, opaque: false) == [[9, 9, 9, 77]])
        }

        @Test func palettesHaveSixteenOrEightBits() throws {
            for factor in [256, 1] {
                let map = [255, 0, 0, 9, 0, 255, 0, 8, 0, 0, 255, 7].map { $0 * factor }
                let page = TIFFFile.page(
                    4, 1, bits: [2], photometric: 3, [Entry(tag: 320, type: 3, values: map)], parts: [[0b0001_1011]])
                #expect(try pixels(page) == [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [9, 8, 7, 255]])
            }
        }

        @Test func inksBecomeColors() throws {
            let page = TIFFFile.page(
                3, 1, bits: [8, 8, 8, 8], photometric: 5, parts: [[0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 255]])
            #expect(try pixels(page) == [[255, 255, 255, 255], [0, 255, 255, 255], [0, 0, 0, 255]])
            let file = TIFFFile(pages: [page]).bytes
            #expect(try decoder.decode(file).bitmap.pixel(1, 0) == [255, 255, 0, 255])
        }

        #if ICC
            /// The profile of the fixtures makes light of ink: 255 less 70 for each colour at its full.
            @Test func aProfileOfTheInksSaysWhatTheyLookLike() throws {
                let profile = Entry(tag: 34675, type: 7, values: TestProfile.inks.bytes.map { Int($0) })
                let page = TIFFFile.page(
                    2, 1, bits: [8, 8, 8, 8], photometric: 5, [profile], parts: [[0, 0, 0, 0, 255, 0, 0, 0]])
                let all = try pixels(page)
                // Lightness 73 of 100 is the grey 178.
                #expect(all[0] == [255, 255, 255, 255] && all[1].prefix(3).allSatisfy { (176...180).contains($0) })
                let image = try decoder.decode(TIFFFile(pages: [page]).bytes)
                #expect(image.header.profile == .icc(TestProfile.inks) && image.profile == .sRGB)
                #expect(image.bitmap.pixel(1, 0) == [all[1][2], all[1][1], all[1][0], 255])
            }
        #endif

        @Test(arguments: [true, false])
        func bigFilesAreReadToo(isBigEndian: Bool) throws {
            let page = TIFFFile.page(2, 1, bits: [8, 8, 8], photometric: 2, parts: [[1, 2, 3, 4, 5, 6]])
            let file = TIFFFile(pages: [page, page], isBigEndian: isBigEndian, isBigTIFF: true).bytes
            #expect(try decoder.header(of: file).frameCount == 2)
            let image = try decoder.decode(file, DecodingOptions(page: 1))
            #expect(image.bitmap.pixel(0, 0) == [3, 2, 1, 255] && image.bitmap.pixel(1, 0) == [6, 5, 4, 255])
        }

        @Test func lumaAndChromaBecomeColors() throws {
            // One block of 2 × 2 with one chroma, once without any and once of the strongest red.
            let sampling = Entry(tag: 530, type: 3, values: [2, 2])
            let page = TIFFFile.page(
                4, 2, bits: [8, 8, 8], photometric: 6, [sampling],
                parts: [[10, 20, 30, 40, 128, 128, 76, 76, 76, 76, 85, 255]])
            let all = try pixels(page)
            #expect(all[0] == [10, 10, 10, 255] && all[5] == [40, 40, 40, 255])
            #expect(all[2][0] > 250 && all[2][1] < 4 && all[2][2] < 4)
            let turned = TIFFFile.page(
                4, 2, bits: [8, 8, 8], photometric: 6, [sampling, Entry(tag: 274, type: 3, values: [3])],
                parts: [[10, 20, 30, 40, 128, 128, 76, 76, 76, 76, 85, 255]])
            #expect(try pixels(turned) == all.reversed())
        }

        @Test(arguments: Orientation.allCases)
        func theOrientationIsAppliedExactlyOnce(orientation: Orientation) throws {
            let parts: [[UInt8]] = [[1, 2, 3, 4, 5, 6]]
            let plain = TIFFFile(pages: [TIFFFile.page(3, 2, bits: [8], photometric: 1, parts: parts)]).bytes
            let entry = Entry(tag: 274, type: 3, values: [Int(orientation.rawValue)])
            let page = TIFFFile.page(3, 2, bits: [8], photometric: 1, [entry], parts: parts)
            let image = try decoder.decode(TIFFFile(pages: [page]).bytes)
            #expect(image.header.orientation == orientation && image.size == image.header.size)
            #expect(try image.bitmap.bytes == decoder.decode(plain).bitmap.oriented(orientation).bytes)
        }

        @Test func pagesAreChosen() throws {
            let pages = (1...3).map { page in
                TIFFFile.page(page, 1, bits: [8], photometric: 1, parts: [Array(repeating: UInt8(page), count: page)])
            }
            let file = TIFFFile(pages: pages).bytes
            for page in 0..<3 {
                let image = try decoder.decode(file, DecodingOptions(page: page))
                #expect(image.size.width == page + 1 && image.bitmap.pixel(0, 0)[0] == UInt8(page + 1))
                #expect(image.header.frameCount == 3 && !image.header.isAnimated)
            }
            for page in [3, -1] {
                #expect(decoder.failure(of: file, DecodingOptions(page: page)) == .noSuchFrame(page, count: 3))
            }
            let few = DecodingOptions(limits: DecodingLimits(maximumFrameCount: 2))
            #expect(decoder.failure(of: file, few) == .tooManyFrames(maximum: 2))
        }

        @Test func pagesThatGoRoundAreCountedOnce() throws {
            let page = TIFFFile.page(1, 1, bits: [8], photometric: 1, parts: [[5]])
            for last in 0...1 {
                let file = TIFFFile(pages: [page, page], loopsTo: last).bytes
                #expect(try decoder.header(of: file).frameCount == 2)
                #expect(try decoder.decode(file, DecodingOptions(page: 1)).warnings.isEmpty)
            }
        }

        @Test func everyTargetIsMet() throws {
            let file = try encode(makePicture(60, 30), with: TIFFEncoder())
            #expect(try decoder.decode(file, .fitting(20, 20)).size == PixelSize(width: 20, height: 10))
        }
    }

    @Suite("Encoding TIFF")
    struct TIFFEncodingTests {
        private let decoder = TIFFDecoder()

        @Test(arguments: PixelFormat.allCases, [true, false])
        func everyPixelFormatComesBackAsItWas(format: PixelFormat, isOpaque: Bool) throws {
            let picture = try makePicture(67, 43, format: format, isOpaque: isOpaque)
            for compression in [TIFFEncoder.Compression.deflate, .lzw] {
                let file = try encode(picture, with: TIFFEncoder(compression: compression))
                let pixels: DecodingOptions.Pixels = format == .bgra8Premultiplied ? .display : .exact
                let image = try decoder.decode(file, DecodingOptions(pixels: pixels))
                #expect(image.bitmap.bytes == picture.bytes && image.bitmap.isOpaque == isOpaque)
                #expect(image.warnings.isEmpty && image.header.hasAlpha == !isOpaque)
                #expect(file.count < picture.byteCount)
            }
        }

        @Test func whatIsBesideThePictureIsWritten() throws {
            var profile = Array(repeating: UInt8(0), count: 132)
            profile.replaceSubrange(16..<20, with: Array("RGB ".utf8))
            profile.replaceSubrange(36..<40, with: Array("acsp".utf8))
            var options = EncodingOptions()
            options.profile = .icc(ICCProfile(bytes: profile))
            options.orientation = .rightTop
            options.metadata = ImageMetadata(
                xmp: Array("<x/>".utf8), density: .init(horizontal: 300, vertical: 150))
            let file = try TIFFEncoder().encode(makePicture(5, 4), options).withUnsafeBytes { Array($0) }
            let header = try decoder.header(of: file)
            #expect(header.profile == options.profile && header.orientation == .rightTop)
            #expect(header.size == PixelSize(width: 4, height: 5))
            let metadata = try decoder.metadata(of: file.span.bytes, DecodingLimits())
            #expect(metadata.xmp == Array("<x/>".utf8) && metadata.density == options.metadata?.density)
            let small = DecodingLimits(maximumMetadataByteCount: 3)
            #expect(try decoder.metadata(of: file.span.bytes, small).xmp == nil)
            #expect(decoder.failure(of: file, DecodingOptions(limits: small)) == .tooMuchMetadata(maximumByteCount: 3))
        }
    }

    @Suite("What TIFF files tell")
    struct TIFFMetadataTests {
        private let decoder = TIFFDecoder()

        /// EXIF data are a TIFF file without pixels.
        @Test(arguments: [ByteOrder.big, .little])
        func thePhotographIsWhatItIsInEXIFData(order: ByteOrder) throws {
            let file = ExifBuilder.camera(order).bytes
            let metadata = try decoder.metadata(of: file, DecodingLimits())
            #expect(metadata.photograph == ExifReader.photograph(in: file.span.bytes))
            #expect(metadata.photograph.place != nil && metadata.photograph.iso == 400)
            #expect(metadata.density == ImageMetadata.Density(horizontal: 300, vertical: 150))
            let exif = try #require(metadata.exif)
            #expect(ExifReader.orientation(in: exif.span.bytes) == nil)
        }

        @Test func bigFilesTellTheSame() throws {
            let texts = [
                Entry(tag: 271, type: 2, values: Array("A maker\0".utf8).map { Int($0) }),
                Entry(tag: 305, type: 2, values: Array("Us\0".utf8).map { Int($0) }),
            ]
            let page = TIFFFile.page(1, 1, bits: [8], photometric: 1, texts, parts: [[5]])
            for isBigTIFF in [true, false] {
                let file = TIFFFile(pages: [page], isBigTIFF: isBigTIFF).bytes
                let photograph = try decoder.metadata(of: file, DecodingLimits()).photograph
                #expect(photograph.make == "A maker" && photograph.software == "Us")
            }
        }

        @Test func theCopyHasNoPixelsAndIsNeverLargerThanAllowed() throws {
            let caption = Entry(tag: 270, type: 2, values: Array(repeating: 65, count: 5000))
            let pixels = Array(repeating: UInt8(5), count: 10_000)
            let maker = Entry(tag: 271, type: 2, values: Array("A maker\0".utf8).map { Int($0) })
            let page = TIFFFile.page(100, 100, bits: [8], photometric: 1, [caption, maker], parts: [pixels])
            let file = TIFFFile(pages: [page]).bytes
            let exif = try #require(try decoder.metadata(of: file, DecodingLimits()).exif)
            #expect((5000..<5100).contains(exif.count))
            let few = try decoder.metadata(of: file, DecodingLimits(maximumMetadataByteCount: 4000))
            #expect(try #require(few.exif).count < 100 && few.photograph.caption == nil)
            #expect(try decoder.metadata(of: file, DecodingLimits(maximumMetadataByteCount: 4)).exif == nil)
            let plain = TIFFFile(pages: [TIFFFile.page(1, 1, bits: [8], photometric: 1, parts: [[5]])]).bytes
            #expect(try decoder.metadata(of: plain, DecodingLimits()) == ImageMetadata())
        }

        /// A directory that names itself, and one that names another thousands of times.
        @Test func directoriesInCirclesEnd() throws {
            let order = ByteOrder.little
            var file: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0] + order.bytes(UInt16(30_000))
            for _ in 0..<30_000 {
                file += order.bytes(UInt16(0x8769)) + order.bytes(UInt16(4)) + littleEndian(1) + littleEndian(8)
            }
            file += [0, 0, 0, 0]
            let metadata = try decoder.metadata(of: file, DecodingLimits())
            #expect(metadata.photograph == ImageMetadata.Photograph())
        }

        @Test func noBytesMakeItTrap() {
            var generator = SeededRandom(seed: 5)
            for order in [ByteOrder.big, .little] {
                let file = ExifBuilder.camera(order).bytes
                for count in 0..<file.count { _ = try? decoder.metadata(of: Array(file[..<count]), DecodingLimits()) }
                for _ in 0..<500 {
                    var damaged = file
                    for _ in 0..<4 {
                        let index = Int.random(in: 4..<file.count, using: &generator)
                        damaged[index] = .random(in: 0...255, using: &generator)
                    }
                    _ = try? decoder.metadata(of: damaged, DecodingLimits())
                }
            }
        }
    }

    @Suite("Damaged TIFF files")
    struct TIFFDamageTests {
        private let decoder = TIFFDecoder()

        private func makeFile() throws -> [UInt8] { try encode(makePicture(40, 30), with: TIFFEncoder()) }

        @Test func aSizeOverTheLimitIsRefused() {
            let page = TIFFFile.page(
                0, 0, bits: [8], photometric: 1, parts: [[5]])
            var large = page
            large.entries[0] = Entry(tag: 256, type: 4, values: [0x7FFF_FFFF])
            large.entries[1] = Entry(tag: 257, type: 4, values: [0x7FFF_FFFF])
            let size = PixelSize(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF)
            #expect(
                decoder.failure(of: TIFFFile(pages: [large]).bytes) == .tooLarge(size, maximumPixelCount: 1 << 28))
            #expect(decoder.failure(of: TIFFFile(pages: [page]).bytes) != nil)
        }

        @Test func rowsAndTilesLargerThanThePictureAreRefused() {
            var tiled = TIFFFile.page(8, 8, bits: [8], photometric: 1, tile: 16, parts: [[5]])
            tiled.entries = tiled.entries.map { entry in
                entry.tag == 322 || entry.tag == 323 ? Entry(tag: entry.tag, type: 4, values: [1 << 20]) : entry
            }
            let file = TIFFFile(pages: [tiled]).bytes
            guard case .corrupt = decoder.failure(of: file) else {
                Issue.record("it was not refused")
                return
            }
        }

        /// 768 MB, which libtiff would take itself.
        @Test func tilesOfLumaLargerThanThePictureAreRefused() {
            let page = TIFFFile.page(
                8, 8, bits: [8, 8, 8], photometric: 6, tile: 1 << 14, parts: [Array(repeating: 5, count: 1000)])
            guard case .corrupt = decoder.failure(of: TIFFFile(pages: [page]).bytes) else {
                Issue.record("it was not refused")
                return
            }
        }

        @Test func aProfileOverTheLimitIsRefusedBeforeItIsRead() {
            let profile = Entry(tag: 34675, type: 7, values: [1])
            let page = TIFFFile.page(1, 1, bits: [8], photometric: 1, [profile], parts: [[5]])
            var file = TIFFFile(pages: [page]).bytes
            // The count of the last entry of the directory.
            let entry = 10 + 12 * 10
            #expect(file.span.bytes.littleEndian16(at: entry) == 34675)
            file.replaceSubrange(entry + 4..<entry + 8, with: littleEndian(0x7FFF_FFFF))
            #expect(decoder.failure(of: file) == .tooMuchMetadata(maximumByteCount: 16 << 20))
        }

        @Test func emptyAndCutFilesThrow() throws {
            #expect(decoder.failure(of: []) == .empty)
            let file = try makeFile()
            for count in 1..<8 { #expect(decoder.failure(of: Array(file[..<count])) == .truncated(atByte: count)) }
            #expect(decoder.failure(of: Array("II*\0".utf8) + [0, 0, 0, 0]) == .corrupt("it has no directory"))
            #expect(
                decoder.failure(of: Array("MM\0-and more".utf8)) == .corrupt("it does not begin as a TIFF file does"))
        }

        @Test func theHeaderOfABeginningIsRightOrTruncated() {
            let page = TIFFFile.page(2, 1, bits: [8, 8, 8], photometric: 2, parts: [[1, 2, 3, 4, 5, 6]])
            let file = TIFFFile(pages: [page, page]).bytes
            var counts: Set<Int> = []
            for count in 1..<file.count { counts.insert(frameCount(of: Array(file[..<count]))) }
            #expect(counts == [-1, 0, 2])
        }

        /// 0 where it is not known; −1 where even the page is not.
        private func frameCount(of part: [UInt8]) -> Int {
            guard let header = try? decoder.header(of: part) else {
                #expect(throws: DecodingError.truncated(atByte: part.count)) { try decoder.header(of: part) }
                return -1
            }
            #expect(header.storedSize == PixelSize(width: 2, height: 1))
            return header.frameCount ?? 0
        }

        @Test func missingStripsLeaveTheOthers() throws {
            let rows = (0..<8).map { [UInt8($0), UInt8($0)] }
            var file = TIFFFile(
                pages: [TIFFFile.page(2, 8, bits: [8], photometric: 1, rowsPerStrip: 1, parts: rows)]
            ).bytes
            let whole = try decoder.decode(file, .exactAsStored).bitmap
            let offsets = try #require(entry(273, in: file))
            file.replaceSubrange(offsets + 4 * 3..<offsets + 4 * 4, with: littleEndian(0x7FFF_FFF0))
            let image = try decoder.decode(file, .exactAsStored)
            #expect(!image.warnings.isEmpty && !image.bitmap.isOpaque)
            #expect(image.bitmap.pixel(0, 7) == whole.pixel(0, 7) && image.bitmap.pixel(1, 2) == whole.pixel(1, 2))
        }

        /// Where the values of a tag are.
        private func entry(_ tag: Int, in file: [UInt8]) -> Int? {
            let bytes = file.span.bytes
            let count = Int(bytes.littleEndian16(at: 8) ?? 0)
            for index in 0..<count where bytes.littleEndian16(at: 10 + 12 * index) == UInt16(tag) {
                return bytes.littleEndian32(at: 18 + 12 * index).map(Int.init)
            }
            return nil
        }

        @Test func noDamageTraps() async throws {
            let checks = DamageChecks(decoder: decoder, file: try makeFile())
            checks.everyBeginningIsKnownToBeOne(steps: 9, upTo: checks.file.count - 4)
            checks.noChangeTraps(rounds: 400)
            await checks.aCancelledTaskStops()
            let page = TIFFFile.page(
                20, 17, bits: [8, 8, 8], photometric: 2, tile: 16, planar: 2,
                parts: Array(repeating: Array(repeating: 9, count: 256), count: 12))
            let small = TIFFFile.page(3, 2, bits: [4], photometric: 1, parts: [[1, 2, 3, 4]])
            let luma = TIFFFile.page(
                4, 2, bits: [8, 8, 8], photometric: 6, [Entry(tag: 530, type: 3, values: [2, 2])],
                parts: [[10, 20, 30, 40, 128, 128, 76, 76, 76, 76, 85, 255]])
            for page in [page, small, luma] {
                let checks = DamageChecks(decoder: decoder, file: TIFFFile(pages: [page, small]).bytes)
                checks.noChangeTraps(rounds: 200)
                checks.noChangeOfTheFirstBytesTraps(220)
            }
        }
    }

    @Suite("Decoding TIFF from the corpus", Corpus.isPresent)
    struct TIFFCorpusTests {
        private let decoder = TIFFDecoder()

        #if PNG
            @Test(arguments: ["fax4", "l1", "mandrill", "planar", "rgb-3c-16b", "rgb32f_bw", "rgb32f_color"])
            func filesHaveThePixelsOfTheirReferences(name: String) throws {
                let image = try decoder.decode(
                    Corpus.bytes("image-rs/images/tiff/testsuite/\(name).tiff"), .exactAsStored)
                #expect(image.warnings.isEmpty)
                #expect(try #require(PixelDifference(image.bitmap, reference(name))).isZero)
            }

            /// Their references have the colours as they are in the files, multiplied by alpha.
            @Test(arguments: ["hpredict", "hpredict_packbits"])
            func premultipliedFilesHaveTheColorsOfTheirReferences(name: String) throws {
                let path = "image-rs/images/tiff/testsuite/\(name).tiff"
                #expect(try decoder.header(of: Corpus.bytes(path)).hasAlpha)
                let picture = try ExactPicture.premultiplied(path)
                #expect(try #require(PixelDifference(picture, reference(name))).isZero)
            }

            private func reference(_ name: String) throws -> Bitmap {
                let file = try Corpus.bytes("image-rs/reference/tiff/testsuite/\(name).tiff.png")
                return try PNGDecoder().decode(file, .exactAsStored).bitmap
            }
        #endif

        /// They are drawings of one thing, made one by one: 87 and 91 of the 51,920 pixels are others.
        @Test func pagesThatAreTurnedAreNearlyEqual() throws {
            let upright = try decoder.decode(Corpus.bytes("pillow/g4_orientation_1.tif")).bitmap
            for orientation in [3, 5] {
                let image = try decoder.decode(Corpus.bytes("pillow/g4_orientation_\(orientation).tif"))
                #expect(image.header.orientation.rawValue == UInt8(orientation))
                #expect(try image.bitmap.meanDifference(to: upright) < 0.5)
            }
        }

        @Test func everyOtherFileEnds() throws {
            let folder = "image-rs/images/tiff/testsuite"
            for path in try Corpus.files(in: folder, ending: ".tif") + ["pillow/hopper.iccprofile_binary.tif"] {
                let failure = decoder.failure(of: try Corpus.bytes(path))
                #expect((failure != nil) == path.hasSuffix("_broken.tif"), "\(path)")
            }
            for path in try Corpus.files(in: "image-rs/regression/tiff", ending: ".tif") {
                _ = decoder.failure(of: try Corpus.bytes(path))
            }
        }

        @Test func profilesAndXMPAreFound() throws {
            let profiled = try decoder.header(of: Corpus.bytes("pillow/hopper.iccprofile_binary.tif"))
            #expect(!profiled.profile.isSRGB)
            let file = try Corpus.bytes("image-rs/images/tiff/testsuite/l1_xmp.tiff")
            let xmp = try #require(try decoder.metadata(of: file.span.bytes, DecodingLimits()).xmp)
            #expect(!xmp.isEmpty)
        }
    }
#endif
