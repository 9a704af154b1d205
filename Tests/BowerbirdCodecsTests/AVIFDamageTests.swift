#if AVIF
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdTestSupport
    import Testing

    @Suite("Damaged AVIF files")
    struct AVIFDamageTests {
        private let decoder = AVIFDecoder()
        private let limits = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1 << 20))

        @Test func emptyFilesAreCalledEmpty() throws {
            #expect(throws: DecodingError.empty) { try decoder.decode([]) }
            #expect(throws: DecodingError.empty) { try decoder.header(of: []) }
            #expect(throws: DecodingError.empty) { try decoder.metadata(of: []) }
            #expect(throws: DecodingError.empty) {
                try decoder.frames(in: try #require(EncodedImage([UInt8]())), DecodingOptions())
            }
        }

        @Test(arguments: [true, false])
        func noPrefixIsAPicture(isOpaque: Bool) throws {
            let file = try avif(makePicture(40, 30, isOpaque: isOpaque))
            for count in 1..<file.count {
                #expect(throws: DecodingError.truncated(atByte: count)) { try decoder.decode(Array(file[..<count])) }
            }
        }

        @Test func theHeaderComesFromTheFirstBytes() throws {
            let file = try avif(makePicture(40, 30, isOpaque: false))
            let header = try decoder.header(of: file)
            let data = try #require(file.offset(of: "mdat"))
            for count in 1..<file.count {
                let part = Array(file[..<count])
                if count < data - 4 {
                    #expect(throws: DecodingError.truncated(atByte: count)) { try decoder.header(of: part) }
                } else if count > data + 100 {
                    #expect(try decoder.header(of: part) == header)
                }
            }
        }

        @Test func whatIsTooLargeIsRefusedByItsLimit() throws {
            let file = try avif(makePicture(40, 30))
            let tooSmall = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1199))
            #expect(throws: DecodingError.tooLarge(PixelSize(width: 40, height: 30), maximumPixelCount: 1199)) {
                try decoder.decode(file, tooSmall)
            }
            let profile = ColorProfile.icc(ICCProfile(bytes: Array(repeating: 1, count: 200)))
            let noProfile = DecodingOptions(limits: DecodingLimits(maximumMetadataByteCount: 199))
            #expect(throws: DecodingError.tooMuchMetadata(maximumByteCount: 199)) {
                try decoder.decode(avif(makePicture(40, 30)) { $0.profile = profile }, noProfile)
            }
        }

        @Test(arguments: [UInt32.max, 1 << 30, 20_000, 1025])
        func aForgedSizeIsTooLarge(side: UInt32) throws {
            let file = try avif(makePicture(40, 30))
            let place = try #require(file.offset(of: "ispe")) + 8
            let forged = file.replacing(at: place, with: bigEndian(side) + bigEndian(side))
            let size = PixelSize(width: Int(side), height: Int(side))
            #expect(throws: DecodingError.tooLarge(size, maximumPixelCount: 1 << 20)) {
                try decoder.decode(forged, limits)
            }
        }

        /// libavif ends the process when it finds no memory.
        @Test func aForgedLengthTakesNoMemory() throws {
            let file = try avif(makePicture(40, 30))
            let place = try #require(file.offset(of: "iloc")) + 22
            for length in [UInt32.max, 1 << 30, UInt32(file.count)] {
                let forged = file.replacing(at: place, with: bigEndian(length))
                #expect(throws: DecodingError.truncated(atByte: file.count)) { try decoder.decode(forged, limits) }
                let progressive = try #require(decoder.makeProgressiveDecoder(limits))
                try? progressive.update(forged, isComplete: false)
                #expect(throws: DecodingError.truncated(atByte: file.count)) { try progressive.finish() }
            }
        }

        @Test func noFlippedBitTraps() throws {
            var generator = SeededRandom(seed: 5)
            let files = try [
                avif(makePicture(24, 18, isOpaque: false)), makeGrid(),
                losslessAVIF(makePicture(16, 16)) { $0.orientation = .leftBottom },
            ]
            for file in files {
                for _ in 0..<150 {
                    var damaged = file
                    for _ in 0..<Int.random(in: 1...3, using: &generator) {
                        let index = Int.random(in: 0..<file.count, using: &generator)
                        damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                    }
                    _ = try? decoder.header(of: damaged)
                    _ = try? decoder.decode(damaged, limits)
                    _ = try? decoder.metadata(of: damaged)
                }
            }
        }

        @Test func randomBytesThrow() {
            var generator = SeededRandom(seed: 6)
            let beginning = bigEndian(16) + Array("ftypavif".utf8) + [0, 0, 0, 0]
            for count in [1, 2, 10, 1000] {
                let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                #expect(throws: DecodingError.self) { try decoder.decode(noise) }
                #expect(throws: DecodingError.self) { try decoder.decode(beginning + noise) }
                #expect(throws: DecodingError.self) { try decoder.header(of: beginning + noise) }
            }
        }

        @Test func aGridWithoutItsEndShowsTheRowsBeforeIt() throws {
            let file = try makeGrid()
            let whole = try decoder.decode(file).bitmap
            let count = file.count - 40
            let image = try decoder.decode(Array(file[..<count]))
            #expect(image.warnings == [.truncated(atByte: count)])
            #expect(!image.bitmap.isOpaque && image.size == whole.size)
            #expect(image.bitmap.pixel(100, 180) == whole.pixel(100, 180))
            #expect(image.bitmap.pixel(100, 200) == [0, 0, 0, 0])
        }

        @Test func aDamagedTileSpoilsTheGrid() throws {
            // The data of the seventh tile.
            let file = try makeGrid().replacing(at: 0x36F, with: Array(repeating: 0xFF, count: 30))
            guard case .corrupt? = decoder.failure(of: file) else {
                Issue.record("\(String(describing: decoder.failure(of: file)))")
                return
            }
        }

        @Test func aCancelledTaskStopsDecoding() async throws {
            let file = try avif(makePicture(64, 64))
            let error = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return AVIFDecoder().failure(of: file)
            }.value
            #expect(error == .cancelled)
        }
    }
#endif
