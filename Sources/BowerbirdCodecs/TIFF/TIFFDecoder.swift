#if TIFF
    public import BowerbirdCore
    import BowerbirdRaster

    /// Reads TIFF files, classic and BigTIFF, whose pages are chosen by `DecodingOptions.page`.
    ///
    /// Grey, colours, palettes and inks of 1 to 16 bits, 32 bits and floating point are read by ourselves, in strips and
    /// tiles, with components side by side or in planes; YCbCr, Lab and what is uncommon as libtiff makes 8-bit colours
    /// of it. Light of floating point is from 0, none, to 1. Damaged strips and tiles are left out, with a warning.
    public struct TIFFDecoder: ImageDecoder {
        /// It has no settings: see `DecodingOptions`.
        public init() {}

        public var formats: [ImageFormat] { [.tiff] }

        /// More are not counted for a header.
        private static let mostPages = 1 << 16

        /// Of the first page.
        public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
            let directories = try TIFFDirectories(of: bytes, atMost: Self.mostPages)
            let page = try directories.page(0, in: bytes)
            if page.lacksFacts(in: bytes) { throw .truncated(atByte: bytes.byteCount) }
            return try bytes.withUnsafeBytes { file throws(DecodingError) in
                let reader = try TIFFReader(file, page)
                return reader.header(frameCount: directories.isComplete ? directories.offsets.count : nil)
            }
        }

        public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
            let directories = try TIFFDirectories(of: bytes, atMost: options.limits.maximumFrameCount)
            try options.limits.check(frameCount: directories.offsets.count)
            let page = try directories.page(options.page, in: bytes)
            try page.check(options.limits)
            return try bytes.withUnsafeBytes { file throws(DecodingError) in
                try decode(file, page, directories, options)
            }
        }

        private func decode(
            _ file: UnsafeRawBufferPointer, _ page: TIFFPage, _ directories: TIFFDirectories, _ options: DecodingOptions
        ) throws(DecodingError) -> DecodedImage {
            let reader = try TIFFReader(file, page)
            let header = reader.header(frameCount: directories.offsets.count)
            // Where a directory says it twice, libtiff may have taken the other.
            try options.limits.check(header.storedSize)
            let format = options.pixels.format(bitsPerComponent: header.bitsPerComponent)
            guard var buffer = PixelBuffer(size: header.storedSize, format: format) else {
                throw .outOfMemory(header.storedSize)
            }
            var pixels = try TIFFPixels(file, page, reader)
            var warning = try pixels.read(into: &buffer)
            buffer.isOpaque = warning == nil && !header.hasAlpha
            if warning == nil, !directories.isComplete { warning = .truncated(atByte: file.count) }
            let bitmap = try Finishing(header, options).finish(buffer.freeze())
            return DecodedImage(
                bitmap: bitmap, header: header, warnings: warning.map { [$0] } ?? [],
                profile: options.profile(of: header))
        }

        /// XMP, density, and what the first page says of the photograph, in its own entries and the directories of EXIF.
        /// The EXIF data are a copy without the pixels.
        public func metadata(of bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> ImageMetadata {
            let directories = try TIFFDirectories(of: bytes, atMost: 0)
            let page = try directories.page(0, in: bytes)
            let exif = TIFFExif.data(
                ofDirectoryAt: page.offset, directories.structure, in: bytes, atMost: limits.maximumMetadataByteCount)
            var metadata = ImageMetadata(reading: exif, xmp: page.xmp(in: bytes, limits))
            // Every file has a resolution, which alone makes no photograph.
            if metadata.photograph == ImageMetadata.Photograph() { metadata.exif = nil }
            return metadata
        }
    }
#endif
