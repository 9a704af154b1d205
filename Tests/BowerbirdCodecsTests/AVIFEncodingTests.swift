#if AVIF
    import BowerbirdCodecs
    import BowerbirdCore
    import Testing

    @Suite("Encoding AVIF")
    struct AVIFEncodingTests {
        private let decoder = AVIFDecoder()

        @Test func lessQualityIsASmallerAndWorsePicture() throws {
            let picture = try makePicture(96, 80)
            let files = try [0, 0.5, 0.85, 1].map { quality in try avif(picture) { $0.quality = quality } }
            let differences = try files.map { try decoder.decode($0).bitmap.meanDifference(to: picture) }
            #expect(files.map(\.count) == files.map(\.count).sorted() && Set(files.map(\.count)).count == 4)
            #expect(differences == differences.sorted(by: >))
            #expect(try #require(differences.last) < 1.5)
        }

        @Test(arguments: [-1, 2, Double.nan])
        func valuesOutsideAreBroughtToTheNearerEnd(value: Double) throws {
            let file = try avif(makePicture(16, 16)) { options in
                options.quality = value
                options.effort = value > 0 ? 0 : value
            }
            #expect(try decoder.decode(file).size == PixelSize(width: 16, height: 16))
        }

        @Test func fullChromaKeepsColoursSharper() throws {
            var buffer = try makeBuffer(32, 32, isOpaque: true)
            for y in 0..<32 {
                buffer.withRow(y) { row in
                    for x in 0..<32 {
                        let pixel: UInt32 = (x + y).isMultiple(of: 2) ? 0xFFFF_0000 : 0xFF00_00FF
                        row.storeBytes(of: pixel, toByteOffset: 4 * x, as: UInt32.self)
                    }
                }
            }
            let picture = buffer.freeze()
            let differences = try [true, false, nil].map { isKept in
                let file = try avif(picture) { options in
                    options.keepsFullChroma = isKept
                    options.quality = 0.94
                }
                return try decoder.decode(file).bitmap.meanDifference(to: picture)
            }
            #expect(differences[0] < 10 && differences[1] > 20 && differences[2] == differences[1])
        }

        @Test func alphaIsNeverLossy() throws {
            let picture = try makePicture(40, 40, format: .rgba8Straight, isOpaque: false)
            let bitmap = try decoder.decode(avif(picture) { $0.quality = 0 }, DecodingOptions(pixels: .exact)).bitmap
            #expect(stride(from: 3, to: 6400, by: 4).allSatisfy { bitmap.bytes[$0] == picture.bytes[$0] })
        }

        @Test func whatIsTooWideIsRefused() throws {
            let buffer = try makeBuffer(65537, 1).freeze()
            #expect(throws: EncodingError.tooLarge(PixelSize(width: 65537, height: 1), format: .avif)) {
                try AVIFEncoder().encode(buffer, EncodingOptions())
            }
        }

        @Test func whatIsNoEXIFDataIsNotWritten() throws {
            let file = try avif(makePicture(16, 16)) { $0.metadata = ImageMetadata(exif: [1, 2, 3]) }
            #expect(try AVIFDecoder().metadata(of: file).isEmpty)
        }

        @Test func aFrameThatCannotBeHadIsNamed() {
            #expect(throws: EncodingError.unreadableFrame(0, .empty)) {
                try AVIFEncoder().encode(NoFrames(error: .empty), EncodingOptions())
            }
            #expect(throws: EncodingError.cancelled) {
                try AVIFEncoder().encode(NoFrames(error: .cancelled), EncodingOptions())
            }
        }

        @Test func aCancelledTaskStopsEncoding() async throws {
            let picture = try makePicture(64, 64)
            let error = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return #expect(throws: EncodingError.self) { try AVIFEncoder().encode(picture, EncodingOptions()) }
            }.value
            #expect(error == .cancelled)
        }
    }

    private struct NoFrames: FrameSource {
        let error: DecodingError
        let size = PixelSize(width: 1, height: 1)
        let delays: [Duration] = [.zero]
        let loopCount = LoopCount.forever

        func frame(at index: Int) throws(DecodingError) -> Bitmap { throw error }
    }
#endif
