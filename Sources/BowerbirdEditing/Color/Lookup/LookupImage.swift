import BowerbirdCore
import BowerbirdRaster

/// A picture with the colours of a table in tiles, one for each step of blue.
struct LookupImage {
    /// k: the tiles in a row, and the rows of tiles.
    private let tiles: Int
    private let bitmap: Bitmap

    init(_ bitmap: Bitmap) throws(LookupTableError) {
        guard bitmap.format == .bgra8Premultiplied else { throw .unsupportedPixels(bitmap.format) }
        let size = bitmap.size
        guard let tiles = (2...16).first(where: { $0 * $0 * $0 == size.width }), size.width == size.height else {
            throw .invalidLayout(size)
        }
        self.tiles = tiles
        self.bitmap = bitmap
    }

    var side: Int { tiles * tiles }

    /// Red, green and blue of each entry, from 0 to 1; red changes first, then green, then blue.
    var values: [Float] {
        var values: [Float] = []
        values.reserveCapacity(3 * side * side * side)
        for blue in 0..<side {
            for green in 0..<side {
                bitmap.withRow(blue / tiles * side + green) { row in
                    for red in 0..<side { values += Self.color(of: row, at: blue % tiles * side + red) }
                }
            }
        }
        return values
    }

    private static func color(of row: borrowing RawSpan, at column: Int) -> [Float] {
        [2, 1, 0].map { Float(row.byte(at: 4 * column + $0) ?? 0) / 255 }
    }
}

extension CubeFile {
    init(_ image: LookupImage) {
        let axis = TableAxis(count: image.side, lower: 0, upper: 1)
        self.init(isCube: true, axes: [axis, axis, axis], values: image.values)
    }
}
