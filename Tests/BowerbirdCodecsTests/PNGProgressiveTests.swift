#if PNG
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdTestSupport
    import Testing

    /// What a decoder gave for a file that came in pieces.
    private struct Arrival {
        var previews: [DecodedImage] = []
        var result: Result<DecodedImage, DecodingError>

        init(_ file: [UInt8], _ options: DecodingOptions = DecodingOptions(), in counts: [Int]) throws {
            let decoder = try #require(PNGDecoder().makeProgressiveDecoder(options))
            var previews: [DecodedImage] = []
            result = Result { () throws(DecodingError) in
                var end = 0
                for count in counts where end < file.count {
                    end = min(file.count, end + count)
                    // A copy each time: the memory may move.
                    let prefix = Array(file[..<end])
                    try decoder.update(prefix.span.bytes, isComplete: end == file.count)
                    if let preview = try decoder.preview() { previews.append(preview) }
                }
                return try decoder.finish()
            }
            self.previews = previews
        }
    }

    private func pieces(_ count: Int, of file: [UInt8]) -> [Int] {
        Array(repeating: count, count: file.count / count + 1)
    }

    @Suite("PNG files on their way")
    struct PNGProgressiveTests {
        private func files() throws -> [(name: String, file: [UInt8])] {
            var random = SeededRandom(seed: 21)
            let interlaced = makeInterlacedPNG(of: try makePicture(33, 31, format: .rgba8Straight, isOpaque: false))
            let noise = PNGKind.all.map { kind in
                let file = makeNoisePNG(kind, 19, 12, isTransparent: true, random: &random).file
                return (kind.testDescription, file)
            }
            return noise + [
                ("interlaced", interlaced),
                ("opaque", try encode(makePicture(60, 50), with: PNGEncoder())),
                ("transparent", try encode(makePicture(60, 50, isOpaque: false), with: PNGEncoder())),
            ]
        }

        private func expectSame(_ arrival: Arrival, as whole: DecodedImage?, _ name: String) throws {
            guard let whole else {
                #expect(throws: DecodingError.self, "\(name)") { try arrival.result.get() }
                return
            }
            let image = try arrival.result.get()
            #expect(image.bitmap.bytes == whole.bitmap.bytes, "\(name)")
            #expect(image.header == whole.header && image.warnings == whole.warnings, "\(name)")
            #expect(image.bitmap.isOpaque == whole.bitmap.isOpaque && !image.isPreview, "\(name)")
        }

        @Test(arguments: [DecodingOptions(), DecodingOptions(pixels: .exact), .fitting(11, 11)])
        func theFinalPictureNeverDependsOnHowTheBytesCame(options: DecodingOptions) throws {
            var random = SeededRandom(seed: 22)
            for (name, file) in try files() {
                let whole = try PNGDecoder().decode(file, options)
                let uneven = (0..<file.count).map { _ in Int.random(in: 1...200, using: &random) }
                for counts in [pieces(1, of: file), uneven, pieces(file.count, of: file), [60, file.count]] {
                    try expectSame(Arrival(file, options, in: counts), as: whole, name)
                }
            }
        }

        @Test func aDamagedFileIsTheSameHoweverItCame() throws {
            var random = SeededRandom(seed: 23)
            for (name, file) in try files() {
                for _ in 0..<6 {
                    var damaged = file
                    damaged[Int.random(in: 33..<file.count, using: &random)] ^= UInt8.random(
                        in: 1...255, using: &random)
                    let whole = try? PNGDecoder().decode(damaged)
                    for counts in [pieces(7, of: file), [50, 100, file.count]] {
                        try expectSame(Arrival(damaged, in: counts), as: whole, name)
                    }
                }
            }
        }

        @Test func aTruncatedFileIsTheSameHoweverItCame() throws {
            for (name, file) in try files() {
                for eighth in 1..<8 {
                    let part = Array(file[..<(file.count * eighth / 8)])
                    let whole = try? PNGDecoder().decode(part)
                    for counts in [pieces(5, of: file), [50, 100, file.count]] {
                        try expectSame(Arrival(part, in: counts), as: whole, name)
                    }
                }
            }
        }

        @Test func aTransferThatBreaksOffShowsWhatArrived() throws {
            let file = try encode(makePicture(200, 200), with: PNGEncoder())
            let decoder = try #require(PNGDecoder().makeProgressiveDecoder(DecodingOptions()))
            let half = Array(file[..<(file.count / 2)])
            try decoder.update(half.span.bytes, isComplete: false)
            let image = try decoder.finish()
            #expect(image.warnings == [.truncated(atByte: file.count / 2)])
            #expect(image.bitmap.pixel(10, 10) == (try PNGDecoder().decode(file).bitmap.pixel(10, 10)))
        }

        @Test func rowsAreShownAsTheyCome() throws {
            let file = try encode(makePicture(120, 120), with: PNGEncoder())
            let whole = try PNGDecoder().decode(file)
            let previews = try Arrival(file, in: pieces(500, of: file)).previews
            #expect((2...3).contains(previews.count) && previews.allSatisfy(\.isPreview))
            let first = try #require(previews.first)
            #expect(first.bitmap.pixel(5, 5) == whole.bitmap.pixel(5, 5))
            #expect(first.bitmap.pixel(5, 119) == [0, 0, 0, 0] && !first.bitmap.isOpaque)
        }

        @Test func passesShowTheWholePicture() throws {
            let picture = try makePicture(120, 90, format: .rgba8Straight, isOpaque: false)
            let file = makeInterlacedPNG(of: picture)
            let arrival = try Arrival(file, in: pieces(300, of: file))
            let whole = try arrival.result.get()
            #expect(arrival.previews.count == 3)
            for preview in arrival.previews {
                // Where the first pass has its pixels the picture is final, premultiplied too.
                #expect(preview.bitmap.pixel(64, 40) == whole.bitmap.pixel(64, 40))
                #expect(preview.bitmap.pixel(119, 89)[3] != 0)
            }
        }

        @Test func aLargePictureIsShownOnce() throws {
            var buffer = try makeBuffer(2100, 2100)
            let bytesPerRow = buffer.bytesPerRow
            buffer.withUnsafeMutableBytes { pixels in
                for row in 0..<2100 {
                    let bytes = UnsafeMutableRawBufferPointer(
                        rebasing: pixels[row * bytesPerRow..<(row + 1) * bytesPerRow])
                    bytes.initializeMemory(as: UInt8.self, repeating: UInt8(row % 256))
                }
            }
            let file = try encode(buffer.freeze(), with: PNGEncoder())
            let previews = try Arrival(file, .fitting(100, 100), in: pieces(1 << 12, of: file)).previews
            #expect(previews.count == 1 && previews.first?.size == PixelSize(width: 100, height: 100))
        }

        @Test func aPictureOverTheLimitIsRefusedAtItsHeader() throws {
            let file = try encode(makePicture(20, 20), with: PNGEncoder())
            let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 399))
            let decoder = try #require(PNGDecoder().makeProgressiveDecoder(options))
            let size = PixelSize(width: 20, height: 20)
            #expect(throws: DecodingError.tooLarge(size, maximumPixelCount: 399)) {
                let beginning = Array(file[..<60])
                try decoder.update(beginning.span.bytes, isComplete: false)
            }
            #expect(throws: DecodingError.tooLarge(size, maximumPixelCount: 399)) { try decoder.finish() }
        }

        @Test func whatIsNoPNGFileIsRefusedAsSoonAsItIsSeen() throws {
            let decoder = try #require(PNGDecoder().makeProgressiveDecoder(DecodingOptions()))
            let noise: [UInt8] = Array(repeating: 0x3C, count: 40)
            #expect(throws: DecodingError.self) { try decoder.update(noise.span.bytes, isComplete: false) }
            #expect(throws: DecodingError.self) { try decoder.finish() }
        }

        @Test func nothingIsNoPicture() throws {
            let decoder = try #require(PNGDecoder().makeProgressiveDecoder(DecodingOptions()))
            #expect(throws: DecodingError.empty) { try decoder.finish() }
            #expect(try decoder.preview().map(\.size) == nil)
        }
    }
#endif
