#if ICC
    import BowerbirdCore
    import BowerbirdRaster
    import CLCMS

    /// The owner of a transform of lcms2: for profiles that are tables of colours, and for printing inks.
    ///
    /// Colours keep their look relative to white (relative colorimetric), and the darkest ink becomes black (black point
    /// compensation), as in programs for photographs; without it printed pictures look washed out.
    ///
    /// Invariant of the `@unchecked Sendable`: the transform keeps no state between calls (`cmsFLAGS_NOCACHE`), and its
    /// context, which does, is used only while it is made and freed.
    final class ICCTransform: ColorTransform, @unchecked Sendable {
        private let context: cmsContext
        private let transform: cmsHTRANSFORM

        /// Pixels that are converted at once: few enough for the stack.
        private static let scratchCount = 1024

        /// Straight red, green, blue and alpha, to pixels of `format` but straight; nil for a profile that lcms2 refuses.
        convenience init?(_ profile: ICCProfile, _ format: PixelFormat) {
            guard profile.colorSpace == .rgb else { return nil }
            let rgba8 = bb_cms_rgba8()
            switch format {
            case .bgra8Premultiplied: self.init(profile, from: rgba8, to: bb_cms_bgra8(), copiesAlpha: true)
            case .rgba8Straight: self.init(profile, from: rgba8, to: rgba8, copiesAlpha: true)
            case .rgba16Straight:
                self.init(profile, from: bb_cms_rgba16(), to: bb_cms_rgba16(), copiesAlpha: true)
            }
        }

        /// Inks of 8 bits to blue, green, red and a byte that is left as it is; `isInverted` says that 255 is no ink.
        convenience init?(inks profile: ICCProfile, isInverted: Bool) {
            guard profile.colorSpace == .cmyk else { return nil }
            self.init(profile, from: bb_cms_cmyk8(isInverted), to: bb_cms_bgra8(), copiesAlpha: false)
        }

        private init?(_ profile: ICCProfile, from input: UInt32, to output: UInt32, copiesAlpha: Bool) {
            guard let context = bb_cms_context_create() else { return nil }
            let transform = profile.bytes.withUnsafeBytes { bytes in
                bytes.baseAddress.flatMap {
                    bb_cms_transform_to_srgb(context, $0, UInt32(clamping: bytes.count), input, output, copiesAlpha)
                }
            }
            guard let transform else {
                cmsDeleteContext(context)
                return nil
            }
            self.context = context
            self.transform = transform
        }

        deinit {
            cmsDeleteTransform(transform)
            cmsDeleteContext(context)
        }

        func convert(
            _ source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, pixelCount: Int, _ format: PixelFormat
        ) {
            guard format == .bgra8Premultiplied else {
                return cmsDoTransform(transform, source, destination, UInt32(clamping: pixelCount))
            }
            withUnsafeTemporaryAllocation(byteCount: 4 * Self.scratchCount, alignment: 4) { scratch in
                for first in stride(from: 0, to: pixelCount, by: Self.scratchCount) {
                    let bytes = 4 * first..<4 * min(pixelCount, first + Self.scratchCount)
                    convertPremultiplied(
                        UnsafeRawBufferPointer(start: source + bytes.lowerBound, count: bytes.count),
                        to: UnsafeMutableRawBufferPointer(start: destination + bytes.lowerBound, count: bytes.count),
                        scratch)
                }
            }
        }

        private func convertPremultiplied(
            _ source: UnsafeRawBufferPointer, to destination: UnsafeMutableRawBufferPointer,
            _ scratch: UnsafeMutableRawBufferPointer
        ) {
            guard let straight = scratch.baseAddress, let result = destination.baseAddress else { return }
            Premultiplying.unpremultiply(bgra: source, intoRGBA: scratch)
            cmsDoTransform(transform, straight, result, UInt32(clamping: source.count / 4))
            Premultiplying.premultiply(bgra: destination)
        }

        /// Inks to opaque blue, green, red and alpha, in place.
        func convertInks(_ pixels: UnsafeMutableRawBufferPointer) {
            guard let base = pixels.baseAddress else { return }
            withUnsafeTemporaryAllocation(byteCount: 4 * Self.scratchCount, alignment: 4) { scratch in
                guard let inks = scratch.baseAddress else { return }
                for first in stride(from: 0, to: pixels.count, by: 4 * Self.scratchCount) {
                    let count = min(pixels.count - first, 4 * Self.scratchCount)
                    inks.copyMemory(from: base + first, byteCount: count)
                    cmsDoTransform(transform, inks, base + first, UInt32(count / 4))
                }
            }
            for alpha in stride(from: 3, to: pixels.count, by: 4) { pixels[alpha] = 255 }
        }
    }
#endif
