#if AVIF
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdTestSupport
    import Testing

    @testable import BowerbirdCodecs

    @Suite("AVIF sequences")
    struct AVIFSequenceTests {
        private let decoder = AVIFDecoder()

        @Test func aSequenceComesBackAsItWas() throws {
            let frames = try StoredFrames(count: 5)
            let source = try #require(try decoder.frames(in: file(of: frames), DecodingOptions()))
            #expect(source.delays == frames.delays && source.size == frames.size)
            for index in 0..<5 {
                #expect(try source.frame(at: index).bytes == frames.frame(at: index).bytes, "frame \(index)")
            }
        }

        @Test func framesAreTheSameInWhateverOrder() throws {
            let file = try file(of: StoredFrames(count: 6))
            let inOrder = try #require(try decoder.frames(in: file, DecodingOptions()))
            let expected = try (0..<6).map { try inOrder.frame(at: $0).bytes }
            let source = try #require(try decoder.frames(in: file, DecodingOptions()))
            for index in [5, 0, 3, 3, 2, 4, 1, 5] { #expect(try source.frame(at: index).bytes == expected[index]) }
        }

        @Test func theFirstFrameIsThePicture() throws {
            let frames = try StoredFrames(count: 3)
            let image = try file(of: frames).withBytes { try decoder.decode($0, DecodingOptions()) }
            #expect(image.header.isAnimated && image.header.frameCount == 3 && image.header.loopCount != nil)
            #expect(try image.bitmap.bytes == frames.frame(at: 0).bytes)
        }

        @Test func framesAreScaledAndTurned() throws {
            let file = try file(of: StoredFrames(count: 2)) { $0.orientation = .rightTop }
            let source = try #require(try decoder.frames(in: file, .fitting(10, 100)))
            #expect(source.size == PixelSize(width: 10, height: 13))
            #expect(try source.frame(at: 1).size == source.size)
        }

        @Test func aStillHasNoFrames() throws {
            let file = try #require(EncodedImage(avif(makePicture(16, 16))))
            #expect(try decoder.frames(in: file, DecodingOptions()) == nil)
        }

        @Test func tooManyFramesAreRefusedByTheirLimit() throws {
            let file = try file(of: StoredFrames(count: 4))
            let options = DecodingOptions(limits: DecodingLimits(maximumFrameCount: 3))
            #expect(throws: DecodingError.tooManyFrames(maximum: 3)) { try decoder.frames(in: file, options) }
        }

        @Test func framesBeforeTheEndOfACutFileCanBeHad() throws {
            let frames = try StoredFrames(count: 4)
            let bytes = try file(of: frames).withUnsafeBytes { Array($0) }
            let cut = try #require(EncodedImage(bytes.dropLast(2)))
            let source = try #require(try decoder.frames(in: cut, DecodingOptions()))
            #expect(try source.frame(at: 0).bytes == frames.frame(at: 0).bytes)
            #expect(throws: DecodingError.truncated(atByte: bytes.count - 2)) { try source.frame(at: 3) }
            #expect(try source.frame(at: 1).bytes == frames.frame(at: 1).bytes)
        }

        @Test func noFlippedBitTraps() throws {
            var generator = SeededRandom(seed: 7)
            let bytes = try file(of: StoredFrames(count: 3)).withUnsafeBytes { Array($0) }
            for _ in 0..<200 {
                var damaged = bytes
                damaged[Int.random(in: 0..<bytes.count, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
                guard let file = EncodedImage(damaged) else { continue }
                let limits = DecodingLimits(maximumPixelCount: 1 << 20, maximumFrameCount: 50)
                guard let source = try? decoder.frames(in: file, DecodingOptions(limits: limits)) else { continue }
                for index in 0..<min(4, source.frameCount) { _ = try? source.frame(at: index) }
            }
        }

        @Test func severalTasksMayAskAtOnce() async throws {
            let frames = try StoredFrames(count: 4)
            let source = try #require(try decoder.frames(in: file(of: frames), DecodingOptions()))
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<16 {
                    group.addTask {
                        let bytes = try? source.frame(at: index % 4).bytes
                        #expect(bytes == frames.bitmaps[index % 4].bytes)
                    }
                }
            }
        }

        private func file(
            of frames: StoredFrames, _ change: (inout EncodingOptions) -> Void = { _ in }
        ) throws -> EncodedImage {
            var options = EncodingOptions()
            options.isLossless = true
            options.effort = 0
            change(&options)
            return try AVIFEncoder().encode(frames, options)
        }
    }

    /// Frames of our own making, 32 × 24, whose pixels move.
    private struct StoredFrames: FrameSource {
        let size = PixelSize(width: 32, height: 24)
        let delays: [Duration]
        let loopCount = LoopCount.forever
        let bitmaps: [Bitmap]

        init(count: Int) throws {
            delays = (0..<count).map { .milliseconds(40 + 30 * $0) }
            bitmaps = try (0..<count).map { index in
                var buffer = try makeBuffer(32, 24, isOpaque: index == 0)
                for y in 0..<24 {
                    buffer.withRow(y) { row in
                        for x in 0..<32 {
                            let alpha = index == 0 ? 255 : UInt8(160 + x)
                            let pixel = [UInt8(x * 4 + index), UInt8(y * 5), UInt8(index * 20), alpha]
                            for (place, value) in pixel.enumerated() {
                                row.storeBytes(of: value, toByteOffset: 4 * x + place, as: UInt8.self)
                            }
                        }
                    }
                }
                return buffer.freeze()
            }
        }

        func frame(at index: Int) throws(DecodingError) -> Bitmap { bitmaps[index] }
    }
#endif
