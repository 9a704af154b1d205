import BowerbirdCore
import BowerbirdRaster
import Glibc

/// Most profiles of pictures are three curves and a matrix, or of grey one curve: they need no library.
extension ColorMapping {
    /// Nil for a profile without matrix and curves, and for one whose numbers make no sense.
    init?(_ profile: ICCProfile, _ format: PixelFormat) {
        let count = Self.valueCount(of: format)
        switch profile.colorSpace {
        case .gray:
            guard let table = profile.table("kTRC", count: count) else { return nil }
            self.init(red: table, green: table, blue: table, matrix: ColorMatrix.identity.values)
        case .rgb:
            guard let matrix = profile.matrix, let red = profile.table("rTRC", count: count) else { return nil }
            guard let green = profile.table("gTRC", count: count, like: "rTRC", red) else { return nil }
            guard let blue = profile.table("bTRC", count: count, like: "rTRC", red) else { return nil }
            self.init(
                red: red, green: green, blue: blue, matrix: Self.matrix(toProfileXYZ: matrix).withNeutralGray.values)
        default: return nil
        }
    }
}

extension ICCProfile {
    /// Whether it says more by tables of colours than curves and a matrix can.
    var hasLookupTable: Bool { ["A2B0", "A2B1", "D2B0", "D2B1"].contains { range(ofTag: $0) != nil } }

    /// From light to XYZ; nil where the profile has none, or one that cannot be.
    fileprivate var matrix: ColorMatrix? {
        let file = bytes.span.bytes
        guard file.matches("XYZ ", at: 20) else { return nil }
        guard let red = xyz("rXYZ"), let green = xyz("gXYZ"), let blue = xyz("bXYZ") else { return nil }
        let matrix = ColorMatrix(columns: red, green, blue)
        return matrix.inverse == nil ? nil : matrix
    }

    private func xyz(_ name: StaticString) -> [Double]? {
        guard let range = range(ofTag: name), range.count >= 20 else { return nil }
        let file = bytes.span.bytes
        guard file.matches("XYZ ", at: range.lowerBound) else { return nil }
        return (0..<3).map { file.fixedPoint(at: range.lowerBound + 8 + 4 * $0) }
    }

    /// The light of each of `count` values.
    fileprivate func table(_ name: StaticString, count: Int) -> LightTable? {
        guard let range = range(ofTag: name), let curve = ICCCurve(bytes.span.bytes, in: range) else { return nil }
        let table = LightTable(count: count) { index in
            let light = curve.light(Double(index) / Double(count - 1))
            return light.isFinite ? Float(min(max(light, 0), 1)) : 0
        }
        return table
    }

    /// The three curves of a profile are nearly always the same bytes.
    fileprivate func table(
        _ name: StaticString, count: Int, like other: StaticString, _ table: LightTable
    ) -> LightTable? {
        range(ofTag: name) == range(ofTag: other) ? table : self.table(name, count: count)
    }

    /// Where the data of a tag lie, all of them inside the profile; nil for a tag that it has not.
    private func range(ofTag name: StaticString) -> Range<Int>? {
        let file = bytes.span.bytes
        guard let count = file.bigEndian32(at: 128), count <= 200 else { return nil }
        for index in 0..<Int(count) where file.matches(name, at: 132 + 12 * index) {
            guard let offset = file.bigEndian32(at: 136 + 12 * index), let size = file.bigEndian32(at: 140 + 12 * index)
            else { return nil }
            let end = Int(offset) + Int(size)
            return size >= 8 && end <= bytes.count ? Int(offset)..<end : nil
        }
        return nil
    }
}

/// A curve from values to light.
private enum ICCCurve {
    case gamma(Double)
    /// Values of 16 bits, at even distances.
    case table([UInt16])
    case parametric(kind: Int, [Double])

    init?(_ file: RawSpan, in range: Range<Int>) {
        let start = range.lowerBound
        if file.matches("curv", at: start) {
            guard let count = file.bigEndian32(at: start + 8), Int(count) <= (range.count - 12) / 2 else { return nil }
            let values = (0..<Int(count)).compactMap { file.bigEndian16(at: start + 12 + 2 * $0) }
            self = values.isEmpty ? .gamma(1) : values.count == 1 ? .gamma(Double(values[0]) / 256) : .table(values)
        } else if file.matches("para", at: start) {
            let parameterCounts = [1, 3, 4, 5, 7]
            guard let kind = file.bigEndian16(at: start + 8), parameterCounts.indices.contains(Int(kind)),
                range.count >= 12 + 4 * parameterCounts[Int(kind)]
            else { return nil }
            let parameters = (0..<parameterCounts[Int(kind)]).map { file.fixedPoint(at: start + 12 + 4 * $0) }
            self = .parametric(kind: Int(kind), parameters)
        } else {
            return nil
        }
    }

    func light(_ value: Double) -> Double {
        switch self {
        case .gamma(let exponent): pow(value, exponent)
        case .table(let values): Self.light(value, values)
        case .parametric(let kind, let parameters): Self.light(value, kind, parameters)
        }
    }

    private static func light(_ value: Double, _ values: [UInt16]) -> Double {
        let place = value * Double(values.count - 1)
        let index = min(Int(place), values.count - 2)
        let (below, above) = (Double(values[index]), Double(values[index + 1]))
        return (below + (above - below) * (place - Double(index))) / 65535
    }

    /// The five kinds of the standard: g, a, b, c, d, e, f in this order.
    private static func light(_ value: Double, _ kind: Int, _ p: [Double]) -> Double {
        if kind == 0 { return pow(value, p[0]) }
        let power = pow(max(p[1] * value + p[2], 0), p[0])
        switch kind {
        case 1: return p[1] * value + p[2] >= 0 ? power : 0
        case 2: return p[1] * value + p[2] >= 0 ? power + p[3] : p[3]
        case 3: return value >= p[4] ? power : p[3] * value
        default: return value >= p[4] ? power + p[5] : p[3] * value + p[6]
        }
    }
}

extension RawSpan {
    /// A number of the kind `s15Fixed16`; 0 beyond the end.
    fileprivate func fixedPoint(at offset: Int) -> Double {
        Double(Int32(bitPattern: bigEndian32(at: offset) ?? 0)) / 65536
    }
}
