#if AVIF
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdRaster
    import Testing

    @Suite("Decoding AVIF from the corpus", Corpus.isPresent)
    struct AVIFCorpusTests {
        private let decoder = AVIFDecoder()

        @Test(arguments: ["", ".mirror-horizontal", ".mirror-vertical", ".rotate90", ".rotate270", ".crop"])
        func storedPixelsAreThoseOfTheReference(name: String) throws {
            let image = try decoder.decode(Corpus.bytes("avif/kimono\(name).avif"))
            let expected = try PNGDecoder().decode(Corpus.bytes("avif/kimono\(name).png")).bitmap
            #expect(image.warnings.isEmpty)
            // The references are what was stored; all files show the same picture.
            #expect(try image.bitmap.meanDifference(to: expected.oriented(image.header.orientation)) <= 4)
        }

        @Test(arguments: [".mirror-horizontal", ".mirror-vertical.rotate270", ".rotate90", ".rotate270"])
        func turnedFilesShowThePictureUpright(name: String) throws {
            let image = try decoder.decode(Corpus.bytes("avif/kimono\(name).avif"))
            let expected = try PNGDecoder().decode(Corpus.bytes("avif/kimono.png")).bitmap
            #expect(try image.bitmap.meanDifference(to: expected) <= 4)
        }

        @Test func cuttingComesBeforeTurning() throws {
            let image = try decoder.decode(Corpus.bytes("avif/kimono.mirror-vertical.rotate270.crop.avif"))
            let expected = try PNGDecoder().decode(Corpus.bytes("avif/kimono.crop.png")).bitmap
            #expect(image.header.storedSize == PixelSize(width: 330, height: 385))
            #expect(try image.bitmap.meanDifference(to: expected) <= 4)
        }

        @Test(
            arguments: zip(
                ["rot0mir0", "rot0mir1", "rot1mir0", "rot1mir1", "rot2mir0", "rot2mir1", "rot3mir0", "rot3mir1"],
                [4, 2, 5, 7, 2, 4, 7, 5] as [UInt8]))
        func turnsAndMirrorsAreOrientations(name: String, orientation: UInt8) throws {
            let header = try decoder.header(of: Corpus.bytes("pillow/avif/\(name).avif"))
            #expect(header.orientation.rawValue == orientation)
        }

        @Test func aPictureOfHighDynamicRangeSaysSo() throws {
            let image = try decoder.decode(Corpus.bytes("sdwebimage/TestHDR.avif"), .fitting(200, 200))
            #expect(image.header.profile == .cicp(CodingPoints(primaries: 9, transfer: 16)))
            #expect(image.header.bitsPerComponent == 10)
        }

        @Test func filesOfOldEncodersAreRead() throws {
            for name in ["hopper-missing-pixi", "hopper", "transparency", "exif", "icc_profile", "icc_profile_none"] {
                let image = try decoder.decode(Corpus.bytes("pillow/avif/\(name).avif"))
                #expect(image.warnings.isEmpty && image.header.hasAlpha == (name == "transparency"), "\(name)")
            }
            _ = try decoder.decode(Corpus.bytes("heif/example.avif"))
        }

        @Test func filesThatLibavifRefusesSayWhy() throws {
            let name = "avif/plum-blossom-small.profile0.8bpc.yuv420.alpha-full.avif"
            let error = decoder.failure(of: try Corpus.bytes(name))
            guard case .corrupt(let reason)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains("ipma"))
        }

        @Test func metadataAreFound() throws {
            let exif = try decoder.metadata(of: Corpus.bytes("pillow/avif/exif.avif"))
            #expect(exif.exif?.first.map { $0 == 0x4D || $0 == 0x49 } == true)
            let xmp = try decoder.metadata(of: Corpus.bytes("pillow/avif/xmp_tags_orientation.avif"))
            #expect(xmp.xmp?.first == UInt8(ascii: "<"))
        }

        @Test(arguments: [
            ("avif/star-8bpc.avifs", 100, LoopCount.times(1)), ("avif/star-8bpc-with-alpha.avifs", 40, .forever),
        ])
        func aSequenceHasTheFramesOfItsReference(path: String, delay: Int, loopCount: LoopCount) throws {
            let bytes = try Corpus.bytes(path)
            let header = try decoder.header(of: bytes)
            #expect(header.isAnimated && header.frameCount == 5 && header.size == PixelSize(width: 159, height: 159))
            #expect(header.loopCount == loopCount)
            let file = try #require(EncodedImage(bytes))
            let source = try #require(try decoder.frames(in: file, DecodingOptions()))
            #expect(source.delays == Array(repeating: .milliseconds(delay), count: 5))
            let frames = try (0..<5).map { try source.frame(at: $0) }
            #expect(frames.allSatisfy { $0.isOpaque != header.hasAlpha })
            #expect(Set(frames.map(\.bytes)).count == 4)
            #expect(try decoder.decode(bytes).bitmap.bytes == frames[0].bytes)
        }
    }
#endif
