#if WebP
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdTestSupport
    import Testing

    @Suite("Damaged WebP files")
    struct WebPDamageTests {
        private let decoder = WebPDecoder()

        private func makeFiles(_ width: Int, _ height: Int) throws -> [[UInt8]] {
            let (opaque, clear) = (try makePicture(width, height), try makePicture(width, height, isOpaque: false))
            return try [
                encode(opaque, with: WebPEncoder()), encode(clear, with: WebPEncoder()),
                encodeLosslessly(clear, with: WebPEncoder(), orientation: .rightTop),
                encode(PaintedFilm.square(frameCount: 3, width, height, isOpaque: false), with: WebPEncoder()),
            ]
        }

        @Test func nothingIsEmpty() {
            #expect(decoder.failure(of: []) == .empty)
            #expect(throws: DecodingError.empty) { try decoder.header(of: []) }
            #expect(throws: DecodingError.empty) {
                try decoder.metadata(of: [UInt8]().span.bytes, DecodingLimits())
            }
        }

        @Test func everyPrefixShowsWhatArrivedOrThrows() throws {
            for file in try makeFiles(48, 40) {
                for count in 1..<file.count {
                    let part = Array(file[..<count])
                    _ = try? decoder.header(of: part)
                    _ = try? decoder.metadata(of: part.span.bytes, DecodingLimits())
                    _ = try? decoder.frames(in: part)
                    do {
                        #expect(try decoder.decode(part).warnings == [.truncated(atByte: count)])
                    } catch {
                        #expect(error == .truncated(atByte: count))
                    }
                }
            }
        }

        @Test(arguments: [true, false])
        func theRowsBeforeTheEndAreThoseOfTheWholeFile(isLossless: Bool) throws {
            let picture = try makePicture(320, 320)
            let file =
                try isLossless ? encodeLosslessly(picture, with: WebPEncoder()) : encode(picture, with: WebPEncoder())
            let whole = try decoder.decode(file).bitmap
            let part = Array(file[..<(file.count * 3 / 4)])
            let image = try decoder.decode(part)
            #expect(image.warnings == [.truncated(atByte: part.count)] && !image.bitmap.isOpaque)
            let rows = whole.bytesPerRow * 100
            #expect(image.bitmap.bytes[..<rows] == whole.bytes[..<rows])
            #expect(image.bitmap.pixel(5, 319) == [0, 0, 0, 0])
        }

        /// libwebp gives the rows of a lossless file in batches, so that a whole one that fails has none at first.
        @Test func theRowsBeforeDamageAreShownWithAWarning() throws {
            let picture = try makePicture(320, 320)
            var file = try encodeLosslessly(picture, with: WebPEncoder())
            var random = SeededRandom(seed: 5)
            var shown = 0
            for _ in 0..<40 {
                for index in file.count * 3 / 4..<file.count { file[index] = .random(in: 0...255, using: &random) }
                guard let image = try? decoder.decode(file), !image.warnings.isEmpty else { continue }
                #expect(image.warnings == [.corrupt("its pixels make no sense to libwebp")])
                #expect(image.bitmap.pixel(7, 0) == picture.pixel(7, 0) && !image.bitmap.isOpaque)
                shown += 1
            }
            #expect(shown > 5)
        }

        @Test func aForgedSizeIsRefusedBeforeAnythingIsAllocated() throws {
            let still = riff([webPFeatures(0x02, 60000, 60000), ("ANIM", [0, 0, 0, 0, 0, 0])])
            let claimed = PixelSize(width: 60000, height: 60000)
            #expect(throws: DecodingError.tooLarge(claimed, maximumPixelCount: 1 << 28)) { try decoder.decode(still) }
            #expect(try decoder.header(of: still).storedSize == claimed)
        }

        @Test func aFrameThatLeavesTheCanvasEndsTheAnimation() throws {
            var file = try encode(PaintedFilm.square(frameCount: 3), with: WebPEncoder())
            let frames = file.indices.filter { file.span.bytes.matches("ANMF", at: $0) }
            try #require(frames.count == 3)
            file.replaceSubrange(frames[2] + 8..<frames[2] + 11, with: [0xFF, 0xFF, 0xFF])
            #expect(try decoder.frames(in: file)?.frameCount == 2)
            #expect(try decoder.header(of: file).frameCount == 2)
            #expect(try decoder.decode(file).warnings == [.corrupt("frame 2 leaves the canvas")])
        }

        @Test func aFrameOfAnotherSizeThanItDeclaresEndsTheAnimation() throws {
            var file = try encode(PaintedFilm.square(frameCount: 3), with: WebPEncoder())
            let frames = file.indices.filter { file.span.bytes.matches("ANMF", at: $0) }
            file[frames[0] + 14] -= 1
            #expect(
                decoder.failure(of: file) == .corrupt("frame 0 has not the size that it declares"))
            #expect(try decoder.frames(in: file) == nil)
        }

        @Test func anAnimationWithoutFramesThrows() throws {
            let file = riff([webPFeatures(0x02, 10, 10), ("ANIM", [0, 0, 0, 0, 0, 0])])
            #expect(throws: DecodingError.self) { try decoder.decode(file) }
            #expect(try decoder.frames(in: file) == nil)
        }

        @Test func moreFramesThanAllowedAreRefused() throws {
            let file = try encode(PaintedFilm.square(frameCount: 3), with: WebPEncoder())
            let options = DecodingOptions(limits: DecodingLimits(maximumFrameCount: 2))
            #expect(throws: DecodingError.tooManyFrames(maximum: 2)) { try decoder.frames(in: file, options) }
            let arriving = try #require(decoder.makeProgressiveDecoder(options))
            #expect(throws: DecodingError.tooManyFrames(maximum: 2)) {
                try arriving.update(file.span.bytes, isComplete: true)
            }
        }

        @Test func noFlippedByteTraps() throws {
            let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1 << 18))
            var random = SeededRandom(seed: 1)
            for file in try makeFiles(24, 18) {
                for index in file.indices {
                    var damaged = file
                    damaged[index] ^= .random(in: 1...255, using: &random)
                    _ = try? decoder.decode(damaged, options)
                    let frames = try? decoder.frames(in: damaged, options)
                    if let frames { _ = try? frames.frame(at: frames.frameCount - 1) }
                    _ = try? decoder.metadata(of: damaged.span.bytes, options.limits)
                }
            }
        }

        @Test func randomBytesThrow() {
            var random = SeededRandom(seed: 3)
            for count in [1, 2, 10, 11, 12, 1000, 5000] {
                let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                #expect(throws: DecodingError.self) { try decoder.decode(noise) }
                #expect(throws: DecodingError.self) { try decoder.decode(riff([("VP8 ", noise)])) }
                #expect(throws: DecodingError.self) { try decoder.decode(riff([("VP8L", noise)])) }
                #expect(throws: DecodingError.self) {
                    try decoder.decode(riff([webPFeatures(2, 10, 10), ("ANMF", noise)]))
                }
            }
        }

        @Test func aCancelledTaskStopsDecoding() async throws {
            let files = try makeFiles(64, 64)
            let errors = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return files.map { WebPDecoder().failure(of: $0) }
            }.value
            #expect(errors == Array(repeating: .cancelled, count: files.count))
        }
    }
#endif
