#if JXL
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdRaster
    import BowerbirdTestSupport
    import Testing

    @Suite("JPEG XL files while they arrive")
    struct JXLProgressiveTests {
        private let decoder = JXLDecoder()

        /// Gives `file` in chunks and collects what is shown meanwhile.
        private func arrive(
            _ file: [UInt8], _ options: DecodingOptions = DecodingOptions(), inChunksOf size: () -> Int
        ) throws -> (previews: [DecodedImage], image: DecodedImage) {
            let arriving = try #require(decoder.makeProgressiveDecoder(options))
            var previews: [DecodedImage] = []
            var count = 0
            while count < file.count {
                count = min(file.count, count + max(1, min(size(), file.count - count)))
                // A copy, so that the memory moves each time.
                let prefix = Array(file[..<count])
                try arriving.update(prefix.span.bytes, isComplete: count == file.count)
                if let preview = try arriving.preview() { previews.append(preview) }
            }
            return (previews, try arriving.finish())
        }

        private func makeFiles(_ width: Int = 150, _ height: Int = 110) throws -> [[UInt8]] {
            let (opaque, clear) = (try makePicture(width, height), try makePicture(width, height, isOpaque: false))
            return try [
                progressive(opaque), encode(clear, with: JXLEncoder()),
                losslessJXL(clear) { $0.orientation = .rightTop },
                losslessJXL(opaque) { $0.metadata = ImageMetadata(xmp: Array("<x/>".utf8)) },
                MovingSquare(frameCount: 3, isOpaque: false).jxl(),
            ]
        }

        private func progressive(_ picture: Bitmap) throws -> [UInt8] {
            var options = EncodingOptions(quality: 0.9)
            options.isProgressive = true
            return try JXLEncoder().encode(picture, options).withUnsafeBytes { Array($0) }
        }

        @Test(arguments: [1, 7, 1000, 1_000_000, 0])
        func theSizeOfTheChunksNeverChangesThePixels(chunk: Int) throws {
            var random = SeededRandom(seed: 7)
            for file in try makeFiles() {
                for options in [DecodingOptions.fitting(40, 40), DecodingOptions(pixels: .exact)] {
                    let expected = try decoder.decode(file, options)
                    let result = try arrive(file, options) { chunk == 0 ? .random(in: 1...900, using: &random) : chunk }
                    #expect(result.image.bitmap.bytes == expected.bitmap.bytes)
                    #expect(result.image.warnings.isEmpty && !result.image.isPreview)
                    #expect(result.image.header == expected.header)
                    #expect(result.previews.allSatisfy { $0.size == expected.size && $0.isPreview })
                }
            }
        }

        @Test func aProgressiveFileShowsWholePicturesThatGrowSharper() throws {
            let result = try arrive(progressive(makePicture(600, 500))) { 200 }
            // libjxl 0.7 writes one step, later versions more.
            #expect((1...4).contains(result.previews.count))
            let differences = try result.previews.map { try $0.bitmap.meanDifference(to: result.image.bitmap) }
            #expect(differences == differences.sorted(by: >) && differences.allSatisfy { $0 < 60 })
            #expect(result.previews.allSatisfy { $0.bitmap.isOpaque })
        }

        @Test func aLargePictureIsShownOnceMeanwhile() throws {
            let picture = try makePicture(210, 200).resampled(to: PixelSize(width: 2200, height: 2000))
            var options = EncodingOptions(quality: 0.7)
            options.isProgressive = true
            options.effort = 0.1
            let file = try JXLEncoder().encode(picture, options).withUnsafeBytes { Array($0) }
            #expect(try arrive(file, .fitting(100, 100)) { file.count / 40 }.previews.count == 1)
        }

        @Test func whatArrivesAtOnceIsNotShownTwice() throws {
            let file = try progressive(makePicture(320, 240))
            #expect(try arrive(file) { .max }.previews.isEmpty)
        }

        @Test func aFileCutShortGivesTheSameInChunks() throws {
            for whole in try makeFiles(100, 80) {
                for count in stride(from: 30, to: whole.count, by: whole.count / 5) {
                    let file = Array(whole[..<count])
                    let expected = try? decoder.decode(file)
                    let result = try? arrive(file) { 13 }
                    #expect(result?.image.bitmap.bytes == expected?.bitmap.bytes)
                    #expect(result?.image.warnings == expected?.warnings)

                    let abandoned = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
                    try abandoned.update(file.span.bytes, isComplete: false)
                    #expect((try? abandoned.finish())?.bitmap.bytes == expected?.bitmap.bytes)
                }
            }
        }

        @Test func whatFailedOnceFailsForGood() throws {
            let file = try losslessJXL(makePicture(64, 64))
            let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 100))
            let arriving = try #require(decoder.makeProgressiveDecoder(options))
            let refusal = DecodingError.tooLarge(PixelSize(width: 64, height: 64), maximumPixelCount: 100)
            #expect(throws: refusal) { try arriving.update(file.span.bytes, isComplete: true) }
            #expect(throws: refusal) { try arriving.update(file.span.bytes, isComplete: true) }
            #expect(throws: refusal) { try arriving.preview() }
            #expect(throws: refusal) { try arriving.finish() }
        }

        @Test func damageLooksTheSameHoweverItArrives() throws {
            var random = SeededRandom(seed: 11)
            let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1 << 18))
            for file in try makeFiles(60, 50) {
                for _ in 0..<30 {
                    var damaged = file
                    for _ in 0..<2 {
                        damaged[Int.random(in: 0..<file.count, using: &random)] = .random(in: 0...255, using: &random)
                    }
                    let whole = try? decoder.decode(damaged, options)
                    let arrived = try? arrive(damaged, options) { .random(in: 1...700, using: &random) }.image
                    #expect(whole?.bitmap.bytes == arrived?.bitmap.bytes, "\(damaged)")
                }
            }
        }

        @Test(Corpus.isPresent) func aPhotographMadeForItIsShownEarly() throws {
            let file = try Corpus.bytes("jxl/progressive/input.jxl")
            let arriving = try #require(decoder.makeProgressiveDecoder(.fitting(200, 200)))
            var shown: [Int] = []
            var preview: DecodedImage?
            for count in stride(from: 10_000, to: file.count, by: 50_000) {
                let prefix = Array(file[..<count])
                try arriving.update(prefix.span.bytes, isComplete: false)
                if let newest = try arriving.preview() {
                    preview = newest
                    shown.append(count)
                }
            }
            try arriving.update(file.span.bytes, isComplete: true)
            let first = try #require(shown.first)
            #expect(first < file.count / 2)
            #expect(try #require(preview).bitmap.meanDifference(to: arriving.finish().bitmap) < 10)
        }

        @Test func nothingAtAllIsTruncated() throws {
            let arriving = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
            #expect(try arriving.preview() == nil)
            #expect(throws: DecodingError.truncated(atByte: 0)) { try arriving.finish() }
        }
    }

    @Suite("Damaged JPEG XL files")
    struct JXLDamageTests {
        private let decoder = JXLDecoder()

        private func makeFiles() throws -> [[UInt8]] {
            let clear = try makePicture(24, 18, isOpaque: false)
            return try [
                encode(makePicture(24, 18), with: JXLEncoder(), quality: 0.5),
                losslessJXL(clear) { $0.metadata = ImageMetadata(xmp: Array("<x/>".utf8)) },
                MovingSquare(frameCount: 2).jxl(),
            ]
        }

        @Test func nothingIsEmpty() {
            #expect(decoder.failure(of: []) == .empty)
            #expect(throws: DecodingError.empty) { try decoder.header(of: []) }
            #expect(throws: DecodingError.empty) { try jxlFrames(in: [], DecodingOptions()) }
            #expect(throws: DecodingError.empty) {
                try decoder.metadata(of: [UInt8]().span.bytes, DecodingLimits())
            }
        }

        @Test func everyPrefixShowsWhatArrivedOrThrows() throws {
            for file in try makeFiles() {
                // A decoder takes milliseconds to make: not every one.
                for count in Array(1..<24) + stride(from: 24, to: file.count, by: 1 + file.count / 40) {
                    let part = Array(file[..<count])
                    _ = try? decoder.header(of: part)
                    _ = try? decoder.metadata(of: part.span.bytes, DecodingLimits())
                    _ = try? jxlFrames(in: part, DecodingOptions())
                    do {
                        let image = try decoder.decode(part)
                        // The first frame of an animation may be whole, and so may a picture before the last boxes.
                        #expect(image.warnings == [.truncated(atByte: count)] || image.warnings.isEmpty)
                    } catch {
                        #expect(error == .truncated(atByte: count))
                    }
                }
            }
        }

        @Test func aSizeOverTheLimitIsRefused() throws {
            let file = try losslessJXL(makePicture(100, 100))
            let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 9999))
            let refusal = DecodingError.tooLarge(PixelSize(width: 100, height: 100), maximumPixelCount: 9999)
            #expect(decoder.failure(of: file, options) == refusal)
            let film = try MovingSquare(frameCount: 2).jxl()
            #expect(throws: DecodingError.self) {
                try jxlFrames(in: film, DecodingOptions(limits: DecodingLimits(maximumPixelCount: 99)))
            }
        }

        @Test func noFlippedByteTraps() throws {
            var random = SeededRandom(seed: 1)
            let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1 << 16))
            for file in try makeFiles() {
                for _ in 0..<50 {
                    var damaged = file
                    damaged[Int.random(in: 0..<file.count, using: &random)] ^= .random(in: 1...255, using: &random)
                    _ = try? decoder.decode(damaged, options)
                    let frames = try? jxlFrames(in: damaged, options)
                    if let frames { _ = try? frames.frame(at: frames.frameCount - 1) }
                    _ = try? decoder.metadata(of: damaged.span.bytes, options.limits)
                }
            }
        }

        @Test func randomBytesThrow() {
            var random = SeededRandom(seed: 3)
            for count in [1, 2, 10, 1000, 5000] {
                let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                #expect(throws: DecodingError.self) { try decoder.decode(noise) }
                #expect(throws: DecodingError.self) { try decoder.decode([0xFF, 0x0A] + noise) }
            }
        }

        @Test func aCancelledTaskStopsDecoding() async throws {
            let files = try makeFiles()
            let film = try #require(try jxlFrames(in: files[2], DecodingOptions()))
            let errors = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                let decoding = files.map { JXLDecoder().failure(of: $0) }
                do throws(DecodingError) {
                    _ = try film.frame(at: 1)
                    return decoding
                } catch {
                    return decoding + [error]
                }
            }.value
            #expect(errors == Array(repeating: .cancelled, count: files.count + 1))
        }
    }
#endif
