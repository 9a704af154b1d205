#if HEIF
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdRaster
    import Testing

    @Suite("Decoding and encoding HEIF", heifCanBeWritten)
    struct HEIFDecodingTests {
        private let decoder = HEIFDecoder()

        @Test(arguments: [true, false])
        func aFileLooksLikeItsPicture(isOpaque: Bool) throws {
            let picture = try makePicture(96, 64, isOpaque: isOpaque)
            let file = try heif(picture)
            let image = try decoder.decode(file)
            #expect(image.bitmap.format == .bgra8Premultiplied && image.bitmap.isOpaque == isOpaque)
            #expect(image.warnings.isEmpty && image.header.hasAlpha == !isOpaque)
            #expect(image.header == (try decoder.header(of: file)))
            #expect(try image.bitmap.meanDifference(to: picture) < 2)
        }

        @Test(arguments: [PixelFormat.rgba8Straight, .rgba16Straight])
        func allPixelFormatsCanBeWritten(format: PixelFormat) throws {
            let picture = try makePicture(64, 64, format: format, isOpaque: false)
            let bitmap = try decoder.decode(heif(picture), DecodingOptions(pixels: .exact)).bitmap
            let expected = try makePicture(64, 64, format: .rgba8Straight, isOpaque: false)
            #expect(bitmap.format == .rgba8Straight)
            #expect(try bitmap.meanDifference(to: expected) < 2)
        }

        @Test(arguments: Orientation.allCases)
        func theOrientationIsAppliedExactlyOnce(orientation: Orientation) throws {
            let picture = try makePicture(96, 64)
            let plain = try decoder.decode(heif(picture))
            let image = try decoder.decode(heif(picture) { $0.orientation = orientation })
            #expect(image.header.orientation == .topLeft && image.size == image.header.size)
            #expect(try image.bitmap.bytes == plain.bitmap.oriented(orientation).bytes)
        }

        @Test func anOrientationInEXIFDataCountsForNothing() throws {
            let file = try heif(makePicture(96, 64)) {
                $0.metadata = ImageMetadata(exif: exif(orientation: 6, isBigEndian: true))
            }
            #expect(try decoder.decode(file).size == PixelSize(width: 96, height: 64))
        }

        @Test func everyTargetIsMetExactly() throws {
            let file = try heif(makePicture(203, 101, isOpaque: false))
            for side in [1, 2, 50, 101, 203, 5000] {
                let options = DecodingOptions.fitting(side, side)
                let size = options.outputSize(of: PixelSize(width: 203, height: 101))
                #expect(try decoder.decode(file, options).size == size)
            }
        }

        @Test func theProfileIsTheOneThatTheFileHas() throws {
            let picture = try makePicture(64, 64)
            func profile(_ profile: ColorProfile) throws -> ColorProfile {
                try decoder.header(of: heif(picture) { $0.profile = profile }).profile
            }
            let displayP3 = ColorProfile.cicp(CodingPoints(primaries: 12, transfer: 13))
            let icc = ColorProfile.icc(ICCProfile(bytes: (0..<200).map { UInt8($0) }))
            #expect(try profile(displayP3) == displayP3)
            #expect(try profile(icc) == icc)
            #expect(try profile(.sRGB) == .cicp(CodingPoints(primaries: 1, transfer: 13)))
            #expect(try profile(.unspecified) == .unspecified)
        }

        @Test func metadataComeBackAsTheyWere() throws {
            let metadata = ImageMetadata(exif: exif(orientation: 1, isBigEndian: false), xmp: Array("<x/>".utf8))
            let file = try heif(makePicture(64, 64)) { $0.metadata = metadata }
            let read = try decoder.metadata(of: file)
            #expect(read.exif == metadata.exif && read.xmp == metadata.xmp)
            #expect(try decoder.metadata(of: heif(makePicture(64, 64))).isEmpty)
            #expect(try decoder.metadata(of: file, DecodingLimits(maximumMetadataByteCount: 3)).isEmpty)
        }

        @Test func lessQualityIsASmallerFile() throws {
            let picture = try makePicture(96, 80)
            let counts = try [0, 0.5, 0.85, 1].map { quality in try heif(picture) { $0.quality = quality }.count }
            #expect(counts == counts.sorted() && Set(counts).count == 4)
        }

        @Test func aLosslessFileComesBackAsItWas() throws {
            let picture = try makePicture(64, 48)
            let file = try heif(picture) { $0.isLossless = true }
            #expect(try decoder.decode(file).bitmap.bytes == picture.bytes)
        }

        @Test func whatIsTooWideIsRefused() throws {
            let buffer = try makeBuffer(16385, 1).freeze()
            #expect(throws: EncodingError.tooLarge(PixelSize(width: 16385, height: 1), format: .heif)) {
                try HEIFEncoder().encode(buffer, EncodingOptions())
            }
        }

        @Test func cancelledTasksStop() async throws {
            let picture = try makePicture(64, 64)
            let file = try heif(picture)
            let errors = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                let encoding = #expect(throws: EncodingError.self) { try heif(picture) }
                return (HEIFDecoder().failure(of: file), encoding)
            }.value
            #expect(errors.0 == .cancelled && errors.1 == .cancelled)
        }

        @Test func onlyPagesThatThereAreCanBeHad() throws {
            let file = try heif(makePicture(64, 64))
            #expect(try decoder.header(of: file).frameCount == 1)
            for page in [1, -1, .max] {
                #expect(throws: DecodingError.noSuchFrame(page, count: 1)) {
                    try decoder.decode(file, DecodingOptions(page: page))
                }
            }
        }
    }
#endif
