#if AVIF
    public import BowerbirdCore

    /// Reads AVIF stills and sequences.
    ///
    /// The picture is cut (`clap`), turned (`irot`) and mirrored (`imir`) as the file says. An orientation in EXIF data
    /// counts for nothing, by the standard: writers turn the picture themselves. Faults of old encoders are overlooked, as
    /// in browsers. The AV1 decoder cannot be interrupted: a cancelled task waits for one frame at the most.
    public struct AVIFDecoder: ImageDecoder {
        /// It has no settings: see `DecodingOptions`.
        public init() {}

        public var formats: [ImageFormat] { [.avif] }

        public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
            guard !bytes.isEmpty else { throw .empty }
            let reader = try AVIFReader(keepsBytes: true)
            return try reader.withBytes(bytes, isComplete: false) { () throws(DecodingError) in
                guard try reader.parse(nil) else { throw .truncated(atByte: bytes.byteCount) }
                return reader.header(loopCount: AVIFMovie(in: bytes)?.loopCount)
            }
        }

        /// Of a sequence its first frame.
        public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
            guard !bytes.isEmpty else { throw .empty }
            let decoder = try AVIFProgressiveDecoder(options, keepsBytes: true)
            try decoder.update(bytes, isComplete: true)
            return try decoder.finish()
        }

        public func frames(
            in file: EncodedImage, _ options: DecodingOptions
        ) throws(DecodingError) -> (any FrameSource)? {
            guard !file.isEmpty else { throw .empty }
            guard !options.firstFrameOnly else { return nil }
            return try AVIFFrames(file, options)
        }

        public func metadata(of bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> ImageMetadata {
            guard !bytes.isEmpty else { throw .empty }
            let reader = try AVIFReader(keepsBytes: true, ignoresMetadata: false)
            return try reader.withBytes(bytes, isComplete: true) { () throws(DecodingError) in
                _ = try reader.parse(nil)
                var allowance = MetadataAllowance(limits)
                let (exif, xmp) = reader.metadata
                return ImageMetadata(reading: allowance.admitted(exif), xmp: allowance.admitted(xmp))
            }
        }

        /// Shows the rows that have come of pictures that are made of tiles; others show all or nothing.
        public func makeProgressiveDecoder(_ options: DecodingOptions) -> (any ProgressiveDecoder)? {
            try? AVIFProgressiveDecoder(options, keepsBytes: false)
        }
    }
#endif
