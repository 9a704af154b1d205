#if WebP
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdRaster
    import Testing

    @Suite("Decoding and encoding WebP")
    struct WebPDecodingTests {
        private let decoder = WebPDecoder()

        @Test(arguments: [true, false])
        func losslessPixelsComeBackAsTheyWere(isOpaque: Bool) throws {
            let picture = try makePicture(67, 43, format: .rgba8Straight, isOpaque: isOpaque)
            let file = try encodeLosslessly(picture, with: WebPEncoder())
            let image = try decoder.decode(file, DecodingOptions(pixels: .exact))
            #expect(image.bitmap.bytes == picture.bytes && image.bitmap.isOpaque == isOpaque)
            #expect(image.warnings.isEmpty && image.header.hasAlpha == !isOpaque)
            #expect(image.header.storedSize == picture.size && image.header.frameCount == 1)
        }

        @Test(arguments: [true, false])
        func premultipliedPixelsComeBackWithinALevel(isOpaque: Bool) throws {
            let picture = try makePicture(67, 43, isOpaque: isOpaque)
            let bitmap = try decoder.decode(encodeLosslessly(picture, with: WebPEncoder())).bitmap
            #expect(bitmap.format == .bgra8Premultiplied && bitmap.isOpaque == isOpaque)
            // libwebp cuts off where we round; opaque pixels are not touched.
            #expect(try bitmap.largestDifference(to: picture) <= (isOpaque ? 0 : 1))
        }

        @Test func sixteenBitsAreRounded() throws {
            let deep = try makePicture(67, 43, format: .rgba16Straight, isOpaque: false)
            let expected = try makePicture(67, 43, format: .rgba8Straight, isOpaque: false)
            let file = try encodeLosslessly(deep, with: WebPEncoder())
            #expect(try decoder.decode(file, DecodingOptions(pixels: .exact)).bitmap.bytes == expected.bytes)
        }

        @Test(arguments: PixelFormat.allCases, [true, false])
        func lossyFilesComeNear(format: PixelFormat, isOpaque: Bool) throws {
            let picture = try makePicture(160, 120, format: format, isOpaque: isOpaque)
            let file = try encode(picture, with: WebPEncoder(), quality: 0.95)
            let shown = try decoder.decode(file)
            let expected = try decoder.decode(encodeLosslessly(picture, with: WebPEncoder())).bitmap
            #expect(try shown.bitmap.meanDifference(to: expected) < 4)
            #expect(shown.bitmap.isOpaque == isOpaque && shown.header.hasAlpha == !isOpaque)
        }

        @Test func qualityAndEffortChangeTheSize() throws {
            let picture = try makePicture(160, 120)
            #expect(
                try encode(picture, with: WebPEncoder(), quality: 0.2).count
                    < encode(picture, with: WebPEncoder(), quality: 0.9).count)
            var options = EncodingOptions()
            options.isLossless = true
            options.effort = 0
            let fast = try WebPEncoder().encode(picture, options)
            options.effort = 1
            #expect(try WebPEncoder().encode(picture, options).count < fast.count)
        }

        @Test(arguments: [DecodingOptions.Scaling.quality, .fast])
        func everyTargetIsMetExactly(scaling: DecodingOptions.Scaling) throws {
            for isOpaque in [true, false] {
                let picture = try makePicture(203, 101, isOpaque: isOpaque)
                for file in try [encode(picture, with: WebPEncoder()), encodeLosslessly(picture, with: WebPEncoder())] {
                    for side in [1, 2, 20, 50, 101, 203, 5000] {
                        let options = DecodingOptions.fitting(side, side, scaling)
                        let image = try decoder.decode(file, options)
                        #expect(image.size == options.outputSize(of: picture.size))
                        #expect(image.bitmap.isOpaque == isOpaque)
                    }
                }
            }
        }

        @Test(arguments: [true, false])
        func aSmallPictureLooksLikeTheLargeOneMadeSmall(isOpaque: Bool) throws {
            let picture = try makePicture(400, 300, isOpaque: isOpaque)
            for file in try [encode(picture, with: WebPEncoder()), encodeLosslessly(picture, with: WebPEncoder())] {
                let small = try decoder.decode(file, .fitting(50, 50)).bitmap
                let expected = try decoder.decode(file).bitmap.resampled(to: small.size)
                #expect(try small.meanDifference(to: expected) < 3)
            }
        }

        @Test(arguments: Orientation.allCases)
        func theOrientationIsAppliedExactlyOnce(orientation: Orientation) throws {
            let picture = try makePicture(60, 40)
            let file = try encodeLosslessly(picture, with: WebPEncoder(), orientation: orientation)
            let image = try decoder.decode(file)
            #expect(image.header.orientation == orientation && image.size == image.header.size)
            #expect(try image.bitmap.bytes == picture.oriented(orientation).bytes)
            let target = DecodingOptions.fitting(30, 10)
            #expect(try decoder.decode(file, target).size == target.outputSize(of: image.size))
        }

        @Test func aProfileAndMetadataAreWrittenAndRead() throws {
            var options = EncodingOptions()
            let profile = ICCProfile(bytes: makeICCBeginning("RGB "))
            options.profile = .icc(profile)
            options.metadata = ImageMetadata(exif: exif(orientation: 6, isBigEndian: false), xmp: Array("<x/>".utf8))
            let file = try WebPEncoder().encode(makePicture(16, 16), options).withUnsafeBytes { Array($0) }
            #expect(try decoder.header(of: file).profile == .icc(profile))
            #expect(try decoder.header(of: file).orientation == .topLeft)
            let metadata = try decoder.metadata(of: file.span.bytes, DecodingLimits())
            #expect(metadata.xmp == Array("<x/>".utf8))
            #expect(metadata.exif == exif(orientation: 1, isBigEndian: false))
            let small = DecodingLimits(maximumMetadataByteCount: 10)
            #expect(try decoder.metadata(of: file.span.bytes, small) == ImageMetadata(xmp: Array("<x/>".utf8)))
        }

        @Test func storedColorsKeepTheirProfile() throws {
            var options = EncodingOptions()
            let profile = ColorProfile.icc(ICCProfile(bytes: makeICCBeginning("RGB ")))
            options.profile = profile
            let file = try WebPEncoder().encode(makePicture(16, 16), options).withUnsafeBytes { Array($0) }
            #expect(try decoder.decode(file, DecodingOptions(color: .asStored)).profile == profile)
            #expect(try decoder.decode(file).profile == .sRGB)
        }

        @Test func aProfileThatWebPCannotHaveIsLeftOut() throws {
            var options = EncodingOptions()
            options.profile = .cicp(CodingPoints(primaries: 12, transfer: 13))
            let file = try WebPEncoder().encode(makePicture(16, 16), options).withUnsafeBytes { Array($0) }
            #expect(try decoder.header(of: file).profile == .unspecified)
        }

        @Test func tooLargeAPictureIsNotWritten() throws {
            let picture = try makePicture(16384, 1)
            #expect(throws: EncodingError.tooLarge(picture.size, format: .webP)) {
                try encode(picture, with: WebPEncoder())
            }
        }

        @Test func aCancelledTaskStopsWriting() async throws {
            let picture = try makePicture(64, 64)
            let error = await Task { () -> EncodingError? in
                withUnsafeCurrentTask { $0?.cancel() }
                do throws(EncodingError) {
                    _ = try WebPEncoder().encode(picture, EncodingOptions())
                    return nil
                } catch {
                    return error
                }
            }.value
            #expect(error == .cancelled)
        }

        /// The alpha of a lossless file does not count where the file says that it has none.
        @Test(arguments: [DecodingOptions.Pixels.display, .exact])
        func aFileThatSaysItIsOpaqueIs(pixels: DecodingOptions.Pixels) throws {
            let picture = try makePicture(20, 20, format: .rgba8Straight, isOpaque: false)
            var file = try encodeLosslessly(picture, with: WebPEncoder())
            // Behind the chunk's header and the signature: 14 bits of width, 14 of height, and the one of alpha.
            let start = try #require(file.indices.first { file.span.bytes.matches("VP8L", at: $0) })
            file[start + 12] &= 0b1110_1111
            let bare = riff([("VP8L", Array(file[(start + 8)...]))])
            let image = try decoder.decode(bare, DecodingOptions(pixels: pixels))
            #expect(image.bitmap.isOpaque && !image.header.hasAlpha)
            for y in 0..<20 { for x in 0..<20 { #expect(image.bitmap.pixel(x, y)[3] == 255) } }
        }
    }

    @Suite("Decoding WebP from the corpus", Corpus.isPresent)
    struct WebPCorpusTests {
        #if PNG
            @Test(arguments: ["gallery1", "gallery2", "regression"])
            func picturesEqualTheirReferences(folder: String) throws {
                for reference in try Corpus.files(in: "image-webp/reference/" + folder, ending: ".png") {
                    let path = reference.replacing("reference", with: "images").replacing(".png", with: ".webp")
                    let exact = DecodingOptions(pixels: .exact)
                    let image = try WebPDecoder().decode(Corpus.bytes(path), exact)
                    let expected = try PNGDecoder().decode(Corpus.bytes(reference), exact)
                    #expect(image.warnings.isEmpty, "\(path)")
                    #expect(try image.bitmap.largestDifference(to: expected.bitmap) == 0, "\(path)")
                }
            }
        #endif

        @Test func everyFileDecodesOrIsRefused() throws {
            let folders = [
                "image-rs/images/webp/extended_images", "image-rs/images/webp/lossless_images",
                "image-rs/images/webp/lossy_images", "image-webp/images/gallery1", "sdwebimage", "pillow",
            ]
            for path in try folders.flatMap({ try Corpus.files(in: $0, ending: ".webp") }) {
                let file = try Corpus.bytes(path)
                let image = try WebPDecoder().decode(file)
                #expect(image.warnings.isEmpty && image.size == image.header.size, "\(path)")
                let small = try WebPDecoder().decode(file, .fitting(32, 32))
                let expected = try image.bitmap.resampled(to: small.size)
                #expect(try small.bitmap.meanDifference(to: expected) < 4, "\(path)")
            }
            _ = WebPDecoder().failure(of: try Corpus.bytes("image-rs/regression/webp/panic.webp"))
        }

        @Test(arguments: [3, 5])
        func turnedPhotographsStandUpright(value: Int) throws {
            let turned = try WebPDecoder().decode(Corpus.bytes("pillow/hopper_orientation_\(value).webp"))
            #expect(turned.header.orientation.rawValue == UInt8(value))
            let upright = try WebPDecoder().decode(Corpus.bytes("pillow/hopper.webp"))
            #expect(try turned.bitmap.meanDifference(to: upright.bitmap) < 8)
        }
    }
#endif
