#if WebP
    import BowerbirdCore
    import CWebP

    /// What libwebp reads from the beginning of a file, or of a frame's picture.
    struct WebPFeatures: Sendable {
        let size: PixelSize
        let hasAlpha: Bool
        let isLossless: Bool

        /// Throws `.truncated` for too few bytes.
        init(of bytes: RawSpan) throws(DecodingError) {
            var features = WebPBitstreamFeatures()
            let status = bytes.withUnsafeBytes { bytes in
                WebPGetFeatures(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &features)
            }
            switch status {
            case VP8_STATUS_OK: break
            case VP8_STATUS_NOT_ENOUGH_DATA: throw .truncated(atByte: bytes.byteCount)
            default: throw .corrupt("its beginning makes no sense to libwebp")
            }
            size = PixelSize(width: Int(features.width), height: Int(features.height))
            hasAlpha = features.has_alpha != 0
            isLossless = features.format == 2
        }
    }
#endif
