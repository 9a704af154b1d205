#if JPEG || TIFF
    import BowerbirdCore
    import BowerbirdRaster

    /// The way from four inks to opaque sRGB.
    enum InkConversion {
        /// Without a profile: what ink there is takes its light away.
        case plain
        #if ICC
            /// As the profile of the inks says.
            case profiled(ICCTransform)
        #endif

        #if ICC
            private struct Key: Hashable {
                let profile: ICCProfile
                let isInverted: Bool
            }

            /// Making one takes as long as decoding a small picture.
            private static let recent = RecentlyUsed<Key, ICCTransform?>(maximumCount: 4)
        #endif

        /// By `profile`, where that is one for inks and makes sense. `isInverted` says that 255 is no ink.
        init(_ profile: ColorProfile, isInverted: Bool) {
            self = .plain
            #if ICC
                guard case .icc(let inks) = profile else { return }
                let key = Key(profile: inks, isInverted: isInverted)
                let transform = Self.recent.value(of: key, isKept: profile.isSmallEnoughToKeep) {
                    ICCTransform(inks: inks, isInverted: isInverted)
                }
                if let transform { self = .profiled(transform) }
            #endif
        }

        /// Four bytes of ink become blue, green, red and alpha, in place.
        func convert(_ pixels: UnsafeMutableRawBufferPointer, isInverted: Bool) {
            switch self {
            case .plain: Premultiplying.convert(cmyk: pixels, isInverted: isInverted)
            #if ICC
                case .profiled(let transform): transform.convertInks(pixels)
            #endif
            }
        }
    }
#endif
