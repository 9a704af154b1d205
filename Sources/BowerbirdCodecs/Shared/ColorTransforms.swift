import BowerbirdCore
import BowerbirdRaster

/// The transforms that were used last: making one costs as much as converting a small picture.
final class ColorTransforms: Sendable {
    static let shared = ColorTransforms()

    private struct Key: Hashable {
        let profile: ColorProfile
        let format: PixelFormat
    }

    /// Nil for a profile that leaves pixels as they are.
    private let recent = RecentlyUsed<Key, (any ColorTransform)?>(maximumCount: 8)

    /// The way from `profile` to sRGB for pixels of `format`, red, green and blue; nil where they stay as they are.
    func transform(from profile: ColorProfile, _ format: PixelFormat) -> (any ColorTransform)? {
        recent.value(of: Key(profile: profile, format: format), isKept: profile.isSmallEnoughToKeep) {
            Self.make(profile, format)
        }
    }

    /// How many are kept.
    var count: Int { recent.count }

    private static func make(_ profile: ColorProfile, _ format: PixelFormat) -> (any ColorTransform)? {
        guard let plain = makeTransform(profile, .rgba8Straight), !plain.changesNothing else { return nil }
        return format == .rgba8Straight ? plain : makeTransform(profile, format)
    }

    private static func makeTransform(_ profile: ColorProfile, _ format: PixelFormat) -> (any ColorTransform)? {
        switch profile {
        case .unspecified, .sRGB: nil
        case .cicp(let points): ColorMapping(points, format)
        case .icc(let profile): transform(profile, format)
        }
    }

    private static func transform(_ profile: ICCProfile, _ format: PixelFormat) -> (any ColorTransform)? {
        guard profile.isForPixelsOfLight else { return nil }
        #if ICC
            if profile.hasLookupTable { return ICCTransform(profile, format) }
        #endif
        return ColorMapping(profile, format)
    }
}

extension ColorProfile {
    /// Larger profiles are not kept, so that strangers' files cannot fill the memory.
    var isSmallEnoughToKeep: Bool {
        guard case .icc(let profile) = self else { return true }
        return profile.bytes.count <= 4 << 20
    }
}

extension ICCProfile {
    /// Whether it is for pixels of red, green and blue, or of grey, which have all three the same.
    var isForPixelsOfLight: Bool { colorSpace == .rgb || colorSpace == .gray }
}
