import BowerbirdCore

/// Brings a picture to few colours. What a pixel loses by that is given to its neighbours that are still to come, after
/// Floyd and Steinberg, so that the mean of an area stays.
struct Dithering {
    private let palette: GIFPalette
    private let colors: [SIMD4<Int32>]
    private let isOn: Bool
    /// The nearest colour, for colours that agree in their highest six bits; −1 where it has not been asked for.
    private var nearest = Array(repeating: Int16(-1), count: 1 << 18)

    /// - Parameter isOn: Without it every pixel gets the nearest colour.
    init(to palette: GIFPalette, isOn: Bool) {
        self.palette = palette
        self.isOn = isOn
        colors = palette.colors.map(Self.components)
    }

    private static func components(_ pixel: UInt32) -> SIMD4<Int32> {
        SIMD4(truncatingIfNeeded: SIMD4(pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255, 0))
    }

    /// The number of a colour for each pixel.
    mutating func indices(of pixels: GIFPixels) -> [UInt8] {
        let width = pixels.size.width
        var result = Array(repeating: palette.transparentIndex ?? 0, count: pixels.values.count)
        // What the row and the next one have been given, in sixteenths, with a place more on each side.
        var errors = Array(repeating: SIMD4<Int32>(), count: width + 2)
        for row in 0..<pixels.size.height {
            var next = Array(repeating: SIMD4<Int32>(), count: width + 2)
            // To and fro, so that no pattern leans to one side.
            let step = row.isMultiple(of: 2) ? 1 : -1
            for distance in 0..<width {
                let x = step > 0 ? distance : width - 1 - distance
                let pixel = pixels.values[row * width + x]
                guard pixel != GIFPixels.nothing else { continue }
                let wanted = Self.components(pixel) &+ errors[x + 1] / 16
                let index = self.index(of: wanted.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)))
                result[row * width + x] = UInt8(index)
                guard isOn else { continue }
                let error = wanted &- colors[index]
                errors[x + 1 + step] &+= error &* 7
                next[x + 1 - step] &+= error &* 3
                next[x + 1] &+= error &* 5
                next[x + 1 + step] &+= error
            }
            errors = next
        }
        return result
    }

    private mutating func index(of color: SIMD4<Int32>) -> Int {
        let key = Int((color.x >> 2) << 12 | (color.y >> 2) << 6 | color.z >> 2)
        if nearest[key] >= 0 { return Int(nearest[key]) }
        var (best, least) = (0, Int32.max)
        for index in colors.indices where palette.colors[index] != GIFPixels.nothing {
            let difference = colors[index] &- color
            let distance = (difference &* difference).wrappedSum()
            if distance < least { (best, least) = (index, distance) }
        }
        nearest[key] = Int16(best)
        return best
    }
}
