import BowerbirdCore
import BowerbirdRaster
import CKernels
import Testing

@Suite
struct `A row laid on another` {
    /// Premultiplied pixels with all kinds of alpha, and colours from none to the most that it allows.
    static let samples: [[UInt8]] = [0, 1, 2, 60, 127, 128, 200, 254, 255].flatMap { (alpha: UInt8) in
        [0, 0.01, 0.2, 0.24, 0.26, 0.5, 0.51, 0.75, 1].map { share in
            let color = { (factor: Double) in UInt8((Double(alpha) * factor).rounded(.down)) }
            return [color(share), color(1 - share), color(share * share), alpha]
        }
    }

    @Test(arguments: BlendMode.allCases, [255, 100, 1] as [UInt8])
    func isWithinOneLevelOfTheStandardsFormula(mode: BlendMode, opacity: UInt8) {
        for source in Self.samples {
            var row = Self.samples.flatMap(\.self)
            lay(Self.samples.flatMap { _ in source }, on: &row, Blending(mode, opacity: opacity))
            let wrong = Self.samples.indices.filter { index in
                let expected = Reference.blend(mode, source, Double(opacity) / 255, Self.samples[index])
                return !zip(row[index * 4..<index * 4 + 4], expected).allSatisfy { abs(Double($0) - $1) <= 1 }
            }
            #expect(wrong.isEmpty, "\(source) on \(wrong.map { Self.samples[$0] })")
        }
    }

    @Test(arguments: BlendMode.allCases)
    func neverMakesColourExceedAlpha(mode: BlendMode) {
        for source in Self.samples {
            var row = Self.samples.flatMap(\.self)
            lay(Self.samples.flatMap { _ in source }, on: &row, Blending(mode, opacity: 77))
            let pixels = stride(from: 0, to: row.count, by: 4).map { row[$0..<$0 + 4] }
            #expect(pixels.allSatisfy { pixel in pixel.allSatisfy { $0 <= pixel[pixel.endIndex - 1] } })
        }
    }

    @Test(arguments: BlendMode.allCases)
    func ofAColourIsThatOfARowOfIt(mode: BlendMode) {
        var (one, other) = (Self.samples.flatMap(\.self), Self.samples.flatMap(\.self))
        lay(Self.samples.flatMap { _ in [10, 200, 77, 255] }, on: &one, Blending(mode, opacity: 130))
        other.withUnsafeMutableBytes {
            Blending(mode, opacity: 130).blend(Color(red: 77, green: 200, blue: 10), on: $0)
        }
        #expect(one == other)
    }

    /// Rows of every length up to some blocks, so that all kinds of ends are met.
    @Test(arguments: BlendMode.allCases)
    func isTheSameWithEveryInstructionSet(mode: BlendMode) {
        for pixelCount in 1...9 {
            let source = Array(Self.samples.flatMap(\.self).prefix(4 * pixelCount))
            let before = Array(Self.samples.reversed().flatMap(\.self).prefix(4 * pixelCount))
            let rows = [BBInstructionSetPlain, BBInstructionSetAVX2].map { set in
                var row = before
                let mode = BBBlendMode(UInt32(BlendMode.allCases.firstIndex(of: mode) ?? 0))
                bb_blend_row(BBBlending(mode: mode, opacity: 99, instruction_set: set), source, &row, pixelCount)
                return row
            }
            #expect(rows[0] == rows[1])
        }
    }

    @Test func ofAModeThatDoesNotExistDoesNothing() {
        var row: [UInt8] = [1, 2, 3, 4]
        let blending = BBBlending(mode: BBBlendMode(99), opacity: 255, instruction_set: bb_best_instruction_set())
        bb_blend_row(blending, [255, 255, 255, 255], &row, 1)
        #expect(row == [1, 2, 3, 4])
    }

    @Test(arguments: BlendMode.allCases)
    func tellsTruthfullyWhetherTheResultIsOpaque(mode: BlendMode) {
        for (source, destination) in [(255, 255), (255, 40), (40, 255), (40, 40)] as [(UInt8, UInt8)] {
            let alpha = Reference.blend(mode, [0, 0, 0, source], 1, [0, 0, 0, destination])[3]
            let isOpaque = mode.isOpaque(source: source == 255, destination: destination == 255)
            #expect(!isOpaque || alpha == 255, "\(source) on \(destination)")
        }
    }

