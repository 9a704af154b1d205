#if JPEG
    import BowerbirdCore
    import BowerbirdRaster
    import Testing

    @testable import BowerbirdCodecs

    @Suite("Decoding JPEG")
    struct JPEGDecodingTests {
        private let decoder = JPEGDecoder()

        @Test(arguments: [false, true])
        func thePictureComesBackNearlyAsItWas(isProgressive: Bool) throws {
            let picture = try makePicture(203, 151)
            let image = try decoder.decode(encode(picture, with: JPEGEncoder(isProgressive: isProgressive), quality: 1))
            #expect(try image.bitmap.meanDifference(to: picture) < 1.5)
            #expect(image.bitmap.isOpaque && image.warnings.isEmpty && !image.isPreview)
            #expect(image.bitmap.pixel(100, 100)[3] == 255)
        }

        @Test(arguments: [false, true])
        func theHeaderComesWithoutThePixels(isProgressive: Bool) throws {
            let plain = try encode(makePicture(203, 151), with: JPEGEncoder(isProgressive: isProgressive))
            let file = jpeg(plain, orientation: .leftBottom)
            let expected = ImageHeader(
                format: .jpeg, storedSize: PixelSize(width: 203, height: 151), orientation: .leftBottom,
                isProgressive: isProgressive)
            #expect(try decoder.header(of: file) == expected)
            #expect(try decoder.decode(file).header == expected)
            #expect(try decoder.header(of: Array(file[..<1000])) == expected)
        }

        @Test func aHeaderCutShortAsksForMore() throws {
            let file = try encode(makePicture(40, 30), with: JPEGEncoder())
            for count in [1, 2, 3, 20, 100] {
                #expect(throws: DecodingError.truncated(atByte: count)) {
                    try decoder.header(of: Array(file[..<count]))
                }
            }
            #expect(throws: DecodingError.empty) { try decoder.header(of: []) }
            #expect(throws: DecodingError.empty) { try decoder.decode([]) }
        }

        @Test(arguments: [DecodingOptions.Scaling.quality, .fast], [false, true])
        func everyTargetIsMetExactly(scaling: DecodingOptions.Scaling, isProgressive: Bool) throws {
            let picture = try makePicture(403, 301)
            let file = try encode(picture, with: JPEGEncoder(isProgressive: isProgressive), quality: 1)
            for side in [1, 2, 7, 50, 51, 99, 100, 101, 150, 200, 202, 301, 402, 403, 404, 5000] {
                for mode in ScaleMode.allCases {
                    var options = DecodingOptions.fitting(side, side, scaling)
                    options.scaleMode = mode
                    let image = try decoder.decode(file, options)
                    #expect(image.size == mode.size(of: picture.size, in: PixelSize(width: side, height: side)))
                    #expect(image.header.size == picture.size)
                }
            }
        }

        @Test func aScaledPictureLooksLikeTheWholeOneScaled() throws {
            let picture = try makePicture(800, 600)
            let file = try encode(picture, with: JPEGEncoder(), quality: 1)
            let expected = try decoder.decode(file).bitmap.resampled(to: PixelSize(width: 90, height: 68))
            let image = try decoder.decode(file, .fitting(90, 90))
            #expect(try image.bitmap.meanDifference(to: expected) < 2)
        }

        @Test(arguments: Orientation.allCases)
        func theOrientationIsAppliedExactlyOnce(orientation: Orientation) throws {
            let picture = try makePicture(240, 160)
            let file = try encode(picture, with: JPEGEncoder(), quality: 1)
            let turned = jpeg(file, orientation: orientation, isBigEndian: orientation.rawValue.isMultiple(of: 2))
            let whole = try decoder.decode(turned)
            let expected = try decoder.decode(file).bitmap.oriented(orientation)
            #expect(whole.bitmap.bytes == expected.bytes)

            let target = DecodingOptions.fitting(60, 30)
            let small = try decoder.decode(turned, target)
            #expect(small.size == target.outputSize(of: orientation.displayedSize(of: picture.size)))
            let scaled = try whole.bitmap.resampled(to: small.size)
            #expect(try small.bitmap.meanDifference(to: scaled) < 3)
        }

        @Test func exactPixelsAreTheSameInAnotherOrder() throws {
            let file = try encode(makePicture(60, 40), with: JPEGEncoder())
            let exact = try decoder.decode(
                file, DecodingOptions(targetSize: PixelSize(width: 9, height: 9), pixels: .exact))
            #expect(exact.bitmap.format == .rgba8Straight && exact.size == PixelSize(width: 60, height: 40))
            let display = try decoder.decode(file).bitmap
            for x in 0..<60 {
                let pixel = display.pixel(x, 20)
                #expect(exact.bitmap.pixel(x, 20) == [pixel[2], pixel[1], pixel[0], 255])
            }
        }

        @Test func thereIsAlwaysEnoughToScaleDownFrom() {
            let stored = PixelSize(width: 4000, height: 3000)
            func scale(_ width: Int, _ height: Int, _ scaling: DecodingOptions.Scaling) -> JPEGScale {
                JPEGScale(from: stored, for: PixelSize(width: width, height: height), scaling)
            }
            #expect(scale(400, 300, .quality) == .quarter)
            #expect(scale(400, 300, .fast) == .eighth)
            #expect(scale(500, 375, .fast) == .eighth)
            #expect(scale(501, 375, .fast) == .quarter)
            #expect(scale(250, 187, .quality) == .eighth)
            #expect(scale(1000, 750, .quality) == .half)
            #expect(scale(1001, 750, .quality) == .full)
            #expect(scale(4000, 3000, .quality) == .full)
        }
    }

    @Suite("Decoding JPEG from the corpus", Corpus.isPresent)
    struct JPEGCorpusTests {
        private let decoder = JPEGDecoder()

        @Test(arguments: 2...8)
        func everyOrientationLooksLikeTheFirst(number: Int) throws {
            let first = try decoder.decode(Corpus.bytes("exif-orientation/Landscape_1.jpg"), .fitting(450, 300))
            let other = try decoder.decode(Corpus.bytes("exif-orientation/Landscape_\(number).jpg"), .fitting(450, 300))
            #expect(other.header.orientation.rawValue == UInt8(number))
            #expect(try other.bitmap.meanDifference(to: first.bitmap) <= 5)
        }

        #if PNG
            @Test(arguments: ["cat", "3", "test"])
            func progressiveFilesLookLikeTheirReferences(name: String) throws {
                let image = try decoder.decode(Corpus.bytes("image-rs/images/jpg/progressive/\(name).jpg"))
                let reference = try PNGDecoder().decode(
                    Corpus.bytes("image-rs/reference/jpg/progressive/\(name).jpg.png"))
                #expect(image.header.isProgressive)
                #expect(try image.bitmap.meanDifference(to: reference.bitmap) < 2)
            }
        #endif

        @Test func theInksOfCMYKBecomeTheirColours() throws {
            let image = try decoder.decode(Corpus.bytes("pillow/pil_sample_cmyk.jpg"))
            #expect(image.bitmap.isOpaque && image.warnings.isEmpty)
            let exact = try decoder.decode(Corpus.bytes("pillow/pil_sample_cmyk.jpg"), DecodingOptions(pixels: .exact))
            let (display, straight) = (image.bitmap.pixel(20, 20), exact.bitmap.pixel(20, 20))
            #expect(straight == [display[2], display[1], display[0], 255])
        }

        @Test func greyIsGrey() throws {
            let bitmap = try decoder.decode(Corpus.bytes("pillow/hopper_gray.jpg")).bitmap
            for x in 0..<bitmap.size.width {
                let pixel = bitmap.pixel(x, 50)
                #expect(pixel[0] == pixel[1] && pixel[1] == pixel[2] && pixel[3] == 255)
            }
        }

        @Test func exifAtAnUnusualPlaceIsFound() throws {
            #expect(try decoder.header(of: Corpus.bytes("pillow/exif-ifd-offset.jpg")).storedSize.width > 0)
            #expect(try decoder.header(of: Corpus.bytes("pillow/hopper_orientation_5.jpg")).orientation == .leftTop)
        }

        @Test(arguments: ["image-rs/images/jpg", "image-rs/regression/jpg", "pillow", "sdwebimage"])
        func everyFileEndsInAPictureOrATypedError(folder: String) throws {
            for suffix in [".jpg", ".jpeg"] {
                for path in try Corpus.files(in: folder, ending: suffix) {
                    let error = decoder.failure(of: try Corpus.bytes(path), .fitting(200, 200))
                    #expect(error == nil || path.contains("regression"), "\(path)")
                }
            }
        }
    }
#endif
