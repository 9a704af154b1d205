import BowerbirdCore

/// The colours of a sample of a picture, sorted into bins of five bits a component.
struct ColorHistogram {
    /// Similar colours: their mean, red, green and blue from 0 to 1, and how many there are, each by its alpha.
    struct Bin {
        var color: SIMD3<Double>
        var weight: Double
    }

    /// Those that have a colour, in a fixed order.
    let bins: [Bin]

    /// Pixels looked at along each side.
    private static let longestSide = 200

    init(_ bitmap: Bitmap) {
        var sums = [SIMD4<Double>](repeating: SIMD4(), count: 1 << 15)
        for y in Self.samples(of: bitmap.size.height) {
            for x in Self.samples(of: bitmap.size.width) {
                guard let color = bitmap.color(at: x, y), color.alpha > 0 else { continue }
                let components = SIMD3(Double(color.red), Double(color.green), Double(color.blue)) / 255
                sums[Self.bin(of: color)] += SIMD4(components, 1) * Double(color.alpha)
            }
        }
        bins = sums.filter { $0.w > 0 }.map { Bin(color: SIMD3($0.x, $0.y, $0.z) / $0.w, weight: $0.w) }
    }

    /// Evenly spread, and in the middle of what each stands for.
    private static func samples(of length: Int) -> [Int] {
        let count = min(length, longestSide)
        return (0..<count).map { (2 * $0 + 1) * length / (2 * count) }
    }

    private static func bin(of color: Color) -> Int {
        Int(color.red >> 3) << 10 | Int(color.green >> 3) << 5 | Int(color.blue >> 3)
    }
}
