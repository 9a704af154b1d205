#if JXL
    public import BowerbirdCore
    import CJXL

    /// Reads JPEG XL files, bare streams and containers, of every depth; stills, animations, and JPEG files inside.
    ///
    /// Layers come composed, printing inks (CMYK) as RGB without a profile. Colours that the file leaves to the decoder
    /// are asked for in sRGB, where light that is brighter than screens is bent. A file that ends early or is damaged
    /// shows what came before, as far as it is laid out for that. Decoding is the work of one thread.
    public struct JXLDecoder: ImageDecoder {
        /// It has no settings: see `DecodingOptions`.
        public init() {}

        public var formats: [ImageFormat] { [.jxl] }

        public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
            guard !bytes.isEmpty else { throw .empty }
            let reader = try JXLReader([JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING])
            return try reader.withBytes(bytes, first: bytes.byteCount) { () throws(DecodingError) in
                while true {
                    switch try reader.next() {
                    case .colors: return reader.header(profile: reader.profile(JXL_COLOR_PROFILE_TARGET_ORIGINAL))
                    case .needsBytes: throw .truncated(atByte: bytes.byteCount)
                    case .end: throw .corrupt(JXLReader.damage)
                    default: break
                    }
                }
            }
        }

        public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
            guard !bytes.isEmpty else { throw .empty }
            let decoder = JXLProgressiveDecoder(options)
            try decoder.update(bytes, isComplete: true)
            return try decoder.finish()
        }

        public func frames(
            in file: EncodedImage, _ options: DecodingOptions
        ) throws(DecodingError) -> (any FrameSource)? {
            guard !file.isEmpty else { throw .empty }
            guard !options.firstFrameOnly else { return nil }
            guard let scan = try JXLFrameScan(file, options), scan.delays.count > 1 else { return nil }
            return JXLFrames(file, scan, options)
        }

        /// EXIF data and XMP, unpacked.
        public func metadata(of bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> ImageMetadata {
            guard !bytes.isEmpty else { throw .empty }
            let blocks = try JXLBlocks(bytes, limits)
            return ImageMetadata(reading: blocks.exif, xmp: blocks.xmp)
        }

        /// Gives at most four previews, one where the picture has more than four megapixels, and only of files that are
        /// laid out for it.
        public func makeProgressiveDecoder(_ options: DecodingOptions) -> (any ProgressiveDecoder)? {
            JXLProgressiveDecoder(options)
        }
    }
#endif
