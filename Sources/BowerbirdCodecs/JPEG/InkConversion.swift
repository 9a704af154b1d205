#if JPEG
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

        /// By `profile`, where that is one for inks and makes sense. `isInverted` says that 255 is no ink.
        init(_ profile: ColorProfile, isInverted: Bool) {
            self = .plain
            #if ICC
                guard case .icc(let profile) = profile else { return }
                if let transform = ICCTransform(inks: profile, isInverted: isInverted) { self = .profiled(transform) }
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
