#if PNG
    public import BowerbirdCore

    /// Reads PNG files of every depth and colour type, interlaced or not; of an animated one the still picture.
    ///
    /// `gAMA` and `cHRM` are ignored, as viewers of pictures do. An `eXIf` chunk counts where it stands before the
    /// pixels. Damage ends the picture, with a warning; a wrong checksum of the first pixel data throws. What is missing is
    /// transparent.
    public struct PNGDecoder: ImageDecoder {
        /// It has no settings: see `DecodingOptions`.
        public init() {}

        public var formats: [ImageFormat] { [.png] }

        public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
            guard !bytes.isEmpty else { throw .empty }
            let reader = try PNGReader()
            return try reader.withBytes(bytes) { () throws(DecodingError) in try reader.readHeader() }
        }

        public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
            guard !bytes.isEmpty else { throw .empty }
            let reader = try PNGReader()
            return try reader.withBytes(bytes) { () throws(DecodingError) in
                let header = try reader.readHeader()
                try options.limits.check(header.storedSize)
                let pixels = try reader.readPixels(of: header, options.pixels)
                let bitmap = try Finishing(header, options).finish(pixels)
                return DecodedImage(bitmap: bitmap, header: header, warnings: reader.warnings)
            }
        }
    }
#endif
