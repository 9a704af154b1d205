#if JPEG
    import BowerbirdCore
    import BowerbirdRaster
    import Testing

    @testable import BowerbirdCodecs

    @Suite("JPEG files while they arrive")
    struct JPEGProgressiveTests {
        private let decoder = JPEGDecoder()

        /// Gives `file` in chunks and collects what is shown meanwhile.
        private func arrive(
            _ file: [UInt8], _ options: DecodingOptions, inChunksOf size: () -> Int
        ) throws -> (previews: [DecodedImage], image: DecodedImage) {
            let arriving = try #require(decoder.makeProgressiveDecoder(options))
            var previews: [DecodedImage] = []
            var count = 0
            while count < file.count {
                count = min(file.count, count + size())
                // A copy, so that the memory moves each time.
                let prefix = Array(file[..<count])
                try arriving.update(prefix.span.bytes, isComplete: count == file.count)
                if let preview = try arriving.preview() { previews.append(preview) }
            }
            return (previews, try arriving.finish())
        }

        @Test(arguments: [false, true], [1, 7, 1000, 1_000_000, 0])
        func theSizeOfTheChunksNeverChangesThePixels(isProgressive: Bool, chunk: Int) throws {
            let plain = try encode(makePicture(150, 110), with: JPEGEncoder(isProgressive: isProgressive))
            let file = jpeg(plain, orientation: .rightTop)
            for options in [DecodingOptions(), .fitting(40, 40)] {
                let expected = try decoder.decode(file, options)
                let result = try arrive(file, options) { chunk == 0 ? .random(in: 1...900) : chunk }
                #expect(result.image.bitmap.bytes == expected.bitmap.bytes)
                #expect(result.image.warnings == expected.warnings && !result.image.isPreview)
                #expect(result.image.header == expected.header)
            }
        }

        @Test(arguments: [false, true])
        func aFileCutShortGivesTheSameInChunks(isProgressive: Bool) throws {
            let whole = try encode(makePicture(150, 110), with: JPEGEncoder(isProgressive: isProgressive))
            for count in stride(from: whole.count / 2, to: whole.count, by: whole.count / 7) {
                let file = Array(whole[..<count])
                let expected = try decoder.decode(file)
                let result = try arrive(file, DecodingOptions()) { 13 }
                #expect(result.image.bitmap.bytes == expected.bitmap.bytes)
                #expect(result.image.warnings == [.truncated(atByte: count)])

                let abandoned = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
                try abandoned.update(file.span.bytes, isComplete: false)
                let image = try abandoned.finish()
                #expect(image.bitmap.bytes == expected.bitmap.bytes)
                #expect(image.warnings == [.truncated(atByte: count)])
            }
        }

        @Test func aProgressiveFileShowsWholePicturesThatGrowSharper() throws {
            let file = try encode(makePicture(320, 240), with: JPEGEncoder(isProgressive: true))
            let result = try arrive(file, DecodingOptions()) { 200 }
            #expect(result.previews.count == 3)
            let differences = try result.previews.map { try $0.bitmap.meanDifference(to: result.image.bitmap) }
            #expect(differences == differences.sorted(by: >) && differences[2] < differences[0])
            for preview in result.previews {
                #expect(preview.isPreview && preview.bitmap.isOpaque && preview.size == result.image.size)
            }
        }

        @Test func aBaselineFileShowsTheRowsThatHaveCome() throws {
            let file = try encode(makePicture(320, 240), with: JPEGEncoder())
            let result = try arrive(file, DecodingOptions()) { 200 }
            #expect(result.previews.count == 3)
            let first = try #require(result.previews.first)
            #expect(first.isPreview && !first.bitmap.isOpaque)
            #expect(first.bitmap.pixel(10, 10) == result.image.bitmap.pixel(10, 10))
            #expect(first.bitmap.pixel(10, 239) == [0, 0, 0, 0])
        }

        @Test(arguments: [false, true])
        func previewsHaveTheSizeAndTheOrientationOfTheFinalPicture(isProgressive: Bool) throws {
            let plain = try encode(makePicture(320, 240), with: JPEGEncoder(isProgressive: isProgressive))
            let result = try arrive(jpeg(plain, orientation: .leftBottom), .fitting(50, 50)) { 300 }
            #expect(!result.previews.isEmpty)
            for preview in result.previews {
                #expect(preview.size == PixelSize(width: 38, height: 50))
                #expect(preview.size == result.image.size)
            }
        }

        @Test(arguments: [false, true])
        func aLargePictureIsShownOnceMeanwhile(isProgressive: Bool) throws {
            let picture = try makePicture(210, 200).resampled(to: PixelSize(width: 2100, height: 2000))
            let file = try encode(picture, with: JPEGEncoder(isProgressive: isProgressive))
            #expect(try arrive(file, DecodingOptions()) { file.count / 40 }.previews.count == 1)
            #expect(try arrive(file, .fitting(200, 200)) { file.count / 40 }.previews.count == 3)
        }

        @Test func whatArrivesAtOnceIsNotShownTwice() throws {
            let file = try encode(makePicture(320, 240), with: JPEGEncoder(isProgressive: true))
            #expect(try arrive(file, DecodingOptions()) { .max }.previews.isEmpty)
        }

        @Test func whatFailedOnceFailsForGood() throws {
            let file = try encode(makePicture(64, 64), with: JPEGEncoder())
            let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 100))
            let arriving = try #require(decoder.makeProgressiveDecoder(options))
            let refusal = DecodingError.tooLarge(PixelSize(width: 64, height: 64), maximumPixelCount: 100)
            #expect(throws: refusal) { try arriving.update(file.span.bytes, isComplete: true) }
            #expect(throws: refusal) { try arriving.update(file.span.bytes, isComplete: true) }
            #expect(throws: refusal) { try arriving.preview() }
            #expect(throws: refusal) { try arriving.finish() }
        }

        @Test(arguments: [false, true])
        func damageLooksTheSameHoweverItArrives(isProgressive: Bool) throws {
            let file = try encode(makePicture(60, 50), with: JPEGEncoder(isProgressive: isProgressive))
            let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1 << 18))
            for _ in 0..<300 {
                var damaged = file
                for _ in 0..<3 { damaged[Int.random(in: 2..<file.count)] = .random(in: 0...255) }
                let whole = try? decoder.decode(damaged, options)
                let arrived = try? arrive(damaged, options) { .random(in: 1...700) }.image
                #expect(whole?.bitmap.bytes == arrived?.bitmap.bytes, "\(damaged)")
            }
        }

        /// libjpeg reads a second frame header over the first one before it refuses it.
        @Test func halfASecondFrameHeaderNeverReachesThePreviews() throws {
            let file = try encode(makePicture(60, 50), with: JPEGEncoder(isProgressive: true))
            let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
            let second = file[..<scans[1]] + [0xFF, 0xC2, 0, 17, 8, 0xFF, 0xFF, 0xFF, 0xFF, 255] as [UInt8]
            for count in second.count - 8..<second.count {
                let arriving = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
                let prefix = Array(second[..<count])
                try arriving.update(prefix.span.bytes, isComplete: false)
                #expect(try arriving.preview()?.size == PixelSize(width: 60, height: 50))
            }
        }

        @Test func whatFollowsDamageBetweenScansIsLeftOut() throws {
            var file = try encode(makePicture(60, 50), with: JPEGEncoder(isProgressive: true))
            let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
            file.replaceSubrange(scans[4]..<scans[4] + 2, with: [0xFF, 0xC2])
            let image = try decoder.decode(file)
            #expect(image.bitmap.isOpaque)
            guard case .corrupt? = image.warnings.first else {
                Issue.record("\(image.warnings)")
                return
            }
        }

        @Test func nothingAtAllIsTruncated() throws {
            let arriving = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
            #expect(try arriving.preview() == nil)
            #expect(throws: DecodingError.truncated(atByte: 0)) { try arriving.finish() }
        }
    }

    @Suite("Progressive JPEG from the corpus", Corpus.isPresent)
    struct JPEGProgressiveCorpusTests {
        @Test(arguments: ["image-rs/images/jpg/progressive/cat.jpg", "pillow/pil_sample_cmyk.jpg", "pillow/flower.jpg"])
        func chunksNeverChangeThePixelsOfRealFiles(path: String) throws {
            let file = try Corpus.bytes(path)
            let expected = try JPEGDecoder().decode(file)
            let arriving = try #require(JPEGDecoder().makeProgressiveDecoder(DecodingOptions()))
            for count in stride(from: 0, to: file.count, by: 511) {
                let prefix = Array(file[..<count])
                try arriving.update(prefix.span.bytes, isComplete: false)
                _ = try arriving.preview()
            }
            try arriving.update(file.span.bytes, isComplete: true)
            #expect(try arriving.finish().bitmap.bytes == expected.bitmap.bytes)
        }
    }
#endif
