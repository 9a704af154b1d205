public import BowerbirdCore
import BowerbirdRaster

/// Which colour becomes which: the look of a film, from a `.cube` file or from a lookup image.
///
/// Reading one takes up to some tenths of a second for the largest files. Make it once and use it for many pictures.
public struct LookupTable: Hashable, Sendable {
    let content: Content
    private let fingerprint: Fingerprint

    enum Content: Sendable {
        /// Every mixture of red, green and blue has a colour.
        case cube(ColorCube)
        /// Red, green and blue each go their own way. `values` has one of each in turn.
        case curves(axes: [TableAxis], values: [Float])
    }

    /// Reads the text of a `.cube` file by Adobe's specification: `LUT_3D_SIZE` 2 to 256 or `LUT_1D_SIZE` 2 to 65,536,
    /// `DOMAIN_MIN` and `DOMAIN_MAX`, comments, `TITLE`; `LUT_1D_INPUT_RANGE` and `LUT_3D_INPUT_RANGE` of DaVinci
    /// Resolve as well. Other keywords are refused, for without them the colours could be wrong.
    public init(cube text: String) throws(LookupTableError) {
        self.init(try CubeFile(text))
    }

    /// Reads a lookup image: a square with k × k tiles, each of them k² pixels wide and high, k from 2 to 16. Within a
    /// tile red grows to the right and green downwards; blue grows from tile to tile, row by row. The usual one has
    /// 512 × 512 pixels: 8 × 8 tiles of 64 × 64. It should be opaque; the alpha of its pixels is not looked at.
    public init(_ image: DecodedImage) throws(LookupTableError) {
        self.init(try CubeFile(LookupImage(image.bitmap)))
    }

    private init(_ file: CubeFile) {
        var fingerprint = Fingerprint()
        for axis in file.axes {
            fingerprint.add(UInt64(axis.count))
            fingerprint.add((axis.lower + 0).bitPattern)
            fingerprint.add((axis.upper + 0).bitPattern)
        }
        // Numbers of four bytes have no gaps between them.
        unsafe fingerprint.add(file.values.span.bytes)
        self.fingerprint = fingerprint
        content =
            file.isCube
            ? .cube(ColorCube(axes: file.axes, colors: file.values)) : .curves(axes: file.axes, values: file.values)
        kind = file.isCube ? "3d" : "1d"
    }

    private let kind: String

    var inCacheKey: String { "\(kind) \(fingerprint.inCacheKey)" }

    public static func == (one: LookupTable, other: LookupTable) -> Bool { one.inCacheKey == other.inCacheKey }
    public func hash(into hasher: inout Hasher) { hasher.combine(inCacheKey) }
}

/// Why a table of colours could not be read.
public enum LookupTableError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A line of a `.cube` file, counted from 1, is not what the format has there.
    case invalidLine(Int, reason: String)
    /// A `.cube` file does not say how large its table is.
    case missingSize
    /// A `.cube` file ends before its table does.
    case incomplete(expected: Int, found: Int)
    /// A picture of this size cannot be a lookup image.
    case invalidLayout(PixelSize)
    /// A lookup image has other pixels than those that processors work on.
    case unsupportedPixels(PixelFormat)

    public var description: String {
        switch self {
        case .invalidLine(let line, let reason): "line \(line): \(reason)"
        case .missingSize: "the size of the table is missing"
        case .incomplete(let expected, let found): "the table has \(found) colours instead of \(expected)"
        case .invalidLayout(let size): "a picture of \(size) pixels is not a lookup image"
        case .unsupportedPixels(let format): "pixels of the kind \(format.rawValue) cannot be a lookup image"
        }
    }
}
