public import BowerbirdCore
import BowerbirdRaster

/// Lays a linear gradient over a picture.
public struct GradientTint: ImageProcessor, Hashable {
    /// At least one, in the order of their locations. The first and the last colour go on to the edges of the picture.
    public var stops: [Stop]
    /// Where the location 0 is; in the middle of the top edge by default.
    public var start: UnitPoint
    /// Where the location 1 is; in the middle of the bottom edge by default. Not the point where it starts.
    public var end: UnitPoint
    /// How the colours meet the picture. The default, `.sourceAtop`, keeps its shape, as with `Tint`.
    public var blendMode: BlendMode

    /// From top to bottom unless two points are given.
    public init(
        stops: [Stop], from start: UnitPoint = .top, to end: UnitPoint = .bottom, blendMode: BlendMode = .sourceAtop
    ) {
        self.stops = stops
        self.start = start
        self.end = end
        self.blendMode = blendMode
    }

    /// Colours at equal distances.
    public init(
        _ colors: [Color], from start: UnitPoint = .top, to end: UnitPoint = .bottom,
        blendMode: BlendMode = .sourceAtop
    ) {
        let stops = colors.indices.map { Stop(colors[$0], at: Double($0) / Double(max(1, colors.count - 1))) }
        self.init(stops: stops, from: start, to: end, blendMode: blendMode)
    }

    /// A colour at a place of the gradient.
    public struct Stop: Hashable, Sendable {
        /// Its alpha is its strength.
        public var color: Color
        /// From 0, at the start, to 1, at the end. Two stops with the same location make a hard edge.
        public var location: Double

        /// A location outside 0…1 is refused when a picture is processed.
        public init(_ color: Color, at location: Double) {
            self.color = color
            self.location = location
        }
    }

    public var cacheKey: String {
        let stops = stops.map { "\($0.color.hexadecimal)@\($0.location.inCacheKey)" }.joined(separator: " ")
        return "gradientTint \(start.inCacheKey) \(end.inCacheKey) \(blendMode.rawValue) \(stops)"
    }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        try check()
        let axis = try GradientAxis(from: start, to: end, on: image.size)
        guard blendMode.changes(opacity: stops.map(\.color.alpha).max() ?? 0) else { return image }
        let isOpaque = stops.allSatisfy { $0.color.alpha == 255 }
        let (ramp, blending) = (GradientRamp(stops), Blending(blendMode))
        var line = [UInt32](repeating: 0, count: image.size.width)
        return try unsafe image.editedInStrips(
            isOpaque: blendMode.isOpaque(source: isOpaque, destination: image.bitmap.isOpaque)
        ) { rows, bytes in
            for row in rows {
                ramp.fill(&line, at: row, along: axis)
                let start = (row - rows.lowerBound) * line.count * 4
                let destination = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + line.count * 4])
                unsafe line.withUnsafeBytes { unsafe blending.blend($0, on: destination) }
            }
        }
    }

    private func check() throws(ProcessingError) {
        guard !stops.isEmpty else { throw .invalidParameter("a gradient needs at least one colour") }
        guard stops.allSatisfy({ (0...1).contains($0.location) }) else {
            throw .invalidParameter("the locations of a gradient's colours must lie between 0 and 1")
        }
        guard zip(stops, stops.dropFirst()).allSatisfy({ $0.location <= $1.location }) else {
            throw .invalidParameter("the colours of a gradient must be in the order of their locations")
        }
    }
}

/// The location of each pixel: it changes by the same amount from column to column, and from row to row.
private struct GradientAxis {
    private let origin: Double
    let column: Double
    private let row: Double

    init(from start: UnitPoint, to end: UnitPoint, on size: PixelSize) throws(ProcessingError) {
        let (width, height) = (Double(size.width), Double(size.height))
        let (x, y) = ((end.x - start.x) * width, (end.y - start.y) * height)
        let square = x * x + y * y
        guard start.isFinite, end.isFinite, square.isNormal else {
            throw .invalidParameter("a gradient must lead from one point to another, neither endlessly far away")
        }
        column = x / square
        row = y / square
        origin = (0.5 - start.x * width) * column + (0.5 - start.y * height) * row
    }

    /// Of the first pixel of a row.
    func location(ofRow row: Int) -> Double { origin + Double(row) * self.row }
}

/// The colours of a gradient, premultiplied, in steps finer than pixels.
private struct GradientRamp {
    private static let steps = 4096
    private let colors: [UInt32]

    init(_ stops: [GradientTint.Stop]) {
        colors = (0...Self.steps).map { Self.color(at: Double($0) / Double(Self.steps), stops) }
    }

    func fill(_ line: inout [UInt32], at row: Int, along axis: GradientAxis) {
        let first = axis.location(ofRow: row) * Double(Self.steps) + 0.5
        let step = axis.column * Double(Self.steps)
        guard step != 0 else { return line = Array(repeating: colors[Self.index(first)], count: line.count) }
        for index in line.indices { line[index] = colors[Self.index(first + Double(index) * step)] }
    }

    /// Every number has one.
    private static func index(_ position: Double) -> Int {
        position > 0 ? Int(min(position, Double(steps))) : 0
    }

    /// Colours are mixed premultiplied: what is transparent has no colour that could show.
    private static func color(at location: Double, _ stops: [GradientTint.Stop]) -> UInt32 {
        guard let next = stops.firstIndex(where: { $0.location > location }) else { return pixel(stops.last?.color) }
        guard next > 0 else { return pixel(stops[0].color) }
        let (before, after) = (stops[next - 1], stops[next])
        let share = (location - before.location) / (after.location - before.location)
        return pixel(before.color.premultiplied * (1 - share) + after.color.premultiplied * share)
    }

    private static func pixel(_ color: Color?) -> UInt32 { pixel(color?.premultiplied ?? .zero) }

    private static func pixel(_ components: SIMD4<Double>) -> UInt32 {
        let bytes = SIMD4<UInt32>(components.rounded(.toNearestOrAwayFromZero))
        return bytes.x | bytes.y << 8 | bytes.z << 16 | bytes.w << 24
    }
}

extension Color {
    /// Blue, green, red, alpha, from 0 to 255.
    fileprivate var premultiplied: SIMD4<Double> {
        SIMD4(Double(blue), Double(green), Double(red), 255) * (Double(alpha) / 255)
    }
}
