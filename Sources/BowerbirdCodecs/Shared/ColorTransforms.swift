import BowerbirdCore
import BowerbirdRaster

/// The transforms that were used last: making one costs as much as converting a small picture.
final class ColorTransforms: Sendable {
    static let shared = ColorTransforms()

    private static let maximumCount = 8
    /// Larger profiles are not kept, so that strangers' files cannot fill the memory.
    private static let longestProfile = 4 << 20

    private struct Key: Hashable {
        let profile: ColorProfile
        let format: PixelFormat
    }

    private struct Entry {
        let key: Key
        /// Nil where the pixels stay as they are.
        let transform: (any ColorTransform)?
    }

    /// The one used last is at the end.
    private let entries = Lock([Entry]())

    /// The way from `profile` to sRGB for pixels of `format`, red, green and blue; nil where they stay as they are.
    func transform(from profile: ColorProfile, _ format: PixelFormat) -> (any ColorTransform)? {
        let key = Key(profile: profile, format: format)
        if let known = known(key) { return known.transform }
        // Two threads may make the same one, which does no harm.
        let entry = Entry(key: key, transform: Self.make(profile, format))
        keep(entry)
        return entry.transform
    }

    private func known(_ key: Key) -> Entry? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry
        }
    }

    private func keep(_ entry: Entry) {
        if case .icc(let profile) = entry.key.profile, profile.bytes.count > Self.longestProfile { return }
        entries.withLock { entries in
            entries.removeAll { $0.key == entry.key }
            if entries.count >= Self.maximumCount { entries.removeFirst() }
            entries.append(entry)
        }
    }

    /// How many are kept.
    var count: Int { entries.withLock { $0.count } }

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

extension ICCProfile {
    /// Whether it is for pixels of red, green and blue, or of grey, which have all three the same.
    var isForPixelsOfLight: Bool { colorSpace == .rgb || colorSpace == .gray }
}
