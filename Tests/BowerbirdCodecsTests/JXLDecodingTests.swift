#if JXL
    import BowerbirdCore
    import BowerbirdRaster
    import Testing

    @testable import BowerbirdCodecs

    @Suite("Decoding and encoding JPEG XL")
    struct JXLDecodingTests {
        private let decoder = JXLDecoder()
        private let exact = DecodingOptions(pixels: .exact)

        @Test(arguments: [PixelFormat.rgba8Straight, .rgba16Straight], [true, false])
        func losslessPixelsComeBackAsTheyWere(format: PixelFormat, isOpaque: Bool) throws {
            let picture = try makePicture(67, 43, format: format, isOpaque: isOpaque)
            let file = try losslessJXL(picture)
            let image = try decoder.decode(file, exact)
            #expect(image.bitmap.bytes == picture.bytes && image.bitmap.isOpaque == isOpaque)
            #expect(image.warnings.isEmpty && image.header.hasAlpha == !isOpaque)
            #expect(image.header.storedSize == picture.size && image.header.frameCount == 1)
            #expect(image.header.bitsPerComponent == (format == .rgba16Straight ? 16 : 8))
            #expect(image.header.profile == .sRGB)
        }

        @Test(arguments: [true, false])
        func premultipliedPixelsComeBackWithinALevel(isOpaque: Bool) throws {
            let picture = try makePicture(67, 43, isOpaque: isOpaque)
            let bitmap = try decoder.decode(losslessJXL(picture)).bitmap
            #expect(bitmap.format == .bgra8Premultiplied && bitmap.isOpaque == isOpaque)
            #expect(try bitmap.largestByteDifference(to: picture) == 0)
        }

        @Test(arguments: PixelFormat.allCases, [true, false])
        func lossyFilesComeNear(format: PixelFormat, isOpaque: Bool) throws {
            let picture = try makePicture(160, 120, format: format, isOpaque: isOpaque)
            let shown = try decoder.decode(encode(picture, with: JXLEncoder(), quality: 0.95))
            let expected = try decoder.decode(losslessJXL(picture)).bitmap
            #expect(try shown.bitmap.meanDifference(to: expected) < 4)
            #expect(shown.bitmap.isOpaque == isOpaque && shown.header.hasAlpha == !isOpaque)
        }

        @Test func qualityAndEffortChangeTheSize() throws {
            let picture = try makePicture(160, 120)
            #expect(
                try encode(picture, with: JXLEncoder(), quality: 0.1).count
                    < encode(picture, with: JXLEncoder(), quality: 0.9).count)
            let fast = try losslessJXL(picture) { $0.effort = 0 }
            #expect(try losslessJXL(picture) { $0.effort = 1 }.count < fast.count)
        }

        @Test func everyTargetIsMetExactly() throws {
            let picture = try makePicture(203, 101, isOpaque: false)
            let file = try encode(picture, with: JXLEncoder())
            for side in [1, 2, 50, 101, 203, 5000] {
                let options = DecodingOptions.fitting(side, side)
                #expect(try decoder.decode(file, options).size == options.outputSize(of: picture.size))
            }
        }

        @Test(arguments: Orientation.allCases)
        func theOrientationIsAppliedExactlyOnce(orientation: Orientation) throws {
            let picture = try makePicture(60, 40)
            let file = try losslessJXL(picture) {
                $0.orientation = orientation
                $0.metadata = ImageMetadata(exif: exif(orientation: 6, isBigEndian: true))
            }
            let image = try decoder.decode(file)
            #expect(image.header.orientation == orientation && image.size == image.header.size)
            #expect(try image.bitmap.bytes == picture.oriented(orientation).bytes)
            let target = DecodingOptions.fitting(30, 10)
            #expect(try decoder.decode(file, target).size == target.outputSize(of: image.size))
        }

        @Test(arguments: [CodingPoints(primaries: 12, transfer: 13), CodingPoints(primaries: 9, transfer: 16)])
        func colorsWithNamesKeepThem(points: CodingPoints) throws {
            let picture = try makePicture(32, 32, format: .rgba8Straight)
            let file = try losslessJXL(picture) { $0.profile = .cicp(points) }
            #expect(try decoder.header(of: file).profile == .cicp(points))
            let kept = try decoder.decode(file, DecodingOptions(pixels: .exact, color: .asStored))
            #expect(kept.bitmap.bytes == picture.bytes && kept.profile == .cicp(points))
            #expect(try decoder.decode(file, exact).profile == .sRGB)
        }

        /// The same colours, whether the file keeps numbers of Display P3 or leaves the space to the decoder.
        @Test func lossyAndLosslessFilesOfWideColorsLookAlike() throws {
            let picture = try makePicture(64, 64, format: .rgba8Straight)
            let profile = ColorProfile.cicp(CodingPoints(primaries: 12, transfer: 13))
            let lossless = try decoder.decode(losslessJXL(picture) { $0.profile = profile })
            var options = EncodingOptions(quality: 0.98)
            options.profile = profile
            let file = try JXLEncoder().encode(picture, options).withUnsafeBytes { Array($0) }
            #expect(try decoder.header(of: file).profile == profile)
            #expect(try decoder.decode(file).bitmap.meanDifference(to: lossless.bitmap) < 4)
        }

        @Test func metadataAreWrittenAndRead() throws {
            let metadata = ImageMetadata(exif: exif(orientation: 6, isBigEndian: false), xmp: Array("<x/>".utf8))
            let file = try losslessJXL(makePicture(16, 16)) { $0.metadata = metadata }
            let found = try decoder.metadata(of: file.span.bytes, DecodingLimits())
            #expect(found.xmp == metadata.xmp && found.exif == exif(orientation: 1, isBigEndian: false))
            let small = DecodingLimits(maximumMetadataByteCount: 10)
            #expect(throws: DecodingError.tooMuchMetadata(maximumByteCount: 10)) {
                try decoder.metadata(of: file.span.bytes, small)
            }
            let bare = try losslessJXL(makePicture(16, 16))
            #expect(try decoder.metadata(of: bare.span.bytes, DecodingLimits()).isEmpty)
        }

        @Test func tooLargeAPictureIsNotWritten() throws {
            let picture = try makePicture(1 << 18 + 1, 1)
            #expect(throws: EncodingError.tooLarge(picture.size, format: .jxl)) {
                try encode(picture, with: JXLEncoder())
            }
        }

        @Test func aCancelledTaskStopsWriting() async throws {
            let picture = try makePicture(64, 64)
            let error = await Task { () -> EncodingError? in
                withUnsafeCurrentTask { $0?.cancel() }
                do throws(EncodingError) {
                    _ = try JXLEncoder().encode(picture, EncodingOptions())
                    return nil
                } catch {
                    return error
                }
            }.value
            #expect(error == .cancelled)
        }

        @Test func qualityBecomesTheDistanceThatTheLibraryMeans() {
            #expect(abs(JXLWriter.distance(0.9) - 1) < 0.001 && abs(JXLWriter.distance(0.3) - 6.4) < 0.001)
            #expect(JXLWriter.distance(0) == 15 && JXLWriter.distance(1) == 0.01)
        }
    }

    @Suite("Animated JPEG XL")
    struct JXLAnimationTests {
        private let decoder = JXLDecoder()

        @Test(arguments: [true, false])
        func framesComeBackAsTheyWereInAnyOrder(isOpaque: Bool) throws {
            var film = try MovingSquare(frameCount: 7, isOpaque: isOpaque)
            film.loopCount = .times(3)
            let file = try film.jxl()
            let frames = try #require(
                try jxlFrames(in: file, DecodingOptions(pixels: .exact)))
            #expect(frames.delays == film.delays && frames.loopCount == .times(3) && frames.size == film.size)
            for index in [0, 6, 1, 5, 2, 3, 4, 4] {
                #expect(try frames.frame(at: index).bytes == film.pictures[index].bytes)
            }
            let header = try decoder.header(of: file)
            #expect(header.isAnimated && header.frameCount == nil && header.loopCount == .times(3))
            #expect(
                try decoder.decode(file, DecodingOptions(pixels: .exact)).bitmap.bytes == film.pictures[0].bytes)
        }

        @Test func framesAreScaledAndTurned() throws {
            let file = try MovingSquare(frameCount: 3).jxl { $0.orientation = .rightTop }
            let frames = try #require(try jxlFrames(in: file, .fitting(24, 24)))
            #expect(frames.size == PixelSize(width: 18, height: 24))
            #expect(try frames.frame(at: 2).size == frames.size)
        }

        @Test func stillsHaveNoFrames() throws {
            let still = try losslessJXL(makePicture(20, 20))
            #expect(try jxlFrames(in: still, DecodingOptions()) == nil)
            let single = try MovingSquare(frameCount: 1).jxl()
            #expect(try jxlFrames(in: single, DecodingOptions()) == nil)
        }

        @Test func framesThatAreCutShortAreLeftOut() throws {
            let file = try MovingSquare(frameCount: 5).jxl()
            let frames = try #require(try jxlFrames(in: Array(file[..<(file.count * 3 / 5)]), DecodingOptions()))
            #expect((2...4).contains(frames.frameCount))
            for index in frames.delays.indices { _ = try frames.frame(at: index) }
        }

        /// That the last frame is cut short is seen when it is decoded.
        @Test func aLastFrameThatIsCutShortThrows() throws {
            let file = try MovingSquare(frameCount: 5).jxl()
            let frames = try #require(try jxlFrames(in: file.dropLast(3), DecodingOptions()))
            #expect(throws: DecodingError.self) { try frames.frame(at: 4) }
            _ = try frames.frame(at: 3)
        }

        @Test func moreFramesThanAllowedAreRefused() throws {
            let file = try MovingSquare(frameCount: 3).jxl()
            let options = DecodingOptions(limits: DecodingLimits(maximumFrameCount: 2))
            #expect(throws: DecodingError.tooManyFrames(maximum: 2)) { try jxlFrames(in: file, options) }
        }

        @Test func framesOfDifferentSizesAreNotWritten() throws {
            var film = try MovingSquare(frameCount: 2)
            film.pictures[1] = try makePicture(10, 10, format: .rgba8Straight)
            #expect(throws: EncodingError.self) { try film.jxl() }
        }
    }
#endif
