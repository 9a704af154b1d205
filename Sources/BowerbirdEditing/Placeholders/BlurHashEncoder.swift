import BowerbirdCore
import BowerbirdRaster

/// Makes the text of a BlurHash.
struct BlurHashEncoder {
    private let columns: Int
    private let rows: Int
    /// How much light of red, green and blue each product of waves has.
    private var coefficients: [SIMD4<Double>] = []

    init(_ bitmap: Bitmap, columns: Int, rows: Int) throws(ProcessingError) {
        (self.columns, self.rows) = (columns, rows)
        let light = try PlaceholderPixels(bitmap).mapped { pixel in
            SIMD4(SRGB.light(pixel.x), SRGB.light(pixel.y), SRGB.light(pixel.z), 0)
        }
        for down in 0..<rows {
            guard !Task.isCancelled else { throw .cancelled }
            for across in 0..<columns {
                let scale = across + down == 0 ? 1.0 : 2
                coefficients.append(light.coefficient(across: across, down: down, phase: 0) * scale)
            }
        }
    }

    /// Two digits for the numbers of columns and rows and for the greatest coefficient, four for the mean, two for each
    /// of the others.
    var text: String {
        let others = coefficients.dropFirst()
        let greatest = others.map { max($0.max(), -$0.min()) }.max()
        let step = greatest.map { Int(max(0, min(82, ($0 * 166 - 0.5).rounded(.down)))) } ?? 0
        let details = others.map { Base83.text(Self.code($0 / (Double(step + 1) / 166)), digits: 2) }
        return Base83.text(columns - 1 + (rows - 1) * 9, digits: 1) + Base83.text(step, digits: 1)
            + Base83.text(meanCode, digits: 4) + details.joined()
    }

    private var meanCode: Int {
        (0..<3).reduce(0) { code, index in
            code << 8 | Int(SRGB.encoded(min(max(coefficients[0][index], 0), 1)) * 255 + 0.5)
        }
    }

    /// Each component in nineteen steps, finer ones near to none.
    private static func code(_ value: SIMD4<Double>) -> Int {
        (0..<3).reduce(0) { code, index in
            let root = value[index].magnitude.squareRoot() * (value[index] < 0 ? -1 : 1)
            return code * 19 + Int(max(0, min(18, (root * 9 + 9.5).rounded(.down))))
        }
    }
}
