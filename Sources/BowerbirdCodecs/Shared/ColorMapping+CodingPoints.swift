import BowerbirdCore
import BowerbirdRaster
import Glibc

extension ColorMapping {
    /// The luminance, in cd/m², that becomes white before highlights are bent: the diffuse white of ITU-R BT.2408.
    private static let referenceWhite = 203.0
    /// The brightest of HLG by its definition, in cd/m², and what PQ files seldom exceed.
    private static let brightest = 1000.0
    /// Where highlights begin to be bent, as light; below it nothing changes, which keeps all but the brightest of what
    /// was made for common screens.
    private static let firstBent = 0.75

    /// From colours by numbers of ITU-T H.273 to sRGB. Colours outside are clipped; high dynamic range is bent into what
    /// screens of sRGB show: up to 152 cd/m² as it is, 203 as 241 of 255, 1000 as white.
    init(_ points: CodingPoints, _ format: PixelFormat) {
        let curve = TransferCurve(points.transfer)
        let count = Self.valueCount(of: format)
        let table = LightTable(count: count) { Float(curve.light(Double($0) / Double(count - 1))) }
        let primaries = ColorPrimaries.codePoint(points.primaries)
        self.init(
            red: table, green: table, blue: table,
            matrix: Self.matrix(toProfileXYZ: primaries.toProfileXYZ).withNeutralGray.values)
        guard points.isHighDynamicRange else { return }
        (peak, knee) = (Self.brightest / Self.referenceWhite, Self.firstBent)
        guard points.transfer == 18 else { return }
        luminanceWeights = Array(primaries.toXYZ.values[3..<6])
        luminanceFactors = LightTable(count: Self.lightSteps + 1) { step in
            Float(pow(Double(step) / Double(Self.lightSteps), 0.2) * Self.brightest / Self.referenceWhite)
        }
    }

    /// From light to that of sRGB, by way of the space of ICC profiles.
    static func matrix(toProfileXYZ matrix: ColorMatrix) -> ColorMatrix {
        (ColorPrimaries.sRGB.toProfileXYZ.inverse ?? .identity) * matrix
    }
}

/// From values to light, both 1 for white, by the numbers of ITU-T H.273.
enum TransferCurve {
    case sRGB, linear, pq, hlg
    case gamma(Double)
    /// SMPTE ST 428-1.
    case cinema
    /// So many decades.
    case logarithmic(Double)

    /// The curves of video are those of cameras; screens show them as sRGB.
    init(_ number: Int) {
        self =
            switch number {
            case 4: .gamma(2.2)
            case 5: .gamma(2.8)
            case 8: .linear
            case 9: .logarithmic(2)
            case 10: .logarithmic(2.5)
            case 16: .pq
            case 17: .cinema
            case 18: .hlg
            default: .sRGB
            }
    }

    /// Of PQ in units of 203 cd/m², of HLG the light of the scene.
    func light(_ value: Double) -> Double {
        switch self {
        case .sRGB: SRGB.light(value)
        case .linear: value
        case .gamma(let exponent): pow(value, exponent)
        case .cinema: 52.37 / 48 * pow(value, 2.6)
        case .logarithmic(let decades): value <= 0 ? 0 : pow(10, (value - 1) * decades)
        case .pq: Self.perceptualQuantizer(value) * 10000 / 203
        case .hlg: Self.hybridLogGamma(value)
        }
    }

    /// SMPTE ST 2084; 1 is 10,000 cd/m².
    private static func perceptualQuantizer(_ value: Double) -> Double {
        let (c1, c2, c3) = (0.8359375, 18.8515625, 18.6875)
        let root = pow(value, 1 / 78.84375)
        return pow(max(root - c1, 0) / (c2 - c3 * root), 1 / 0.1593017578125)
    }

    /// ITU-R BT.2100, from the signal to the light of the scene.
    private static func hybridLogGamma(_ value: Double) -> Double {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        return value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
    }
}
