#if JPEG
    public import BowerbirdCore

    /// Reads JPEG files of every kind that libjpeg-turbo does: baseline and progressive, grey, colour, CMYK and YCCK.
    ///
    /// A picture for a target size is made smaller while it is decoded, which costs a fraction of the time and memory.
    /// Damage is shown around with a warning; a file that ends early has grey where the rest was.
    public struct JPEGDecoder: ImageDecoder {
        /// It has no settings: see `DecodingOptions`.
        public init() {}

        public var formats: [ImageFormat] { [.jpeg] }

        public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
            guard !bytes.isEmpty else { throw .empty }
            let reader = try JPEGReader()
            var header: ImageHeader?
            try reader.withBytes(bytes, isComplete: false) { () throws(DecodingError) in
                header = try reader.readHeader()
            }
            guard let header else { throw .truncated(atByte: bytes.byteCount) }
            var segments = JPEGSegments(DecodingLimits())
            guard segments.read(bytes) else { return header }
            return segments.facts(in: bytes).complete(header, componentCount: reader.componentCount)
        }

        public func metadata(of bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> ImageMetadata {
            guard bytes.matches([0xFF, 0xD8]) else { throw .unrecognized(bytes) }
            var segments = JPEGSegments(limits)
            _ = segments.read(bytes)
            return segments.metadata(in: bytes)
        }

        public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
            guard !bytes.isEmpty else { throw .empty }
            let decoder = try JPEGProgressiveDecoder(options)
            try decoder.update(bytes, isComplete: true)
            return try decoder.finish()
        }

        /// Gives at most three previews, and before them the small picture that cameras put into their files; one where the decoded picture has more than four megapixels.
        public func makeProgressiveDecoder(_ options: DecodingOptions) -> (any ProgressiveDecoder)? {
            try? JPEGProgressiveDecoder(options)
        }
    }
#endif
