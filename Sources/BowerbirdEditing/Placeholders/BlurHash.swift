public import BowerbirdCore
import BowerbirdRaster

/// A picture in 6 to 166 characters, which shows its colours, very blurred, until it is there: https://blurha.sh.
///
/// It knows neither the shape of the picture nor transparency; `ThumbHash` does.
public struct BlurHash: Hashable, Sendable {
    /// As servers send it.
    public let text: String
    /// The details that it can have across, 1 to 9.
    public let columns: Int
    /// The details that it can have down, 1 to 9.
    public let rows: Int
    /// The mean of the picture, opaque. Costs nothing.
    public let averageColor: Color
    private let coefficients: Coefficients

    /// Of a text that may come from anywhere. Throws when it is none.
    public init(_ text: String) throws(PlaceholderError) {
        let digits = try Base83.digits(of: text)
        guard digits.count >= 6 else { throw .wrongLength(digits.count, expected: 6) }
        (columns, rows) = (digits[0] % 9 + 1, digits[0] / 9 + 1)
        guard rows <= 9 else { throw .invalidValue(at: 0) }
        let length = 4 + 2 * columns * rows
        guard digits.count == length else { throw .wrongLength(digits.count, expected: length) }
        self.text = text
        averageColor = try Self.averageColor(digits)
        coefficients = try Coefficients(digits, averageColor)
    }

    private static func averageColor(_ digits: [Int]) throws(PlaceholderError) -> Color {
        let value = Base83.number(digits[2..<6])
        guard value < 1 << 24 else { throw .invalidValue(at: 2) }
        return Color(red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
    }

    /// Of a picture; transparent pixels count as its average colour. A picture of more than 100 pixels a side is reduced
    /// first.
    ///
    /// 4 columns and 3 rows by default, for a picture that is wider than high. Throws `.invalidParameter` where they are
    /// not from 1 to 9, and `.unsupportedPixels` unless the pixels are canonical.
    public init(_ bitmap: Bitmap, columns: Int = 4, rows: Int = 3) throws(ProcessingError) {
        guard (1...9).contains(columns), (1...9).contains(rows) else {
            throw .invalidParameter("a BlurHash cannot have \(columns) columns and \(rows) rows")
        }
        let text = try BlurHashEncoder(bitmap, columns: columns, rows: rows).text
        do throws(PlaceholderError) {
            try self.init(text)
        } catch {
            throw .invalidParameter("the picture has no BlurHash: \(error)")
        }
    }

    /// Draws it: 32 × 32 pixels are enough to enlarge. `punch` makes the contrast
    /// stronger (above 1) or weaker; 1 by default. Throws `.invalidParameter` for an empty size and for a punch that is
    /// negative or endless.
    public func bitmap(_ size: PixelSize, punch: Double = 1) throws(ProcessingError) -> Bitmap {
        guard punch >= 0, punch.isFinite else { throw .invalidParameter("a BlurHash has no punch of \(punch)") }
        var surface = CosineSurface(columns: columns, rows: rows, phase: 0)
        for down in 0..<rows {
            for across in 0..<columns {
                let contrast = across + down == 0 ? 1 : Float(min(punch, 1000))
                surface[across, down] = coefficients.values[down * columns + across] * contrast
            }
        }
        return try surface.draw(size, isOpaque: true) { light in
            SIMD4(Self.byte(light.z), Self.byte(light.y), Self.byte(light.x), 255)
        }
    }

    private static func byte(_ light: Float) -> UInt8 {
        UInt8(SRGB.encoded(Double(min(max(light, 0), 1))) * 255 + 0.5)
    }
}

/// How much light of red, green and blue each product of waves has.
private struct Coefficients: Hashable {
    private(set) var values: [SIMD4<Float>]

    init(_ digits: [Int], _ averageColor: Color) throws(PlaceholderError) {
        let mean = [averageColor.red, averageColor.green, averageColor.blue].map { SRGB.light(Double($0) / 255) }
        values = [SIMD4(Float(mean[0]), Float(mean[1]), Float(mean[2]), 0)]
        let greatest = Float(digits[1] + 1) / 166
        for place in stride(from: 6, to: digits.count, by: 2) {
            let value = Base83.number(digits[place..<place + 2])
            guard value < 19 * 19 * 19 else { throw .invalidValue(at: place) }
            let steps = SIMD4(Float(value / 361), Float(value / 19 % 19), Float(value % 19), 9)
            values.append(Self.squared((steps - 9) / 9) * greatest)
        }
    }

    private static func squared(_ value: SIMD4<Float>) -> SIMD4<Float> {
        (value * value).replacing(with: -value * value, where: value .< 0)
    }
}
