#if HEIF
    import BowerbirdCore
    import BowerbirdTestSupport
    import Testing

    @testable import BowerbirdCodecs

    @Suite("Damaged HEIF files", heifCanBeWritten)
    struct HEIFDamageTests {
        private let decoder = HEIFDecoder()
        private let limits = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1 << 20))

        @Test func emptyFilesAreCalledEmpty() {
            #expect(throws: DecodingError.empty) { try decoder.decode([]) }
            #expect(throws: DecodingError.empty) { try decoder.header(of: []) }
            #expect(throws: DecodingError.empty) { try decoder.metadata(of: []) }
        }

        @Test func noPrefixIsAPicture() throws {
            let file = try heif(makePicture(64, 48, isOpaque: false))
            for count in stride(from: 1, to: file.count, by: 3) {
                #expect(throws: DecodingError.truncated(atByte: count)) { try decoder.decode(Array(file[..<count])) }
            }
        }

        @Test func theHeaderComesFromTheFirstBytes() throws {
            let file = try heif(makePicture(64, 48, isOpaque: false)) {
                $0.metadata = ImageMetadata(exif: exif(orientation: 1, isBigEndian: true))
            }
            let header = try decoder.header(of: file)
            let data = try #require(file.offset(of: "mdat"))
            for count in 1..<file.count {
                let part = Array(file[..<count])
                if count < data - 4 {
                    #expect(throws: DecodingError.truncated(atByte: count)) { try decoder.header(of: part) }
                } else if count > data + 4 {
                    #expect(try decoder.header(of: part) == header)
                }
            }
        }

        @Test func aFileThatLacksOnlyOtherThingsIsShown() throws {
            let file = try heif(makePicture(64, 48)) {
                $0.metadata = ImageMetadata(xmp: Array(repeating: 0x20, count: 300))
            }
            let image = try decoder.decode(Array(file.dropLast(200)))
            #expect(image.warnings == [.truncated(atByte: file.count - 200)])
            #expect(try image.bitmap.bytes == decoder.decode(file).bitmap.bytes)
        }

        @Test func whatIsTooLargeIsRefusedByItsLimit() throws {
            let file = try heif(makePicture(64, 48))
            let tooSmall = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 3071))
            #expect(throws: DecodingError.tooLarge(PixelSize(width: 64, height: 48), maximumPixelCount: 3071)) {
                try decoder.decode(file, tooSmall)
            }
            let profile = ColorProfile.icc(ICCProfile(bytes: Array(repeating: 1, count: 200)))
            let noProfile = DecodingOptions(limits: DecodingLimits(maximumMetadataByteCount: 199))
            #expect(throws: DecodingError.tooMuchMetadata(maximumByteCount: 199)) {
                try decoder.decode(heif(makePicture(64, 48)) { $0.profile = profile }, noProfile)
            }
        }

        @Test(arguments: [UInt32.max, 1 << 30, 60_000, 0])
        func aForgedSizeIsNoPicture(side: UInt32) throws {
            let file = try heif(makePicture(64, 64))
            let place = try #require(file.offset(of: "ispe")) + 8
            let forged = file.replacing(at: place, with: bigEndian(side) + bigEndian(side))
            #expect(throws: DecodingError.self) { try decoder.decode(forged, limits) }
            _ = try? decoder.header(of: forged)
        }

        @Test func noFlippedBitTraps() throws {
            var generator = SeededRandom(seed: 8)
            let files = try [
                heif(makePicture(64, 48, isOpaque: false)), heif(makePicture(64, 64)) { $0.orientation = .leftBottom },
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
            var generator = SeededRandom(seed: 9)
            let beginning = bigEndian(16) + Array("ftypheic".utf8) + [0, 0, 0, 0]
            for count in [1, 2, 10, 1000] {
                let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                #expect(throws: DecodingError.self) { try decoder.decode(noise) }
                #expect(throws: DecodingError.self) { try decoder.decode(beginning + noise) }
                #expect(throws: DecodingError.self) { try decoder.header(of: beginning + noise) }
            }
        }

        @Test func aSequenceWithoutAStillSaysSo() throws {
            var file = bigEndian(16) + Array("ftyphevc".utf8)
            file += [0, 0, 0, 0] + bigEndian(8) + Array("moov".utf8)
            let error = DecodingError.corrupt("it is a sequence without a still picture")
            #expect(throws: error) { try decoder.header(of: file) }
            #expect(throws: error) { try decoder.decode(file) }
        }
    }

    @Suite("How the parts of HEIF files hang together")
    struct HEIFPartsTests {
        @Test func picturesOfPicturesArePictures() throws {
            try check([("dimg", 1, [2, 3, 4]), ("auxl", 5, [1]), ("dimg", 6, [1]), ("thmb", 7, [1])])
        }

        @Test func aCircleIsTooDeep() {
            let error = DecodingError.tooDeeplyNested(maximum: 64)
            #expect(throws: error) { try check([("dimg", 1, [1])]) }
            #expect(throws: error) { try check([("dimg", 1, [2]), ("dimg", 2, [3]), ("dimg", 3, [1])]) }
            #expect(throws: error) { try check([("dimg", 1, [2]), ("auxl", 1, [2])]) }
            // Cdsc references describe; nobody follows them.
            #expect(throws: Never.self) { try check([("cdsc", 1, [1])]) }
        }

        @Test func depthIsLimited() throws {
            let chain: [(String, UInt16, [UInt16])] = (1...80).map { ("dimg", $0, [$0 + 1]) }
            try check(Array(chain.prefix(60)))
            #expect(throws: DecodingError.tooDeeplyNested(maximum: 64)) { try check(chain) }
        }

        @Test func partsOfPartsAreCounted() {
            let doubling: [(String, UInt16, [UInt16])] = (1...40).map { ("dimg", $0, [$0 + 1, $0 + 1]) }
            #expect(throws: DecodingError.corrupt("it has more than 20,000 parts")) { try check(doubling) }
        }

        @Test func aForgedCountIsNoLongerThanItsBox() throws {
            let file = file(with: box("iref", bigEndian(0) + box("dimg", [0, 1, 0xFF, 0xFF, 0, 2])))
            try check(file)
        }

        private func check(_ references: [(String, UInt16, [UInt16])]) throws {
            for isLong in [false, true] {
                func item(_ value: UInt16) -> [UInt8] {
                    isLong ? bigEndian(UInt32(value)) : Array(bigEndian(UInt32(value)).suffix(2))
                }
                let boxes = references.flatMap { type, from, items in
                    let count = Array(bigEndian(UInt32(items.count)).suffix(2))
                    return box(type, item(from) + count + items.flatMap(item))
                }
                try check(file(with: box("iref", [isLong ? 1 : 0, 0, 0, 0] + boxes)))
            }
        }

        private func check(_ file: [UInt8]) throws(DecodingError) {
            try HEIFParts(in: file.span.bytes).check(DecodingLimits())
        }

        private func file(with box: [UInt8]) -> [UInt8] { self.box("meta", bigEndian(0) + box) }

        private func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
            bigEndian(UInt32(contents.count + 8)) + Array(type.utf8) + contents
        }
    }
#endif
