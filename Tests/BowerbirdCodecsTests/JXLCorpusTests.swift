#if JXL && PNG
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdRaster
    import Testing

    @Suite("Decoding JPEG XL from the corpus", Corpus.isPresent)
    struct JXLCorpusTests {
        private let exact = DecodingOptions(pixels: .exact, color: .asStored)

        private static let files = [
            "alpha_premultiplied", "animation_icos4d", "animation_spline", "bench_oriented_brg", "bicycles",
            "blendmodes", "delta_palette", "grayscale", "grayscale_public_university", "lossless_pfm", "lz77_flower",
            "opsin_inverse", "patches", "patches_lossless", "spot", "sunset_logo", "upsampling",
        ]

        /// The references have 8 or 16 bits, so that the tolerances of the suite, which are for floating point, count
        /// where they are larger than half a level: a level lies between two that are rounded from nearly the same.
        @Test(arguments: files)
        func picturesEqualTheirReferences(name: String) throws {
            let image = try JXLDecoder().decode(Corpus.bytes("jxl/\(name)/input.jxl"), exact)
            let extensions = name.hasPrefix("animation") ? "apng" : "png"
            let reference = try PNGDecoder().decode(Corpus.bytes("jxl/\(name)/ref.\(extensions)"), exact).bitmap
            let difference = try image.bitmap.difference(to: reference)
            let level = reference.format == .rgba16Straight ? 2.0 / 65535 : 1.0 / 255
            // Its colours are those of a profile that is left for sRGB, which costs a level more.
            let levels = name == "patches" ? 2.01 : 1.01
            #expect(difference.peak < level * levels && difference.rms < level * levels / 3)
            #expect(image.warnings.isEmpty)
        }

        /// Made noise is random: libjxl 0.7 has another row of numbers than the reference. Seen from afar it is the same.
        @Test func noiseHasTheLookOfItsReference() throws {
            let image = try JXLDecoder().decode(Corpus.bytes("jxl/noise/input.jxl"))
            let reference = try PNGDecoder().decode(Corpus.bytes("jxl/noise/ref.png"))
            let size = PixelSize(width: 50, height: 61)
            let difference = try image.bitmap.resampled(to: size).meanDifference(
                to: reference.bitmap.resampled(to: size))
            #expect(difference < 3)
        }

        /// Inks become colours without their profile, which differs from the reference, and most where they are dense.
        @Test func inksComeNearTheirReference() throws {
            let image = try JXLDecoder().decode(Corpus.bytes("jxl/cmyk_layers/input.jxl"))
            let reference = try PNGDecoder().decode(Corpus.bytes("jxl/cmyk_layers/ref.png"))
            #expect(try image.bitmap.meanDifference(to: reference.bitmap) < 12)
        }

        @Test(arguments: ["bike", "cafe", "grayscale_jpeg", "progressive"])
        func filesWithoutReferenceAreDecoded(name: String) throws {
            let image = try JXLDecoder().decode(Corpus.bytes("jxl/\(name)/input.jxl"), .fitting(200, 200))
            #expect(image.warnings.isEmpty && image.bitmap.isOpaque)
        }

        @Test func brightLightIsShown() throws {
            let file = try Corpus.bytes("sdwebimage/TestHDR.jxl")
            let image = try JXLDecoder().decode(file, .fitting(400, 400))
            #expect(image.header.profile == .cicp(CodingPoints(primaries: 9, transfer: 16)) && image.profile == .sRGB)
            let light = (0..<400).map { Int(image.bitmap.pixel($0, 60)[1]) }
            #expect(light.reduce(0, +) / 400 > 50 && (light.max() ?? 0) > 150)
            #expect(try JXLDecoder().decode(file, DecodingOptions(color: .asStored)).profile == image.header.profile)
        }

        @Test(arguments: ["animation_icos4d", "animation_spline", "animation_newtons_cradle"])
        func framesAreTheSameInAnyOrder(name: String) throws {
            let file = try Corpus.bytes("jxl/\(name)/input.jxl")
            let frames = try #require(try JXLDecoder().frames(in: file))
            let count = ["animation_icos4d": 48, "animation_spline": 60, "animation_newtons_cradle": 36][name]
            try #require(frames.frameCount == count)
            let inOrder = try (0..<12).map { try frames.frame(at: $0).bytes }
            #expect(try inOrder[0] == JXLDecoder().decode(file).bitmap.bytes && inOrder[0] != inOrder[11])
            for index in [11, 3, 7, 0] { #expect(try frames.frame(at: index).bytes == inOrder[index]) }
            _ = try frames.frame(at: frames.frameCount - 1)
        }
    }

    extension Bitmap {
        /// Straight components as numbers from 0 to 1.
        fileprivate var components: [Double] {
            withUnsafeBytes { bytes in
                format == .rgba16Straight
                    ? bytes.bindMemory(to: UInt16.self).map { Double($0) / 65535 } : bytes.map { Double($0) / 255 }
            }
        }

        fileprivate func difference(to other: Bitmap) throws -> (rms: Double, peak: Double) {
            try #require(size == other.size)
            var (sum, peak) = (0.0, 0.0)
            for (left, right) in zip(components, other.components) {
                sum += (left - right) * (left - right)
                peak = max(peak, abs(left - right))
            }
            return ((sum / Double(size.pixelCount * 4)).squareRoot(), peak)
        }
    }
#endif
