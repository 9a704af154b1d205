import CKernels
import Testing

@Suite struct KernelPremultiplyingTests {
    /// A pixel for each colour and alpha. The other two channels differ, so that a swap shows.
    static let allPairs: [UInt8] = {
        let bytes = UInt8.min...UInt8.max
        return bytes.flatMap { alpha in
            bytes.flatMap { colour -> [UInt8] in [colour, 255 - colour, colour ^ 0x5A, alpha] }
        }
    }()
    static let pairCount = allPairs.count / 4

    @Test func everyPairOfColourAndAlphaIsRoundedExactlyInPlace() {
        var pixels = Self.allPairs
        bb_premultiply_bgra(&pixels, Self.pairCount)
        #expect(pixels == mapPixels(Self.allPairs, order: [0, 1, 2], premultiplied))
    }

    @Test func everyPairOfColourAndAlphaIsRoundedExactlyFromRGBA() {
        var pixels = [UInt8](repeating: 0, count: Self.allPairs.count)
        bb_premultiply_rgba_to_bgra(Self.allPairs, &pixels, Self.pairCount)
        #expect(pixels == mapPixels(Self.allPairs, order: [2, 1, 0], premultiplied))
    }

    @Test func everyPairOfColourAndAlphaIsDividedExactly() {
        var pixels = [UInt8](repeating: 0, count: Self.allPairs.count)
        bb_unpremultiply_bgra_to_rgba(Self.allPairs, &pixels, Self.pairCount)
        #expect(pixels == mapPixels(Self.allPairs, order: [2, 1, 0], straight))
    }

    @Test func whatWasPremultipliedSurvivesTheWayBackAndForth() {
        var pixels = Self.allPairs
        bb_premultiply_bgra(&pixels, Self.pairCount)
        let before = pixels
        inPlace(&pixels, bb_unpremultiply_bgra_to_rgba)
        inPlace(&pixels, bb_premultiply_rgba_to_bgra)
        #expect(pixels == before)
    }

    @Test(arguments: 0...40)
    func onlyTheCountedPixelsAreTouched(_ count: Int) {
        let source = Array(Self.allPairs[40_000..<40_000 + 4 * 41])
        var pixels = source
        bb_premultiply_bgra(&pixels, count)
        #expect(pixels[(4 * count)...] == source[(4 * count)...])
        let expected = mapPixels(Array(source[..<(4 * count)]), order: [0, 1, 2], premultiplied)
        #expect(Array(pixels[..<(4 * count)]) == expected)
    }
}

@Suite struct KernelCMYKTests {
    static let allPairs = KernelPremultiplyingTests.allPairs

    @Test func invertedInkMultipliesAsItStands() {
        var pixels = [UInt8](repeating: 0, count: Self.allPairs.count)
        bb_cmyk_to_bgra(Self.allPairs, &pixels, Self.allPairs.count / 4, true)
        #expect(pixels == opaque(mapPixels(Self.allPairs, order: [2, 1, 0], premultiplied)))
    }

    @Test func inkMultipliesByWhatItLeaves() {
        var pixels = [UInt8](repeating: 0, count: Self.allPairs.count)
        bb_cmyk_to_bgra(Self.allPairs, &pixels, Self.allPairs.count / 4, false)
        let remaining = mapPixels(Self.allPairs, order: [2, 1, 0]) { premultiplied(255 - $0, 255 - $1) }
        #expect(pixels == opaque(remaining))
    }

    @Test func pureInksGiveTheirColours() {
        let cyanMagentaYellowBlackPaper: [UInt8] = [
            255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0,
        ]
        var pixels = [UInt8](repeating: 0, count: 20)
        bb_cmyk_to_bgra(cyanMagentaYellowBlackPaper, &pixels, 5, false)
        #expect(
            pixels == [
                255, 255, 0, 255, 255, 0, 255, 255, 0, 255, 255, 255, 0, 0, 0, 255, 255, 255, 255, 255,
            ])
    }

    @Test func sourceAndDestinationMayBeTheSame() {
        var apart = [UInt8](repeating: 0, count: Self.allPairs.count)
        bb_cmyk_to_bgra(Self.allPairs, &apart, Self.allPairs.count / 4, true)
        var together = Self.allPairs
        inPlace(&together) { bb_cmyk_to_bgra($0, $1, $2, true) }
        #expect(together == apart)
    }

    private func opaque(_ pixels: [UInt8]) -> [UInt8] {
        pixels.indices.map { $0 % 4 == 3 ? 255 : pixels[$0] }
    }
}

private func premultiplied(_ colour: Int, _ alpha: Int) -> Int { (colour * alpha + 127) / 255 }

private func straight(_ colour: Int, _ alpha: Int) -> Int {
    alpha == 0 ? 0 : min(255, (colour * 255 + alpha / 2) / alpha)
}

/// Applies the formula to the three channels, taken in this order, with the fourth; the fourth stays.
private func mapPixels(_ pixels: [UInt8], order: [Int], _ formula: (Int, Int) -> Int) -> [UInt8] {
    stride(from: 0, to: pixels.count, by: 4).flatMap { start in
        let fourth = pixels[start + 3]
        return order.map { UInt8(formula(Int(pixels[start + $0]), Int(fourth))) } + [fourth]
    }
}

/// Runs a kernel with one buffer as both its source and its destination.
private func inPlace(
    _ pixels: inout [UInt8], _ kernel: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>, Int) -> Void
) {
    pixels.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        kernel(UnsafePointer(base), base, buffer.count / 4)
    }
}
