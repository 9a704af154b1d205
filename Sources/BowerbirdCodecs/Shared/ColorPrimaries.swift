import BowerbirdCore

/// The colours of the three lights of a colour space and of their white, by the numbers of ITU-T H.273.
struct ColorPrimaries {
    /// Each x and y of CIE 1931.
    let red, green, blue, white: (Double, Double)

    private static let d65 = (0.3127, 0.3290)
    private static let illuminantC = (0.310, 0.316)
    static let sRGB = ColorPrimaries(red: (0.640, 0.330), green: (0.300, 0.600), blue: (0.150, 0.060), white: d65)

    /// BT.709 for numbers that say nothing.
    static func codePoint(_ number: Int) -> ColorPrimaries {
        switch number {
        case 4: Self(red: (0.67, 0.33), green: (0.21, 0.71), blue: (0.14, 0.08), white: illuminantC)
        case 5: Self(red: (0.64, 0.33), green: (0.29, 0.60), blue: (0.15, 0.06), white: d65)
        case 6, 7: Self(red: (0.630, 0.340), green: (0.310, 0.595), blue: (0.155, 0.070), white: d65)
        case 8: Self(red: (0.681, 0.319), green: (0.243, 0.692), blue: (0.145, 0.049), white: illuminantC)
        case 9: Self(red: (0.708, 0.292), green: (0.170, 0.797), blue: (0.131, 0.046), white: d65)
        case 10: Self(red: (1, 0), green: (0, 1), blue: (0, 0), white: (1.0 / 3, 1.0 / 3))
        case 11: Self(red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060), white: (0.314, 0.351))
        case 12: Self(red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060), white: d65)
        case 22: Self(red: (0.630, 0.340), green: (0.295, 0.605), blue: (0.155, 0.077), white: d65)
        default: .sRGB
        }
    }

    /// From light of these colours to XYZ, white having the luminance 1.
    var toXYZ: ColorMatrix {
        let lights = ColorMatrix(columns: Self.xyz(red), Self.xyz(green), Self.xyz(blue))
        guard let inverse = lights.inverse else { return .identity }
        let shares = inverse * Self.xyz(white)
        return lights * ColorMatrix(diagonal: shares)
    }

    /// From light of these colours to XYZ as eyes that are used to the white of ICC profiles (D50) see it.
    var toProfileXYZ: ColorMatrix {
        ColorMatrix.adaptation(from: Self.xyz(white), to: ColorMatrix.profileWhite) * toXYZ
    }

    private static func xyz(_ point: (Double, Double)) -> [Double] {
        let (x, y) = point
        // The blue of 10 is the Z of CIE 1931 and has no luminance.
        guard y > 0 else { return x > 0 ? [1, 0, 0] : [0, 0, 1] }
        return [x / y, 1, (1 - x - y) / y]
    }
}

/// Three by three numbers, row by row.
struct ColorMatrix: Hashable {
    var values: [Double]

    static let identity = ColorMatrix(diagonal: [1, 1, 1])
    /// The white of ICC profiles.
    static let profileWhite = [0.9642, 1, 0.8249]
    private static let bradford = ColorMatrix(
        values: [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296])

    init(values: [Double]) {
        precondition(values.count == 9)
        self.values = values
    }

    init(diagonal: [Double]) { self.init(values: [diagonal[0], 0, 0, 0, diagonal[1], 0, 0, 0, diagonal[2]]) }

    init(columns a: [Double], _ b: [Double], _ c: [Double]) {
        self.init(values: (0..<3).flatMap { [a[$0], b[$0], c[$0]] })
    }

    /// Nil where there is none, or none with numbers that can be worked with.
    var inverse: ColorMatrix? {
        let m = values
        let cofactors = [
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ]
        let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
        guard determinant.isFinite, abs(determinant) > 1e-9 else { return nil }
        return ColorMatrix(values: cofactors.map { $0 / determinant })
    }

    private func column(_ index: Int) -> [Double] { [values[index], values[index + 3], values[index + 6]] }

    static func * (left: ColorMatrix, right: ColorMatrix) -> ColorMatrix {
        ColorMatrix(columns: left * right.column(0), left * right.column(1), left * right.column(2))
    }

    static func * (left: ColorMatrix, right: [Double]) -> [Double] {
        (0..<3).map { row in
            let numbers = left.values[3 * row..<3 * row + 3]
            return zip(numbers, right).reduce(0.0) { sum, pair in sum + pair.0 * pair.1 }
        }
    }

    /// What eyes that are used to one white see as what, once they are used to the other (Bradford).
    static func adaptation(from white: [Double], to other: [Double]) -> ColorMatrix {
        guard white != other, let back = bradford.inverse else { return .identity }
        let (before, after) = (bradford * white, bradford * other)
        let gains = (0..<3).map { before[$0] == 0 ? 1 : after[$0] / before[$0] }
        return back * ColorMatrix(diagonal: gains) * bradford
    }

    /// The same with rows whose sum is exactly 1 where it nearly is, so that grey stays grey.
    var withNeutralGray: ColorMatrix {
        let sums = self * [1, 1, 1]
        guard sums.allSatisfy({ abs($0 - 1) < 0.03 }) else { return self }
        return ColorMatrix(values: values.indices.map { values[$0] / sums[$0 / 3] })
    }
}
