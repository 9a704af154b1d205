#if PNG
    public import BowerbirdCore

    /// Reads PNG files of every depth and colour type, interlaced or not, and animated ones (APNG).
    ///
    /// `gAMA` and `cHRM` are ignored, as viewers of pictures do. An `eXIf` chunk turns the picture where it stands before
    /// the pixels. Damage ends the picture, with a warning; a wrong checksum of the first pixel data throws. What is
    /// missing is transparent. A broken animation ends with its last good frame; one without any is a still.
    public struct PNGDecoder: ImageDecoder {
        /// It has no settings: see `DecodingOptions`.
        public init() {}

        public var formats: [ImageFormat] { [.png] }

        public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
            guard !bytes.isEmpty else { throw .empty }
            return try PNGFacts(of: bytes, DecodingLimits()).header
        }

        public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
            guard !bytes.isEmpty else { throw .empty }
            let facts = try PNGFacts(of: bytes, options.limits)
            try options.limits.check(facts.layout.size)
            let animation = PNGAnimation(of: facts, in: bytes)
            if let first = try animation?.firstFrame(of: bytes, options) { return first.warning(of: animation) }
            return try still(of: facts, in: bytes, options).warning(of: animation)
        }

        private func still(
            of facts: PNGFacts, in bytes: RawSpan, _ options: DecodingOptions
        ) throws(DecodingError) -> DecodedImage {
            let (bitmap, warnings) = try PNGStill.pixels(of: facts, in: bytes, options.pixels)
            return DecodedImage(
                bitmap: try Finishing(facts.header, options).finish(bitmap), header: facts.header, warnings: warnings,
                profile: options.profile(of: facts.header))
        }

        public func frames(
            in file: EncodedImage, _ options: DecodingOptions
        ) throws(DecodingError) -> (any FrameSource)? {
            try file.withBytes { bytes throws(DecodingError) in
                guard !bytes.isEmpty else { throw .empty }
                let facts = try PNGFacts(of: bytes, options.limits)
                try options.limits.check(facts.layout.size)
                guard let animation = PNGAnimation(of: facts, in: bytes) else { return nil }
                return try animation.source(options) { frame in
                    file.withBytes { animation.file(of: frame, in: $0) }
                }
            }
        }

        public func metadata(
            of bytes: RawSpan, _ limits: DecodingLimits
        ) throws(DecodingError) -> ImageMetadata {
            guard !bytes.isEmpty else { throw .empty }
            return try PNGMetadata.read(bytes, limits)
        }

        /// Gives at most three previews, one where the picture has more than four megapixels.
        public func makeProgressiveDecoder(_ options: DecodingOptions) -> (any ProgressiveDecoder)? {
            PNGProgressiveDecoder(options)
        }
    }

    extension DecodedImage {
        /// The same, with what is wrong with the animation it belongs to.
        func warning(of animation: PNGAnimation?) -> DecodedImage {
            guard let warnings = animation?.warnings, !warnings.isEmpty else { return self }
            var copy = self
            copy.warnings += warnings
            return copy
        }
    }

    /// The still picture of a whole file, or of what there is of it.
    package enum PNGStill {
        package static func pixels(
            of facts: PNGFacts, in bytes: RawSpan, _ pixels: DecodingOptions.Pixels
        ) throws(DecodingError) -> (Bitmap, [ImageWarning]) {
            if let bitmap = try PNGWholePicture(facts, in: bytes)?.pixels(from: bytes, pixels) { return (bitmap, []) }
            return try pixelsThroughLibrary(of: facts, in: bytes, pixels)
        }

        /// By libpng, which reads what is damaged, deep or interlaced too.
        package static func pixelsThroughLibrary(
            of facts: PNGFacts, in bytes: RawSpan, _ pixels: DecodingOptions.Pixels
        ) throws(DecodingError) -> (Bitmap, [ImageWarning]) {
            let stream = try PNGStream(facts, pixels)
            try stream.read(bytes)
            return try stream.finish(byteCount: bytes.byteCount)
        }
    }
#endif
