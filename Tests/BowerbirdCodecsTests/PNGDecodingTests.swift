#if PNG
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdRaster
    import Testing

    @Suite("Decoding and encoding PNG")
    struct PNGDecodingTests {
        private let decoder = PNGDecoder()

        @Test(arguments: PixelFormat.allCases, [true, false])
        func everyPixelFormatComesBackAsItWas(format: PixelFormat, isOpaque: Bool) throws {
            let picture = try makePicture(67, 43, format: format, isOpaque: isOpaque)
            let pixels: DecodingOptions.Pixels = format == .bgra8Premultiplied ? .display : .exact
            let file = try encode(picture, with: PNGEncoder())
            let bitmap = try decoder.decode(file, DecodingOptions(pixels: pixels)).bitmap
            #expect(bitmap.format == format && bitmap.isOpaque == isOpaque)
            #expect(try bitmap.meanDifference(to: picture) == 0)
            #expect(try decoder.header(of: file).hasAlpha == !isOpaque)
        }

        @Test(arguments: [true, false])
        func sixteenBitsAreRoundedForDisplay(isOpaque: Bool) throws {
            let deep = try makePicture(67, 43, format: .rgba16Straight, isOpaque: isOpaque)
            let file = try encode(deep, with: PNGEncoder())
            let expected = try encode(
                makePicture(67, 43, format: .rgba8Straight, isOpaque: isOpaque), with: PNGEncoder())
            #expect(try decoder.header(of: file).bitsPerComponent == 16)
            #expect(try decoder.decode(file).bitmap.bytes == decoder.decode(expected).bitmap.bytes)
        }

        @Test func transparentPixelsArePremultiplied() throws {
            let straight = try makePicture(40, 40, format: .rgba8Straight, isOpaque: false)
            let bitmap = try decoder.decode(encode(straight, with: PNGEncoder())).bitmap
            for x in 0..<40 {
                let (pixel, source) = (bitmap.pixel(x, 7), straight.pixel(x, 7))
                let expected = [source[2], source[1], source[0]].map { UInt8((Int($0) * Int(source[3]) + 127) / 255) }
                #expect(pixel == expected + [source[3]])
            }
        }

        @Test func everyTargetIsMetExactly() throws {
            let file = try encode(makePicture(203, 101, isOpaque: false), with: PNGEncoder())
            for side in [1, 2, 50, 101, 203, 5000] {
                let options = DecodingOptions.fitting(side, side)
                #expect(
                    try decoder.decode(file, options).size == options.outputSize(of: PixelSize(width: 203, height: 101))
                )
            }
        }

        @Test(arguments: Orientation.allCases)
        func theOrientationIsAppliedExactlyOnce(orientation: Orientation) throws {
            let plain = try encode(makePicture(60, 40), with: PNGEncoder())
            var chunks = PNGParts(of: plain)
            chunks.insert("eXIf", exif(orientation: orientation.rawValue, isBigEndian: true))
            let image = try decoder.decode(chunks.file)
            let expected = try decoder.decode(plain).bitmap.oriented(orientation)
            #expect(image.header.orientation == orientation)
            #expect(image.bitmap.bytes == expected.bytes && image.size == image.header.size)
            let target = DecodingOptions.fitting(30, 10)
            #expect(try decoder.decode(chunks.file, target).size == target.outputSize(of: image.size))
        }

        @Test func anInterlacedFileHasThePixelsOfAPlainOne() throws {
            for size in [(1, 1), (3, 2), (5, 9), (61, 47)] {
                let picture = try makePicture(size.0, size.1, format: .rgba8Straight)
                let file = makeInterlacedPNG(of: picture)
                #expect(try decoder.decode(file, DecodingOptions(pixels: .exact)).bitmap.bytes == picture.bytes)
                #expect(try decoder.header(of: file).isProgressive)
            }
        }

    }

    @Suite("Decoding PNG from the corpus", Corpus.isPresent)
    struct PNGCorpusTests {
        private let decoder = PNGDecoder()

        @Test func everySoundFileOfTheSuiteIsDecoded() throws {
            for path in try Corpus.files(in: "pngsuite", ending: ".png") where !path.hasPrefix("pngsuite/x") {
                for pixels in [DecodingOptions.Pixels.display, .exact] {
                    let image = try decoder.decode(Corpus.bytes(path), DecodingOptions(pixels: pixels))
                    #expect(image.warnings.isEmpty, "\(path)")
                    #expect(image.bitmap.isOpaque != image.header.hasAlpha, "\(path)")
                }
            }
        }

        @Test func everyBrokenFileOfTheSuiteIsRefused() throws {
            let paths = try Corpus.files(in: "pngsuite", ending: ".png").filter { $0.hasPrefix("pngsuite/x") }
            #expect(!paths.isEmpty)
            for path in paths {
                let error = decoder.failure(of: try Corpus.bytes(path))
                guard case .corrupt = error else {
                    Issue.record("\(path): \(String(describing: error))")
                    continue
                }
            }
        }

        @Test func interlacedFilesHaveThePixelsOfTheirTwins() throws {
            let paths = try Corpus.files(in: "pngsuite", ending: ".png").filter { path in
                path.hasPrefix("pngsuite/basi") || path.hasPrefix("pngsuite/s") && path.dropFirst(12).hasPrefix("i")
            }
            #expect(paths.count > 20)
            for path in paths {
                let twin = "pngsuite/" + path.dropFirst(9).prefix(3) + "n" + path.dropFirst(13)
                for pixels in [DecodingOptions.Pixels.display, .exact] {
                    let options = DecodingOptions(pixels: pixels)
                    let interlaced = try decoder.decode(Corpus.bytes(path), options)
                    let plain = try decoder.decode(Corpus.bytes(String(twin)), options)
                    #expect(interlaced.header.isProgressive && !plain.header.isProgressive)
                    #expect(interlaced.bitmap.bytes == plain.bitmap.bytes, "\(path)")
                }
            }
        }

        @Test(arguments: ["z0", "oi"], ["n2c08", "n2c16", "n0g16"])
        func compressionAndChunksNeverChangeThePixels(prefix: String, suffix: String) throws {
            let bitmaps = try Corpus.files(in: "pngsuite", ending: suffix + ".png")
                .filter { $0.hasPrefix("pngsuite/" + prefix) }
                .map { try decoder.decode(Corpus.bytes($0)).bitmap.bytes }
            #expect(bitmaps.allSatisfy { $0 == bitmaps.first })
        }

        @Test(arguments: ["16bpc", "bugfixes", "interlaced", "transparency"])
        func filesHaveThePixelsOfTheirReferences(folder: String) throws {
            for reference in try Corpus.files(in: "image-rs/reference/png/\(folder)", ending: ".png.png") {
                let path = reference.replacing("/reference/", with: "/images/").dropLast(4)
                let image = try decoder.decode(Corpus.bytes(String(path)))
                let expected = try decoder.decode(Corpus.bytes(reference))
                #expect(try image.bitmap.meanDifference(to: expected.bitmap) < 0.01, "\(path)")
            }
        }

        @Test func everyOtherFileEndsInAPicture() throws {
            for folder in ["pillow", "pillow/apng", "image-rs/images/png", "image-rs/images/png/apng"] {
                for path in try Corpus.files(in: folder, ending: ".png") {
                    let error = decoder.failure(of: try Corpus.bytes(path), .fitting(100, 100))
                    #expect(error == nil, "\(path)")
                }
            }
        }
    }
#endif
