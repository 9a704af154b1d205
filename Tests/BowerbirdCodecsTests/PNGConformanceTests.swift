#if PNG
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdTestSupport
    import Testing

    @Suite("What the PNG decoder promises, for files of every kind")
    struct PNGConformanceTests {
        private func violations(of file: [UInt8]) async -> [String] {
            await DecoderConformance(of: PNGDecoder(), file: file, in: .builtIn).violations()
        }

        @Test(arguments: PNGKind.all)
        func everyKind(kind: PNGKind) async throws {
            var random = SeededRandom(seed: 51)
            let file = makeNoisePNG(kind, 23, 11, isTransparent: true, random: &random).file
            #expect(await violations(of: file) == [])
        }

        @Test func interlaced() async throws {
            let file = makeInterlacedPNG(of: try makePicture(23, 11, format: .rgba8Straight, isOpaque: false))
            #expect(await violations(of: file) == [])
        }

        @Test func turnedAndInAnotherColourSpace() async throws {
            var options = EncodingOptions()
            options.orientation = .rightTop
            options.profile = .cicp(CodingPoints(primaries: 12, transfer: 13))
            let file = try PNGEncoder().encode(makePicture(23, 11, isOpaque: false), options)
            #expect(await violations(of: file.withUnsafeBytes { Array($0) }) == [])
        }

        @Test(arguments: [true, false])
        func animated(beginsWithStill: Bool) async throws {
            var parts = APNGParts(9, 7, frameCount: 4)
            if !beginsWithStill { parts.addStill([9, 9, 9, 255]) }
            parts.addFrame([255, 0, 0, 255], isStill: beginsWithStill)
            parts.addFrame([0, 255, 0, 100], x: 2, y: 1, width: 3, height: 3, disposal: 1, blend: 1)
            parts.addFrame([0, 0, 255, 200], width: 5, height: 5, disposal: 2, blend: 1)
            parts.addFrame([7, 7, 7, 255], x: 8, y: 6, width: 1, height: 1)
            #expect(await violations(of: parts.file) == [])
        }
    }
#endif
