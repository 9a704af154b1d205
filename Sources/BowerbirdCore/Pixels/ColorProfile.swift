/// What the numbers of a picture's pixels mean.
public enum ColorProfile: Hashable, Sendable, CustomStringConvertible {
    /// The file does not say; such pictures are taken for sRGB, as everybody does.
    case unspecified
    /// The file says that it is sRGB.
    case sRGB
    /// The numbers of ITU-T H.273, as AVIF, HEIF, JPEG XL and new PNG files carry them.
    case cicp(CodingPoints)
    /// A profile of the International Color Consortium, byte for byte.
    case icc(ICCProfile)

    /// Whether pixels of it can be shown as they are.
    public var isSRGB: Bool {
        switch self {
        case .unspecified, .sRGB: true
        case .cicp(let points): points.isSRGB
        case .icc: false
        }
    }

    /// For people: `sRGB`, `Display P3`, the name that a profile has.
    public var description: String {
        switch self {
        case .unspecified: "not specified"
        case .sRGB: "sRGB"
        case .cicp(let points): points.description
        case .icc(let profile): profile.name ?? "ICC profile"
        }
    }
}

/// Colour by the code points of ITU-T H.273.
public struct CodingPoints: Hashable, Sendable, CustomStringConvertible {
    /// 1 is BT.709 and sRGB, 9 BT.2020, 12 Display P3; 2 says nothing.
    public var primaries: Int
    /// 1 is BT.709, 8 linear, 13 sRGB, 16 PQ, 18 HLG; 2 says nothing.
    public var transfer: Int

    /// The numbers as the file has them.
    public init(primaries: Int, transfer: Int) {
        self.primaries = primaries
        self.transfer = transfer
    }

    /// Pictures are made to look right on sRGB screens, so BT.709 and what is not said count as sRGB.
    public var isSRGB: Bool { [1, 2].contains(primaries) && [1, 2, 6, 13].contains(transfer) }

    /// Whether it is one of the two transfer functions of high dynamic range, PQ and HLG.
    public var isHighDynamicRange: Bool { transfer == 16 || transfer == 18 }

    public var description: String {
        if isSRGB { return "sRGB" }
        if primaries == 12, transfer == 13 { return "Display P3" }
        let primaries = [1: "BT.709", 9: "BT.2020", 11: "DCI-P3", 12: "P3"][primaries] ?? "primaries \(primaries)"
        let transfer =
            [1: "BT.709", 4: "gamma 2.2", 8: "linear", 13: "sRGB", 16: "PQ", 18: "HLG"][transfer]
            ?? "transfer \(transfer)"
        return "\(primaries), \(transfer)"
    }
}
