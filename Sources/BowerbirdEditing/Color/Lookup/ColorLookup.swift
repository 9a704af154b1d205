public import BowerbirdCore
import BowerbirdRaster

/// Replaces the colours of a picture by those that a table has for them; colours between its entries are mixed of the
/// eight around them (trilinear). Colours are looked up as they were before they were multiplied with alpha.
public struct ColorLookup: ImageProcessor, Hashable {
    /// What becomes what.
    public var table: LookupTable
    /// From 0, the picture as it is, to 1, the default.
    public var intensity: Double

    /// An intensity outside 0…1 is refused when a picture is processed.
    public init(_ table: LookupTable, intensity: Double = 1) {
        self.table = table
        self.intensity = intensity
    }

    public var cacheKey: String { "colorLookup \(table.inCacheKey) \(intensity.inCacheKey)" }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard (0...1).contains(intensity) else {
            throw .invalidParameter("the intensity of a table of colours must lie between 0 and 1")
        }
        guard intensity > 0 else { return image }
        let look = Look(table, intensity)
        return try unsafe image.editedInStrips { _, bytes in unsafe look.apply(to: bytes) }
    }
}

/// A table made ready for one intensity.
private enum Look {
    case cube(ColorCube.Mixture)
    case curves(ColorCurves)

    init(_ table: LookupTable, _ intensity: Double) {
        switch table.content {
        case .cube(let cube): self = .cube(cube.mixture(intensity))
        case .curves(let axes, let values):
            let curves = axes.enumerated().map { Self.curve(of: $0, along: $1, values, intensity) }
            self = .curves(ColorCurves(red: curves[0], green: curves[1], blue: curves[2]))
        }
    }

    func apply(to bytes: UnsafeMutableRawBufferPointer) {
        switch self {
        case .cube(let mixture): unsafe mixture.apply(to: bytes)
        case .curves(let curves): unsafe curves.apply(to: bytes)
        }
    }

    private static func curve(
        of color: Int, along axis: TableAxis, _ values: [Float], _ intensity: Double
    ) -> [UInt8] {
        (0...255).map { byte in
            let (index, share) = axis.place(of: byte)
            let (near, far) = (Double(values[3 * index + color]), Double(values[3 * index + 3 + color]))
            let found = (near * (1 - share) + far * share) * 255
            return UInt8(max(0, min(255, (Double(byte) * (1 - intensity) + found * intensity).rounded())))
        }
    }
}
