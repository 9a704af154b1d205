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
            let light = image.bitmap.bytes.enumerated().filter { $0.offset % 4 < 3 }.map { Int($0.element) }
            #expect(light.reduce(0, +) / light.count > 25 && (light.max() ?? 0) > 200)
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
        /// Of straight components, as numbers from 0 to 1: of some hundred thousand, which is enough.
        fileprivate func difference(to other: Bitmap) throws -> (rms: Double, peak: Double) {
            try #require(size == other.size)
            let count = 4 * size.pixelCount
            let step = count / 150_000 | 1
            var (sum, peak, sampleCount) = (0.0, 0.0, 0.0)
            withUnsafeBytes { left in
                other.withUnsafeBytes { right in
                    for index in stride(from: 0, to: count, by: step) {
                        let difference = component(index, of: left) - other.component(index, of: right)
                        sum += difference * difference
                        peak = max(peak, abs(difference))
                        sampleCount += 1
                    }
                }
            }
            return ((sum / sampleCount).squareRoot(), peak)
        }

        private func component(_ index: Int, of bytes: UnsafeRawBufferPointer) -> Double {
            format == .rgba16Straight
                ? Double(bytes.load(fromByteOffset: 2 * index, as: UInt16.self)) / 65535 : Double(bytes[index]) / 255
        }
    }
#endif