    @Test(arguments: BlendMode.allCases)
    func knowsWhereATransparentSourceChangesNothing(mode: BlendMode) {
        let destination: [UInt8] = [10, 20, 30, 40]
        let isTheSame = Reference.blend(mode, [0, 0, 0, 0], 1, destination) == destination.map(Double.init)
        #expect(mode.ignoresTransparency == isTheSame)
    }

    private func lay(_ source: [UInt8], on row: inout [UInt8], _ blending: Blending) {
        source.withUnsafeBytes { source in row.withUnsafeMutableBytes { blending.blend(source, on: $0) } }
    }
}

/// The formulas of W3C Compositing and Blending Level 1 as they stand there, on straight colours.
private enum Reference {
    /// From premultiplied bytes to premultiplied levels that are not rounded.
    static func blend(_ mode: BlendMode, _ source: [UInt8], _ opacity: Double, _ backdrop: [UInt8]) -> [Double] {
        let (sourceAlpha, backdropAlpha) = (Double(source[3]) / 255 * opacity, Double(backdrop[3]) / 255)
        let (first, second) = factors(mode, sourceAlpha, backdropAlpha)
        let alpha = min(1, sourceAlpha * first + backdropAlpha * second)
        let colors = (0..<3).map { index in
            let (sourceColor, backdropColor) = (straight(source, index), straight(backdrop, index))
            let mixed = mix(mode, backdropColor, sourceColor)
            let blended = (1 - backdropAlpha) * sourceColor + backdropAlpha * mixed
            return min(1, sourceAlpha * first * blended + backdropAlpha * second * backdropColor)
        }
        return (colors + [alpha]).map { $0 * 255 }
    }

    private static func straight(_ pixel: [UInt8], _ index: Int) -> Double {
        pixel[3] == 0 ? 0 : Double(pixel[index]) / Double(pixel[3])
    }

    /// Section 9.1: what is seen of the source and of the backdrop.
    private static func factors(_ mode: BlendMode, _ source: Double, _ backdrop: Double) -> (Double, Double) {
        switch mode {
        case .clear: (0, 0)
        case .source: (1, 0)
        case .destination: (0, 1)
        case .destinationOver: (1 - backdrop, 1)
        case .sourceIn: (backdrop, 0)
        case .destinationIn: (0, source)
        case .sourceOut: (1 - backdrop, 0)
        case .destinationOut: (0, 1 - source)
        case .sourceAtop: (backdrop, 1 - source)
        case .destinationAtop: (1 - backdrop, source)
        case .xor: (1 - backdrop, 1 - source)
        case .plus: (1, 1)
        default: (1, 1 - source)
        }
    }

    /// Section 10.1.
    private static func mix(_ mode: BlendMode, _ backdrop: Double, _ source: Double) -> Double {
        switch mode {
        case .multiply: backdrop * source
        case .screen: backdrop + source - backdrop * source
        case .overlay: mix(.hardLight, source, backdrop)
        case .darken: min(backdrop, source)
        case .lighten: max(backdrop, source)
        case .colorDodge: backdrop == 0 ? 0 : source == 1 ? 1 : min(1, backdrop / (1 - source))
        case .colorBurn: backdrop == 1 ? 1 : source == 0 ? 0 : 1 - min(1, (1 - backdrop) / source)
        case .hardLight:
            source <= 0.5 ? mix(.multiply, backdrop, 2 * source) : mix(.screen, backdrop, 2 * source - 1)
        case .softLight: softLight(backdrop, source)
        case .difference: abs(backdrop - source)
        case .exclusion: backdrop + source - 2 * backdrop * source
        default: source
        }
    }

    private static func softLight(_ backdrop: Double, _ source: Double) -> Double {
        guard source > 0.5 else { return backdrop - (1 - 2 * source) * backdrop * (1 - backdrop) }
        let curve =
            backdrop <= 0.25 ? ((16 * backdrop - 12) * backdrop + 4) * backdrop : backdrop.squareRoot()
        return backdrop + (2 * source - 1) * (curve - backdrop)
    }
}
