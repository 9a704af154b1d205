import BowerbirdCodecs
import BowerbirdCore

/// PNG files: those that the fuzzer makes up, with right checksums, and those that are made of what it makes up.
struct PNGProbe {
    private let limits: DecodingLimits

    init(_ limits: DecodingLimits) { self.limits = limits }

    func check(_ bytes: RawSpan) {
        let input = bytes.withUnsafeBytes { Array($0) }
        guard input.starts(with: PNGSketch.signature) else { return compareWays(PNGSketch(input).file) }
        let file = PNGRepair.repaired(input, numbersFrames: input.count.isMultiple(of: 2))
        compareWays(file)
        CodecProbe(PNGDecoder(), limits).check(file.span.bytes)
    }

    /// Our own way for files without a fault gives what libpng gives.
    private func compareWays(_ file: [UInt8]) {
        let bytes = file.span.bytes
        guard let size = try? PNGDecoder().header(of: bytes).storedSize, (try? limits.check(size)) != nil,
            let facts = try? PNGFacts(of: bytes, limits)
        else { return }
        for pixels in [DecodingOptions.Pixels.exact, .display] {
            let ours = try? PNGStill.pixels(of: facts, in: bytes, pixels)
            let theirs = try? PNGStill.pixelsThroughLibrary(of: facts, in: bytes, pixels)
            expect((ours?.0).hasPixels(of: theirs?.0), "libpng gives other pixels")
            expect(ours?.0.isOpaque == theirs?.0.isOpaque, "libpng gives another opacity")
            expect(ours?.1 == theirs?.1, "libpng has other warnings")
        }
    }
}
