import BowerbirdCore

/// A rectangle, some of whose corners are rounded, with a line along its inside.
///
/// Each row is drawn from both edges inwards: what is outside, the smooth edge, the line, the smooth inner edge of the
/// line. What is further in is not touched, so that the cost is that of the edge.
struct RoundedShape {
    let size: PixelSize
    let radius: Double
    let corners: RoundCorners.Corners
    let border: RoundCorners.Border?
    /// What is seen outside of it, a premultiplied pixel.
    let behind: UInt32

    init(
        size: PixelSize, radius: Double, corners: RoundCorners.Corners, border: RoundCorners.Border?, background: Color?
    ) {
        self.size = size
        self.radius = min(radius, Double(min(size.width, size.height)) / 2)
        self.corners = corners
        self.border = border
        behind = (background ?? .clear).premultipliedPixel
    }

    /// Whether drawing it changes anything.
    var changesPixels: Bool { cutsCorners || border != nil }

    private var cutsCorners: Bool { radius > 0 && !corners.isEmpty }

    /// Draws the outside and the line on a picture of its size.
    func draw(on pixels: inout PixelBuffer) throws(ProcessingError) {
        let isFilled = behind >> 24 == 255
        pixels.isOpaque = pixels.isOpaque && (isFilled || !cutsCorners)
        let depth = max(cutsCorners ? radius : 0, (border?.width ?? -1) + 1)
        try size.forEachBand { rows in
            for row in rows where border != nil || Double(min(row, size.height - 1 - row)) < depth {
                pixels.withRow(row) { bytes in
                    draw(edge(.leading, of: row), on: &bytes)
                    draw(edge(.trailing, of: row), on: &bytes)
                }
            }
        }
    }

    private func edge(_ side: RoundedEdge.Side, of row: Int) -> RoundedEdge {
        let isUpper = row < size.height / 2
        let corner: RoundCorners.Corners =
            switch side {
            case .leading: isUpper ? .topLeft : .bottomLeft
            case .trailing: isUpper ? .topRight : .bottomRight
            }
        let fromEdge = min(Double(row) + 0.5, Double(size.height - row) - 0.5)
        return RoundedEdge(
            radius: corners.contains(corner) ? radius : 0, fromEdge: fromEdge, side: side, width: size.width)
    }

    private func draw(_ edge: RoundedEdge, on bytes: inout MutableRawSpan) {
        let outside = 0..<edge.column(before: -0.5, from: 0)
        let smooth = outside.upperBound..<edge.column(after: 0.5, from: outside.upperBound)
        bytes.fill(edge.columns(outside), with: behind)
        guard let border else { return drawPixels(smooth, of: edge, on: &bytes) }
        let line = smooth.upperBound..<edge.column(before: border.width - 0.5, from: smooth.upperBound)
        let inner = line.upperBound..<edge.column(after: border.width + 0.5, from: line.upperBound)
        drawPixels(smooth, of: edge, on: &bytes)
        bytes.lay(border.color.premultipliedPixel, over: edge.columns(line))
        drawPixels(inner, of: edge, on: &bytes)
    }

    private func drawPixels(_ places: Range<Int>, of edge: RoundedEdge, on bytes: inout MutableRawSpan) {
        for place in places {
            let depth = edge.depth(at: place)
            let column = edge.columns(place..<place + 1).lowerBound
            if let border, case let line = 1 - Self.coverage(depth - border.width), line > 0 {
                let share = line * Double(border.color.alpha) / 255
                bytes.mix(border.color.withAlpha(255).premultipliedPixel, share: share, at: column)
            }
            let coverage = Self.coverage(depth)
            if coverage < 1 { bytes.mix(behind, share: 1 - coverage, at: column) }
        }
    }

    /// How much of a pixel lies inside whose middle is so deep.
    private static func coverage(_ depth: Double) -> Double { min(1, max(0, 0.5 + depth)) }
}

/// The half of a row of a rounded shape that begins at one of its edges. Places count from that edge inwards, depths
/// are distances from the outline, positive inside.
private struct RoundedEdge {
    enum Side { case leading, trailing }

    /// Of the corner that is next; 0 for a square one.
    let radius: Double
    /// From the middle of the row to the nearer of the upper and the lower edge.
    let fromEdge: Double
    let side: Side
    /// Of the whole row.
    let width: Int

    /// The leading half has the middle pixel.
    private var placeCount: Int { side == .leading ? width - width / 2 : width / 2 }

    /// How deep the middle of a pixel lies.
    func depth(at place: Int) -> Double {
        let (dx, dy) = (radius - (Double(place) + 0.5), radius - fromEdge)
        guard dx > 0, dy > 0 else { return radius - max(dx, dy) }
        return radius - (dx * dx + dy * dy).squareRoot()
    }

    /// The columns of the row at these places.
    func columns(_ places: Range<Int>) -> Range<Int> {
        side == .leading ? places : width - places.upperBound..<width - places.lowerBound
    }

    /// A place, not before `start`, up to which all is less deep than `depth`.
    func column(before depth: Double, from start: Int) -> Int { place((reach(depth) - 0.5).rounded(.down), start) }

    /// A place, not before `start`, from which on all is at least as deep as `depth`.
    func column(after depth: Double, from start: Int) -> Int { place((reach(depth) + 0.5).rounded(.up), start) }

    private func place(_ value: Double, _ start: Int) -> Int { Int(min(max(value, Double(start)), Double(placeCount))) }

    /// How far from the edge a point of the row must be to be as deep as `depth`; endless where none is.
    private func reach(_ depth: Double) -> Double {
        guard fromEdge >= depth else { return .infinity }
        let (inner, dy) = (radius - depth, radius - fromEdge)
        guard inner > 0, dy > 0 else { return depth }
        return radius - max(0, inner * inner - dy * dy).squareRoot()
    }
}

extension MutableRawSpan {
    /// Makes some of the pixels of a row this one.
    fileprivate mutating func fill(_ columns: Range<Int>, with pixel: UInt32) {
        precondition(columns.lowerBound >= 0 && columns.upperBound * 4 <= byteCount)
        unsafe withUnsafeMutableBytes { bytes in
            // The columns lie in the row, as was checked above.
            let part = unsafe bytes[columns.lowerBound * 4..<columns.upperBound * 4]
            unsafe UnsafeMutableRawBufferPointer(rebasing: part).bindMemory(to: UInt32.self).update(repeating: pixel)
        }
    }

    /// Lets another pixel have a share, from 0 to 1, of one, each byte rounded to the nearest.
    fileprivate mutating func mix(_ other: UInt32, share: Double, at column: Int) {
        precondition(column >= 0 && column * 4 + 4 <= byteCount)
        let pixel = unsafe unsafeLoad(fromByteOffset: column * 4, as: UInt32.self)  // checked above
        let weight = UInt32(share * 65536 + 0.5)
        var mixed: UInt32 = 0
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            let sum = ((pixel >> shift) & 255) * (65536 - weight) + ((other >> shift) & 255) * weight
            mixed |= ((sum + 32768) >> 16) << shift
        }
        storeBytes(of: mixed, toByteOffset: column * 4, as: UInt32.self)
    }
}
