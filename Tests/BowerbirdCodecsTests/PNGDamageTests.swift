#if PNG
    import BowerbirdCodecs
    import BowerbirdCore
    import Testing

    @Suite("Damaged PNG files")
    struct PNGDamageTests {
        private let decoder = PNGDecoder()

        @Test func aSizeOverTheLimitIsRefusedBeforeAnythingIsAllocated() throws {
            var chunks = PNGParts(of: try encode(makePicture(20, 20), with: PNGEncoder()))
            chunks.chunks[0].data.replaceSubrange(0..<8, with: bigEndian(50_000) + bigEndian(50_000))
            let claimed = PixelSize(width: 50_000, height: 50_000)
            let file = chunks.file
            #expect(throws: DecodingError.tooLarge(claimed, maximumPixelCount: 1 << 28)) { try decoder.decode(file) }
            #expect(try decoder.header(of: file).storedSize == claimed)
            chunks.chunks[0].data.replaceSubrange(0..<8, with: bigEndian(0x7FFF_FFFF) + bigEndian(0x7FFF_FFFF))
            let largest = PixelSize(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF)
            #expect(throws: DecodingError.tooLarge(largest, maximumPixelCount: 1 << 28)) {
                try decoder.decode(chunks.file)
            }
        }

        @Test(arguments: [true, false])
        func aTruncatedFileShowsWhatArrived(isOpaque: Bool) throws {
            let file = try encode(makePicture(300, 300, isOpaque: isOpaque), with: PNGEncoder())
            let whole = try decoder.decode(file).bitmap
            for sixteenth in 4..<16 {
                let part = Array(file[..<(file.count * sixteenth / 16)])
                let image = try decoder.decode(part)
                #expect(image.warnings == [.truncated(atByte: part.count)])
                #expect(image.size == whole.size && !image.bitmap.isOpaque)
                #expect(image.bitmap.pixel(30, 4) == whole.pixel(30, 4))
                #expect(image.bitmap.pixel(30, 299) == [0, 0, 0, 0])
            }
        }

        @Test func anInterlacedFileShowsTheWholePictureInBlocks() throws {
            let file = makeInterlacedPNG(of: try makePicture(100, 90, format: .rgba8Straight))
            let whole = try decoder.decode(file)
            #expect(whole.warnings.isEmpty && whole.header.isProgressive)
            for quarter in 1...3 {
                let part = Array(file[..<(file.count * quarter / 4)])
                let image = try decoder.decode(part)
                #expect(image.warnings == [.truncated(atByte: part.count)])
                #expect(image.bitmap.pixel(96, 88) == whole.bitmap.pixel(96, 88))
                #expect(image.bitmap.pixel(99, 89)[3] == 255)
            }
        }

        @Test func aFileThatEndsBeforeItsPictureThrows() throws {
            let file = try encode(makePicture(200, 200), with: PNGEncoder())
            for count in [1, 8, 20, 33, 41, 45] {
                let part = Array(file[..<count])
                #expect(throws: DecodingError.truncated(atByte: count)) { try decoder.decode(part) }
            }
            #expect(throws: DecodingError.truncated(atByte: 40)) { try decoder.header(of: Array(file[..<40])) }
            #expect(throws: DecodingError.empty) { try decoder.decode([]) }
            #expect(throws: DecodingError.empty) { try decoder.header(of: []) }
        }

        @Test func aPictureWithoutItsEndIsWhole() throws {
            let file = try encode(makePicture(30, 30), with: PNGEncoder())
            let image = try decoder.decode(Array(file.dropLast(12)))
            #expect(image.warnings == [.truncated(atByte: file.count - 12)])
            let whole = try decoder.decode(file).bitmap
            #expect(image.bitmap.isOpaque && image.bitmap.bytes == whole.bytes)
        }

        @Test func aWrongChecksumOfTheFirstDataIsRefused() throws {
            var file = try encode(makePicture(30, 30), with: PNGEncoder())
            file[file.count - 13] ^= 1
            #expect(throws: DecodingError.corrupt("IDAT: CRC error")) { try decoder.decode(file) }
        }

        @Test func damageInTheMidstShowsTheRowsBeforeIt() throws {
            let file = try encode(makePicture(300, 300), with: PNGEncoder())
            let chunks = PNGParts(of: file)
            let dataCount = chunks.chunks.filter { $0.type == "IDAT" }.count
            try #require(dataCount > 2)
            var damaged = file
            damaged[file.count * 3 / 4] ^= 0xFF
            let image = try decoder.decode(damaged)
            guard case .corrupt? = image.warnings.first else {
                Issue.record("\(image.warnings)")
                return
            }
            let whole = try decoder.decode(file).bitmap
            #expect(image.bitmap.pixel(7, 7) == whole.pixel(7, 7))
        }

        @Test func noFlippedByteTraps() throws {
            let file = try encode(makePicture(24, 18, isOpaque: false), with: PNGEncoder())
            let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1 << 20))
            for index in file.indices {
                for change in [0x01, 0x80, 0xFF] as [UInt8] {
                    var damaged = file
                    damaged[index] ^= change
                    _ = try? decoder.decode(damaged, options)
                }
            }
        }

        @Test func noFlippedByteBehindARightChecksumTraps() throws {
            let chunks = PNGParts(of: try encode(makePicture(24, 18, isOpaque: false), with: PNGEncoder()))
            let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1 << 20))
            for chunk in chunks.chunks.indices {
                for index in chunks.chunks[chunk].data.indices {
                    for change in [0x01, 0x06, 0xFF] as [UInt8] {
                        var damaged = chunks
                        damaged.chunks[chunk].data[index] ^= change
                        _ = try? decoder.decode(damaged.file, options)
                    }
                }
            }
        }

        @Test func randomBytesThrow() {
            for count in [1, 2, 10, 1000] {
                let noise = (0..<count).map { _ in UInt8.random(in: 0...255) }
                #expect(throws: DecodingError.self) { try decoder.decode(noise) }
                #expect(throws: DecodingError.self) {
                    try decoder.decode([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + noise)
                }
            }
        }

        @Test func aCancelledTaskStopsDecoding() async throws {
            let file = try encode(makePicture(64, 64), with: PNGEncoder())
            let error = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return PNGDecoder().failure(of: file)
            }.value
            #expect(error == .cancelled)
        }
    }
#endif
