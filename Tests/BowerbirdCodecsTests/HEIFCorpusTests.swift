#if HEIF
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdRaster
    import Testing

    @Suite("Decoding HEIF from the corpus", Corpus.isPresent)
    struct HEIFCorpusTests {
        private let decoder = HEIFDecoder()

        @Test(
            arguments: [
                ("pillow/avif/hopper.heif", 128, 128, 1), ("heif/example.heic", 1280, 854, 2),
                ("sdwebimage/TestImage.heic", 1440, 960, 1), ("sdwebimage/TestImage.heif", 1440, 960, 1),
                ("sdwebimage/TestHDR.heic", 600, 400, 1), ("sdwebimage/TestImageAnimated.heics", 256, 144, 1),
            ])
        func everyFileIsDecoded(path: String, width: Int, height: Int, pageCount: Int) throws {
            let bytes = try Corpus.bytes(path)
            let header = try decoder.header(of: Array(bytes.prefix(8000)))
            #expect(header.size == PixelSize(width: width, height: height))
            #expect(header.frameCount == pageCount && !header.isAnimated && !header.hasAlpha)
            let image = try decoder.decode(bytes)
            #expect(image.header == header && image.size == header.size && image.warnings.isEmpty)
        }

        @Test func deepFilesKeepTheirDepth() throws {
            let image = try decoder.decode(
                Corpus.bytes("sdwebimage/TestHDR.heic"), DecodingOptions(pixels: .exact, color: .asStored))
            #expect(image.header.bitsPerComponent == 10 && image.bitmap.format == .rgba16Straight)
            #expect(image.profile == .cicp(CodingPoints(primaries: 9, transfer: 16)))
            let shown = try decoder.decode(
                Corpus.bytes("sdwebimage/TestHDR.heic"), DecodingOptions(color: .asStored)
            ).bitmap
            for (x, y) in [(10, 10), (300, 200), (599, 399)] {
                let deep = image.bitmap.pixel(x, y)
                let flat = shown.pixel(x, y)
                // The second byte of a component of 16 bits is the one of 8.
                #expect(abs(Int(deep[1]) - Int(flat[2])) <= 1 && abs(Int(deep[5]) - Int(flat[0])) <= 1)
                #expect(deep[6] == 255 && deep[7] == 255)
            }
        }

        @Test func aThumbnailStandsForThePictureWhereItIsLargeEnough() throws {
            let file = try Corpus.bytes("heif/example.heic")
            let whole = try decoder.decode(file).bitmap
            for (side, scaling) in [(150, DecodingOptions.Scaling.quality), (300, .fast)] {
                let small = try decoder.decode(file, .fitting(side, side, scaling))
                let scaled = try whole.resampled(to: small.size)
                #expect(small.header.size == whole.size)
                // Nearly the same picture, and not made from the large one.
                #expect(small.bitmap.bytes != scaled.bytes)
                #expect(try small.bitmap.meanDifference(to: scaled) < 5)
            }
            let tooLarge = try decoder.decode(file, .fitting(300, 300))
            #expect(try tooLarge.bitmap.bytes == whole.resampled(to: tooLarge.size).bytes)
        }

        @Test func pagesAreThePicturesOfTheFile() throws {
            let file = try Corpus.bytes("heif/example.heic")
            let pages = try (0..<2).map { try decoder.decode(file, DecodingOptions(page: $0)).bitmap }
            #expect(pages[0].bytes != pages[1].bytes)
            #expect(throws: DecodingError.noSuchFrame(2, count: 2)) {
                try decoder.decode(file, DecodingOptions(page: 2))
            }
        }

        @Test func profilesAndMetadataAreFound() throws {
            let header = try decoder.header(of: Corpus.bytes("sdwebimage/TestImage.heic"))
            guard case .icc(let profile) = header.profile else {
                Issue.record("\(header.profile)")
                return
            }
            #expect(profile.colorSpace == .rgb)
            let metadata = try decoder.metadata(of: Corpus.bytes("sdwebimage/TestHDR.heic"))
            #expect(metadata.exif?.prefix(2) == [0x4D, 0x4D] && metadata.xmp?.first == UInt8(ascii: "<"))
        }
    }
#endif
