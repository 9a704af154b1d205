import BowerbirdCore

/// A smooth picture: a sum of products of cosine waves.
struct CosineSurface {
    let columns: Int
    let rows: Int
    /// Where in a pixel the waves are looked at: 0 is its corner, 0.5 its middle.
    let phase: Double
    /// Of each product, the one with the fewest half waves first, row by row.
    private var coefficients: [SIMD4<Float>]

    init(columns: Int, rows: Int, phase: Double) {
        self.columns = columns
        self.rows = rows
        self.phase = phase
        coefficients = Array(repeating: SIMD4(), count: columns * rows)
    }

    /// Of so many half waves across and down.
    subscript(across: Int, down: Int) -> SIMD4<Float> {
        get { coefficients[down * columns + across] }
        set { coefficients[down * columns + across] = newValue }
    }

    /// The picture in any size; `pixel` makes blue, green, red and alpha, premultiplied, from what the waves add up to.
    func draw(
        _ size: PixelSize, isOpaque: Bool, pixel: (SIMD4<Float>) -> SIMD4<UInt8>
    ) throws(ProcessingError) -> Bitmap {
        guard !size.isEmpty else { throw .invalidParameter("a placeholder cannot be drawn in \(size) pixels") }
        guard var pixels = PixelBuffer(size: size, isOpaque: isOpaque) else { throw .outOfMemory(size) }
        let across = waves(columns, size.width), down = waves(rows, size.height)
        try size.forEachBand { band in
            for y in band {
                let line = line(down[y * rows..<(y + 1) * rows])
                pixels.withRow(y) { bytes in
                    for x in 0..<size.width {
                        let value = pixel(sum(line, across, from: x * columns))
                        bytes.storeBytes(of: value, toByteOffset: x * 4, as: SIMD4<UInt8>.self)
                    }
                }
            }
        }
        return pixels.freeze()
    }

    /// The waves at each place along a side, all of a place together.
    private func waves(_ count: Int, _ length: Int) -> [Float] {
        let waves = (0..<count).map { cosines(halfWaves: $0, length: length, phase: phase) }
        return (0..<length).flatMap { place in waves.map { Float($0[place]) } }
    }

    /// What is left of the coefficients in one row of the picture.
    private func line(_ down: ArraySlice<Float>) -> [SIMD4<Float>] {
        (0..<columns).map { column in
            zip(0..<rows, down).reduce(SIMD4()) { $0 + self[column, $1.0] * $1.1 }
        }
    }

    private func sum(_ line: [SIMD4<Float>], _ waves: [Float], from start: Int) -> SIMD4<Float> {
        var sum = SIMD4<Float>()
        for index in line.indices { sum += line[index] * waves[start + index] }
        return sum
    }
}
