#if PNG
    @testable import BowerbirdCodecs
    import BowerbirdCore
    import Testing

    @Suite("What PNG files carry beside their pixels")
    struct PNGMetadataTests {
        private let decoder = PNGDecoder()

        private func file(_ chunks: (type: String, data: [UInt8])...) throws -> [UInt8] {
            var parts = PNGParts(of: try encode(makePicture(4, 4), with: PNGEncoder()))
            parts.chunks.removeAll { $0.type == "sRGB" }
            for chunk in chunks.reversed() { parts.insert(chunk.type, chunk.data) }
            return parts.file
        }

        private func metadata(
            of file: [UInt8], _ limits: DecodingLimits = DecodingLimits()
        ) throws(DecodingError) -> ImageMetadata {
            try decoder.metadata(of: file.span.bytes, limits)
        }

        private func profile(_ bytes: [UInt8]) throws -> [UInt8] { Array("a\0\0".utf8) + stored(bytes) }

        @Test func everyKindOfTextIsRead() throws {
            let text = try file(
                ("tEXt", Array("Author\0".utf8) + [0x4A, 0xFC, 0x72, 0x67]),
                ("zTXt", Array("Story\0\0".utf8) + stored(Array("long".utf8))),
                ("iTXt", Array("Title\0\0\0de\0Titel\0".utf8) + Array("Vögel".utf8)),
                ("iTXt", Array("Note\0".utf8) + [1, 0, 0, 0] + stored(Array("日本".utf8))))
            #expect(
                try metadata(of: text).texts == [
                    .init(keyword: "Author", text: "Jürg"), .init(keyword: "Story", text: "long"),
                    .init(keyword: "Title", text: "Vögel"), .init(keyword: "Note", text: "日本"),
                ])
        }

        @Test func whatStandsBehindThePixelsIsReadToo() throws {
            var parts = PNGParts(of: try encode(makePicture(4, 4), with: PNGEncoder()))
            let data = exif(orientation: 6, isBigEndian: true)
            parts.chunks.insert(("eXIf", data), at: parts.chunks.count - 1)
            parts.chunks.insert(("tEXt", Array("a\0b".utf8)), at: parts.chunks.count - 1)
            let read = try metadata(of: parts.file)
            #expect(read.exif == data && read.texts == [.init(keyword: "a", text: "b")])
        }

        @Test func densityWithoutAUnitIsNone() throws {
            let numbers = bigEndian(11811) + bigEndian(5906)
            let density = try #require(try metadata(of: file(("pHYs", numbers + [1]))).density)
            #expect(abs(density.horizontal - 300) < 0.1 && abs(density.vertical - 150) < 0.1)
            #expect(try metadata(of: file(("pHYs", numbers + [0]))).density == nil)
            #expect(try metadata(of: file(("pHYs", numbers))).density == nil)
            #expect(try metadata(of: file(("pHYs", bigEndian(0) + bigEndian(1) + [1]))).density == nil)
        }

        @Test func whatMakesNoSenseIsLeftOut() throws {
            let nonsense = try file(
                ("tEXt", []), ("tEXt", [0, 65]), ("tEXt", Array(repeating: 65, count: 200)), ("zTXt", [65, 0, 1, 2]),
                ("zTXt", [65, 0, 0, 1, 2, 3]), ("iTXt", [65, 0]), ("iTXt", [65, 0, 1, 7, 0, 0, 1]), ("eXIf", [1, 2, 3]))
            #expect(try metadata(of: nonsense).isEmpty)
            var damaged = try file(("tEXt", Array("a\0b".utf8)))
            damaged[44] ^= 1
            #expect(try metadata(of: damaged).isEmpty)
        }

        @Test func aFileThatEndsEarlyTellsWhatItHas() throws {
            let whole = try file(("tEXt", Array("a\0b".utf8)), ("tEXt", Array("c\0d".utf8)))
            #expect(try metadata(of: Array(whole[..<60])).texts.count == 1)
            for count in whole.indices.dropFirst() { _ = try? metadata(of: Array(whole[..<count])) }
            #expect(throws: DecodingError.empty) { try metadata(of: []) }
        }

        @Test func moreThanTheLimitIsRefused() throws {
            let limits = DecodingLimits(maximumMetadataByteCount: 1000)
            let error = DecodingError.tooMuchMetadata(maximumByteCount: 1000)
            let long = Array(repeating: UInt8(65), count: 1001)
            #expect(throws: error) { try metadata(of: file(("tEXt", [65, 0] + long)), limits) }
            #expect(throws: error) { try metadata(of: file(("eXIf", long)), limits) }
            let half = Array(long[..<600])
            #expect(throws: error) {
                try metadata(of: file(("tEXt", [65, 0] + half), ("tEXt", [65, 0] + half)), limits)
            }
            #expect(try metadata(of: file(("tEXt", [65, 0] + half)), limits).texts.count == 1)
        }

        @Test func aBombOfTextIsRefused() throws {
            let bomb = try Deflating.deflate(Array(repeating: 65, count: 2 << 20))
            let limits = DecodingLimits(maximumMetadataByteCount: 1 << 20)
            let error = DecodingError.tooMuchMetadata(maximumByteCount: 1 << 20)
            #expect(throws: error) { try metadata(of: file(("zTXt", [65, 0, 0] + bomb)), limits) }
            #expect(throws: error) { try metadata(of: file(("iTXt", [65, 0, 1, 0, 0, 0] + bomb)), limits) }
            #expect(try decoder.decode(file(("zTXt", [65, 0, 0] + bomb))).warnings.isEmpty)
        }

        // MARK: Profiles

        @Test func aBombOfAProfileIsRefused() throws {
            let bomb = try file(("iCCP", [65, 0, 0] + Deflating.deflate(Array(repeating: 0, count: 2 << 20))))
            let options = DecodingOptions(limits: DecodingLimits(maximumMetadataByteCount: 1 << 20))
            #expect(decoder.failure(of: bomb, options) == .tooMuchMetadata(maximumByteCount: 1 << 20))
        }

        @Test func aProfileThatIsNoneIsIgnored() throws {
            for data in [[], [65, 0], [65, 0, 1] + stored([1]), [65, 0, 0, 1, 2], [65, 0, 0] + stored([1, 2, 3])] {
                #expect(try decoder.header(of: file(("iCCP", data))).profile == .unspecified)
            }
            // A grey profile is none for colours, nor is one for ink.
            for space in ["GRAY", "CMYK"] {
                let data = try profile(makeProfile(space, count: 200))
                #expect(try decoder.header(of: file(("iCCP", data))).profile == .unspecified)
            }
        }

        @Test func theMostPreciseProfileCounts() throws {
            let icc = makeProfile("RGB ", count: 200)
            let chunks: [(String, [UInt8])] = [("sRGB", [0]), ("iCCP", try profile(icc)), ("cICP", [9, 16, 0, 1])]
            #expect(try decoder.header(of: file(chunks[0])).profile == .sRGB)
            #expect(try decoder.header(of: file(chunks[0], chunks[1])).profile == .icc(ICCProfile(bytes: icc)))
            let points = CodingPoints(primaries: 9, transfer: 16)
            #expect(try decoder.header(of: file(chunks[0], chunks[1], chunks[2])).profile == .cicp(points))
            #expect(try decoder.header(of: file(("cICP", [9, 16, 1, 1]))).profile == .unspecified)
            #expect(try decoder.header(of: file(("cICP", [9, 16, 0]))).profile == .unspecified)
        }

        @Test func pixelsOfAnotherColourSpaceBecomeSRGB() throws {
            let stored = try decoder.decode(file(("cICP", [12, 13, 0, 1])), DecodingOptions(color: .asStored))
            let shown = try decoder.decode(file(("cICP", [12, 13, 0, 1])))
            #expect(stored.profile == .cicp(CodingPoints(primaries: 12, transfer: 13)) && shown.profile == .sRGB)
            #expect(stored.bitmap.bytes != shown.bitmap.bytes)
        }

        @Test("What files of the corpus carry is found", Corpus.isPresent)
        func profilesOfTheCorpus() throws {
            #expect(try metadata(of: Corpus.bytes("pillow/exif.png")).exif != nil)
            #expect(try metadata(of: Corpus.bytes("sdwebimage/TestEXIF.png")).xmp?.count == 344)
            for path in try Corpus.files(in: "pngsuite", ending: ".png") where path.hasPrefix("pngsuite/ct") {
                let texts = try metadata(of: Corpus.bytes(path)).texts
                #expect(texts.isEmpty == path.hasPrefix("pngsuite/ct0"), "\(path)")
            }
            let density = try metadata(of: Corpus.bytes("pngsuite/cdun2c08.png")).density
            #expect(abs((density?.horizontal ?? 0) - 25.4) < 0.1)
        }
    }
#endif
