#if PNG
    @testable import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdTestSupport
    import Testing

    /// Whole files do not go through libpng; these tests hold both ways side by side.
    @Suite("PNG pixels are the same through libpng and without it")
    struct PNGSamePixelsTests {
        private static let kinds: [DecodingOptions.Pixels] = [.display, .exact]

        private func compare(_ file: [UInt8], isPlain: Bool = true, _ name: String) throws {
            let facts = try PNGFacts(of: file.span.bytes, DecodingLimits())
            for pixels in Self.kinds {
                let whole = try PNGWholePicture(facts, in: file.span.bytes)?.pixels(from: file.span.bytes, pixels)
                #expect((whole != nil) == isPlain, "\(name)")
                let slow = try PNGStill.pixelsThroughLibrary(of: facts, in: file.span.bytes, pixels)
                #expect(slow.1.isEmpty, "\(name)")
                guard let whole else { continue }
                #expect(whole.format == slow.0.format && whole.isOpaque == slow.0.isOpaque, "\(name)")
                #expect(whole.bytes == slow.0.bytes, "\(name), \(pixels)")
            }
        }

        @Test(arguments: PNGKind.all, [true, false])
        func everyKindAndFilter(kind: PNGKind, isTransparent: Bool) throws {
            var random = SeededRandom(seed: 11)
            for (width, height) in [(1, 1), (3, 6), (8, 5), (61, 12), (1, 40)] {
                let file = makeNoisePNG(kind, width, height, isTransparent: isTransparent, random: &random).file
                try compare(file, isPlain: kind.bits < 16, "\(width) × \(height)")
            }
        }

        @Test func valuesBehindTheEndOfAPaletteAreBlack() throws {
            var random = SeededRandom(seed: 12)
            let kind = PNGKind(bits: 8, colors: 3, components: 1)
            let file = makeNoisePNG(kind, 30, 30, isTransparent: true, paletteCount: 100, random: &random).file
            try compare(file, "100 colours")
        }

        @Test func unusualFilesAreLeftToTheLibrary() throws {
            var random = SeededRandom(seed: 13)
            let parts = makeNoisePNG(PNGKind(bits: 8, colors: 2, components: 3), 9, 9, random: &random)
            let facts: ([UInt8]) throws -> PNGFacts = { try PNGFacts(of: $0.span.bytes, DecodingLimits()) }
            let isWhole: ([UInt8]) throws -> Bool = { file in
                try PNGWholePicture(facts(file), in: file.span.bytes)?.pixels(from: file.span.bytes, .exact) != nil
            }
            #expect(try isWhole(parts.file))
            var other = parts
            other.chunks.insert(("tEXt", Array("a\0b".utf8)), at: 2)
            #expect(try !isWhole(other.file), "pixels behind another chunk")
            other = parts
            other.chunks.insert(("ABCD", []), at: 1)
            #expect(try !isWhole(other.file), "a chunk that nobody knows")
            other = parts
            other.chunks.removeLast()
            #expect(try !isWhole(other.file), "no end")
            other = parts
            other.chunks[1].data[30] ^= 1
            #expect(try !isWhole(other.file), "a wrong checksum of all pixels")
            var file = parts.file
            file[file.count - 20] ^= 1
            #expect(try !isWhole(file), "a wrong checksum of a chunk")
            other = parts
            other.chunks.insert(("PLTE", [1, 2]), at: 1)
            #expect(try !isWhole(other.file), "a palette of two thirds")
            other = parts
            other.chunks[0].data[3] = 8
            #expect(try !isWhole(other.file), "more pixels than the picture has")
            other.chunks[0].data[3] = 10
            #expect(try !isWhole(other.file), "fewer pixels than the picture has")
        }

        @Test("Every file of the suite", Corpus.isPresent)
        func everyFileOfTheSuite() throws {
            for path in try Corpus.files(in: "pngsuite", ending: ".png") where !path.hasPrefix("pngsuite/x") {
                let file = try Corpus.bytes(path)
                let facts = try PNGFacts(of: file.span.bytes, DecodingLimits())
                // Files whose pixels are in pieces of a byte, and everything else that is legal, count as whole.
                try compare(file, isPlain: facts.layout.bitDepth < 16 && !facts.layout.isInterlaced, path)
            }
        }
    }
#endif
