public import BowerbirdCore

/// Rounds the corners of a picture, which become transparent, and may draw a border along its edge.
///
/// The corners are put into the pixels, so that every view and every file shows them; the edges are smooth.
public struct RoundCorners: ImageProcessor, Hashable {
    /// Half the shorter side, which makes a circle of a square, is the most; a larger radius counts as that. A negative
    /// one, and one that is no number or endless, is an `.invalidParameter`.
    public var radius: Radius
    /// Which corners are rounded; all by default. The others stay square.
    public var corners: Corners
    /// Drawn inside the edge, over the picture; nil, the default, draws none.
    public var border: Border?
    /// What is seen behind the corners; nil, the default, leaves them transparent. `Background` is for pictures that
    /// are transparent elsewhere too.
    public var background: Color?

    /// All corners, no border and no background unless they are given.
    public init(radius: Radius, corners: Corners = .all, border: Border? = nil, background: Color? = nil) {
        self.radius = radius
        self.corners = corners
        self.border = border
        self.background = background
    }

    /// The radius in pixels; the rest as above.
    public init(radius: Double, corners: Corners = .all, border: Border? = nil, background: Color? = nil) {
        self.init(radius: .pixels(radius), corners: corners, border: border, background: background)
    }

    /// How round a corner is.
    public enum Radius: Hashable, Sendable {
        /// In pixels of the picture it is given.
        case pixels(Double)
        /// A part of the shorter side of the picture it is given: 0.5 is the most.
        case fraction(Double)
    }

    /// Some of the four corners of a picture.
    public struct Corners: OptionSet, Hashable, Sendable {
        /// A bit for each corner, in the order of reading; others are left out.
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue & 0b1111 }

        public static let topLeft = Corners(rawValue: 1)
        public static let topRight = Corners(rawValue: 2)
        public static let bottomLeft = Corners(rawValue: 4)
        public static let bottomRight = Corners(rawValue: 8)
        /// Both of the upper edge.
        public static let top: Corners = [.topLeft, .topRight]
        /// Both of the lower edge.
        public static let bottom: Corners = [.bottomLeft, .bottomRight]
        /// Both of the left edge.
        public static let left: Corners = [.topLeft, .bottomLeft]
        /// Both of the right edge.
        public static let right: Corners = [.topRight, .bottomRight]
        /// All four.
        public static let all: Corners = [.top, .bottom]
    }

    /// A line along the edge.
    public struct Border: Hashable, Sendable {
        /// In pixels, inwards from the edge. One wider than half the picture covers all of it; a negative one, and one
        /// that is no number or endless, is an `.invalidParameter`.
        public var width: Double
        /// Its alpha counts: a border can let the picture shine through.
        public var color: Color

        /// A width of 0 draws nothing.
        public init(width: Double, color: Color) {
            self.width = width
            self.color = color
        }
    }

    public var cacheKey: String {
        let line = border.map { " \($0.cacheKey)" } ?? ""
        let behind = background.map { " background \($0.hexadecimal)" } ?? ""
        return "roundCorners \(radius.cacheKey) corners \(corners.rawValue)\(line)\(behind)"
    }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        let shape = RoundedShape(
            size: image.size, radius: try radius.pixels(of: image.size), corners: corners,
            border: try border?.visible(), background: background)
        guard shape.changesPixels else { return image }
        return try image.edited { pixels throws(ProcessingError) in try shape.draw(on: &pixels) }
    }
}

extension RoundCorners.Radius {
    fileprivate var cacheKey: String {
        switch self {
        case .pixels(let count): "\(count.inCacheKey)px"
        case .fraction(let part): part.inCacheKey
        }
    }

    fileprivate func pixels(of size: PixelSize) throws(ProcessingError) -> Double {
        let (value, unit) =
            switch self {
            case .pixels(let count): (count, 1.0)
            case .fraction(let part): (part, Double(min(size.width, size.height)))
            }
        guard value >= 0, value.isFinite else {
            throw .invalidParameter("corners cannot be rounded by a radius of \(value)")
        }
        return value * unit
    }
}

extension RoundCorners.Border {
    var cacheKey: String { "border \(width.inCacheKey) \(color.hexadecimal)" }

    /// Nil where nothing of it is seen.
    func visible() throws(ProcessingError) -> Self? {
        guard width >= 0, width.isFinite else { throw .invalidParameter("a border cannot be \(width) pixels wide") }
        return width > 0 && color.alpha > 0 ? self : nil
    }
}
