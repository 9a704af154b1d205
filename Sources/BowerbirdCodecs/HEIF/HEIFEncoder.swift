#if HEIF
    public import BowerbirdCore

    /// Writes HEIC files, as far as libheif was built with an HEVC encoder; else it throws `.unsupportedFormat`.
    ///
    /// Pixels have 8 bits: those of 16 are rounded. Colour is kept at half the resolution (4:2:0) below quality 0.95. The
    /// encoding cannot be interrupted.
    public struct HEIFEncoder: ImageEncoder {
        /// It has no settings: see `EncodingOptions`.
        public init() {}

        public var format: ImageFormat { .heif }

        public func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
            let writer = try HEIFWriter(options)
            try writer.add(bitmap)
            return try writer.finish()
        }
    }
#endif
