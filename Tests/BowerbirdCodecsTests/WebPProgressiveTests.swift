#if WebP
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdRaster
    import BowerbirdTestSupport
    import Testing

    @Suite("WebP files while they arrive")
    struct WebPProgressiveTests {
        private let decoder = WebPDecoder()

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

        private func makeFiles() throws -> [[UInt8]] {
            let (opaque, clear) = (try makePicture(150, 110), try makePicture(150, 110, isOpaque: false))
            return try [
                encode(opaque, with: WebPEncoder()), encode(clear, with: WebPEncoder()),
                encodeLosslessly(opaque, with: WebPEncoder()),
                encodeLosslessly(clear, with: WebPEncoder(), orientation: .rightTop),
                encode(PaintedFilm.square(isOpaque: false), with: WebPEncoder()),
            ]
        }

        @Test(arguments: [1, 7, 1000, 1_000_000, 0])
        func theSizeOfTheChunksNeverChangesThePixels(chunk: Int) throws {
            var random = SeededRandom(seed: 7)
            for file in try makeFiles() {
                for options in [DecodingOptions(), .fitting(40, 40), DecodingOptions(pixels: .exact)] {
                    let expected = try decoder.decode(file, options)
                    let result = try arrive(file, options) { chunk == 0 ? .random(in: 1...900, using: &random) : chunk }
                    #expect(result.image.bitmap.bytes == expected.bitmap.bytes)
                    #expect(result.image.warnings.isEmpty && !result.image.isPreview)
                    #expect(result.image.header == expected.header)
                    #expect(result.previews.allSatisfy { $0.size == expected.size && $0.isPreview })
                }
            }
        }

        @Test func aFileCutShortGivesTheSameInChunks() throws {
            for whole in try makeFiles() {
                for count in stride(from: 40, to: whole.count, by: whole.count / 7) {
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

        @Test(arguments: [true, false])
        func theRowsThatHaveComeAreShown(isLossless: Bool) throws {
            let picture = try makePicture(320, 240)
            let file =
                try isLossless ? encodeLosslessly(picture, with: WebPEncoder()) : encode(picture, with: WebPEncoder())
            let result = try arrive(file) { 200 }
            #expect(result.previews.count == 3)
            let first = try #require(result.previews.first)
            #expect(first.isPreview && !first.bitmap.isOpaque)
            #expect(first.bitmap.pixel(10, 10) == result.image.bitmap.pixel(10, 10))
            #expect(first.bitmap.pixel(10, 239) == [0, 0, 0, 0])
        }

        @Test func aPictureThatMayBeTurnedIsNotShownBeforeThatIsKnown() throws {
            let file = try encodeLosslessly(makePicture(320, 240), with: WebPEncoder(), orientation: .leftBottom)
            let result = try arrive(file, .fitting(50, 50)) { 300 }
            #expect(result.previews.isEmpty && result.image.size == PixelSize(width: 38, height: 50))
        }

        @Test func aLargePictureIsShownOnceMeanwhile() throws {
            let picture = try makePicture(210, 200).resampled(to: PixelSize(width: 2100, height: 2000))
            let file = try encode(picture, with: WebPEncoder())
            #expect(try arrive(file) { file.count / 40 }.previews.count == 1)
            #expect(try arrive(file, .fitting(200, 200)) { file.count / 40 }.previews.count == 3)
        }

        @Test func whatArrivesAtOnceIsNotShownTwice() throws {
            let file = try encode(makePicture(320, 240), with: WebPEncoder())
            #expect(try arrive(file) { .max }.previews.isEmpty)
        }

        @Test func framesCanBeHadAsTheyArrive() throws {
            let film = try PaintedFilm.square(isOpaque: false)
            let file = try encode(film, with: WebPEncoder())
            let arriving = try #require(decoder.makeProgressiveDecoder(DecodingOptions(pixels: .exact)))
            let whole = try #require(try decoder.frames(in: file, DecodingOptions(pixels: .exact)))
            var counts: [Int] = []
            var shown = 0
            for count in stride(from: 0, through: file.count, by: 10) + [file.count] {
                let prefix = Array(file[..<count])
                try arriving.update(prefix.span.bytes, isComplete: count == file.count)
                if try arriving.preview() != nil { shown += 1 }
                guard let frames = try arriving.frames(), frames.frameCount != counts.last else { continue }
                counts.append(frames.frameCount)
                let last = frames.frameCount - 1
                #expect(try frames.frame(at: last).bytes == whole.frame(at: last).bytes)
            }
            #expect(counts == [2, 3, 4, 5] && shown > 0)
        }

        @Test func whatFailedOnceFailsForGood() throws {
            let file = try encode(makePicture(64, 64), with: WebPEncoder())
            let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 100))
            let arriving = try #require(decoder.makeProgressiveDecoder(options))
            let refusal = DecodingError.tooLarge(PixelSize(width: 64, height: 64), maximumPixelCount: 100)
            #expect(throws: refusal) { try arriving.update(file.span.bytes, isComplete: true) }
            #expect(throws: refusal) { try arriving.update(file.span.bytes, isComplete: true) }
            #expect(throws: refusal) { try arriving.preview() }
            #expect(throws: refusal) { try arriving.frames() }
            #expect(throws: refusal) { try arriving.finish() }
        }

        @Test func damageLooksTheSameHoweverItArrives() throws {
            var random = SeededRandom(seed: 11)
            let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1 << 18))
            for file in try makeFiles() {
                for _ in 0..<60 {
                    var damaged = file
                    for _ in 0..<3 {
                        damaged[Int.random(in: 12..<file.count, using: &random)] = .random(in: 0...255, using: &random)
                    }
                    let whole = try? decoder.decode(damaged, options)
                    let arrived = try? arrive(damaged, options) { .random(in: 1...700, using: &random) }.image
                    #expect(whole?.bitmap.bytes == arrived?.bitmap.bytes, "\(damaged)")
                }
            }
        }

        @Test func nothingAtAllIsTruncated() throws {
            let arriving = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
            #expect(try arriving.preview() == nil)
            #expect(throws: DecodingError.truncated(atByte: 0)) { try arriving.finish() }
        }
    }
#endif
