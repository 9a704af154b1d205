#if TIFF
    public import BowerbirdCore
    import BowerbirdRaster
    import CTIFF

    /// Reads TIFF files, classic and BigTIFF, whose pages are chosen by `DecodingOptions.page`.
    ///
    /// Grey, colours, palettes and inks of 1 to 16 bits, 32 bits and floating point are read by ourselves, in strips and
    /// tiles, with components side by side or in planes; YCbCr, Lab and what is uncommon as libtiff makes 8-bit colours
    /// of it. Inks become colours without their profile. Damaged strips and tiles are left out, with a warning.
    public struct TIFFDecoder: ImageDecoder {
        /// It has no settings: see `DecodingOptions`.
        public init() {}

        public var formats: [ImageFormat] { [.tiff] }

        /// More are not counted for a header.
        private static let mostPages = 1 << 16

        /// Of the first page.
        public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
            let directories = try TIFFDirectories(of: bytes, atMost: Self.mostPages)
            if directories.lacksFacts(in: bytes) { throw .truncated(atByte: bytes.byteCount) }
            return try bytes.withUnsafeBytes { file throws(DecodingError) in
                let reader = try TIFFReader(file, at: directories.offsets[0])
                return reader.header(frameCount: directories.isComplete ? directories.offsets.count : nil)
            }
        }

        public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
            let directories = try TIFFDirectories(of: bytes, atMost: options.limits.maximumFrameCount)
            try options.limits.check(frameCount: directories.offsets.count)
            guard directories.offsets.indices.contains(options.page) else {
                throw .noSuchFrame(options.page, count: directories.offsets.count)
            }
            return try bytes.withUnsafeBytes { file throws(DecodingError) in
                try decode(file, directories, options)
            }
        }

        private func decode(
            _ file: UnsafeRawBufferPointer, _ directories: TIFFDirectories, _ options: DecodingOptions
        ) throws(DecodingError) -> DecodedImage {
            let directory = directories.offsets[options.page]
            let reader = try TIFFReader(file, at: directory)
            let header = reader.header(frameCount: directories.offsets.count)
            try options.limits.check(header.storedSize)
            if case .icc(let profile) = header.profile {
                try options.limits.check(metadataByteCount: profile.bytes.count)
            }
            let format = options.pixels.format(bitsPerComponent: header.bitsPerComponent)
            guard var buffer = PixelBuffer(size: header.storedSize, format: format) else {
                throw .outOfMemory(header.storedSize)
            }
            var pixels = try TIFFPixels(file, at: directory, reader)
            var warning = try pixels.read(into: &buffer)
            buffer.isOpaque = warning == nil && !header.hasAlpha
            if warning == nil, !directories.isComplete { warning = .truncated(atByte: file.count) }
            let bitmap = try Finishing(header, options).finish(buffer.freeze())
            return DecodedImage(
                bitmap: bitmap, header: header, warnings: warning.map { [$0] } ?? [],
                profile: options.profile(of: header))
        }

        /// XMP, density, and what the first page says of the photograph in texts of its own.
        public func metadata(of bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> ImageMetadata {
            let directories = try TIFFDirectories(of: bytes, atMost: limits.maximumFrameCount)
            return try bytes.withUnsafeBytes { file throws(DecodingError) in
                let reader = try TIFFReader(file, at: directories.offsets[0])
                let xmp = reader.bytes(ofTag: TIFFTAG_XMLPACKET)
                return ImageMetadata(
                    xmp: (xmp?.count ?? 0) <= limits.maximumMetadataByteCount ? xmp : nil, density: reader.density,
                    photograph: Self.photograph(reader))
            }
        }

        private static func photograph(_ reader: TIFFReader) -> ImageMetadata.Photograph {
            var photograph = ImageMetadata.Photograph()
            photograph.make = reader.text(ofTag: TIFFTAG_MAKE)
            photograph.model = reader.text(ofTag: TIFFTAG_MODEL)
            photograph.software = reader.text(ofTag: TIFFTAG_SOFTWARE)
            photograph.artist = reader.text(ofTag: TIFFTAG_ARTIST)
            photograph.copyright = reader.text(ofTag: TIFFTAG_COPYRIGHT)
            photograph.caption = reader.text(ofTag: TIFFTAG_IMAGEDESCRIPTION)
            return photograph
        }
    }
#endif
