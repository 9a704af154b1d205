#if WebP
    public import BowerbirdCore

    /// Reads WebP files: lossy, lossless, with alpha, animated.
    ///
    /// A picture for a target size is made smaller while it is decoded. A file that ends early or is damaged shows the
    /// rows before that place; what is missing is transparent. Frames of an animation lie on a transparent canvas,
    /// whatever background the file asks for, as in browsers. EXIF data stand behind the pixels, so the orientation of a
    /// file that has not wholly arrived counts as upright.
    public struct WebPDecoder: ImageDecoder {
        /// It has no settings: see `DecodingOptions`.
        public init() {}

        public var formats: [ImageFormat] { [.webP] }

        public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
            guard !bytes.isEmpty else { throw .empty }
            var file = WebPFile()
            file.read(bytes)
            return try file.header(in: bytes)
        }

        public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
            guard !bytes.isEmpty else { throw .empty }
            let decoder = WebPProgressiveDecoder(options, keepsFrames: false)
            try decoder.update(bytes, isComplete: true)
            return try decoder.finish()
        }

        /// The frames up to where the file ends or makes no sense.
        public func frames(
            in file: EncodedImage, _ options: DecodingOptions
        ) throws(DecodingError) -> (any FrameSource)? {
            guard !options.firstFrameOnly else { return nil }
            let (chunks, header) = try file.withBytes { bytes throws(DecodingError) in
                var chunks = WebPFile()
                chunks.read(bytes)
                return (chunks, try chunks.header(in: bytes))
            }
            let pictures = chunks.frames.map { frame in
                WebPFragmentReader.Picture(features: frame.features, file: file, range: frame.picture)
            }
            return try chunks.frames(pictures, header, options)
        }

        /// EXIF data and XMP.
        public func metadata(of bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> ImageMetadata {
            guard !bytes.isEmpty else { throw .empty }
            var file = WebPFile()
            file.read(bytes)
            var allowance = MetadataAllowance(limits)
            let blocks = [file.exif, file.xmp].map { range -> [UInt8]? in
                guard let range, allowance.admits(range.count) else { return nil }
                return bytes.extracting(range).withUnsafeBytes { Array($0) }
            }
            return ImageMetadata(reading: blocks[0], xmp: blocks[1])
        }

        /// Gives at most three previews, one where the decoded picture has more than four megapixels, and the first frame
        /// of an animation. None while it is not known how a picture with EXIF data is to be turned.
        public func makeProgressiveDecoder(_ options: DecodingOptions) -> (any ProgressiveDecoder)? {
            WebPProgressiveDecoder(options, keepsFrames: !options.firstFrameOnly)
        }
    }

    extension WebPFile {
        /// The facts of the file, once the chunks in `bytes` have been read.
        func header(in bytes: RawSpan) throws(DecodingError) -> ImageHeader {
            let isWebP = bytes.matches("RIFF") && bytes.matches("WEBP", at: 8)
            guard isWebP || bytes.byteCount < 12 else { throw .corrupt("it does not begin like a WebP file") }
            let features = try WebPFeatures(of: bytes)
            guard !isAnimation || hasReachedFrames else { throw .truncated(atByte: bytes.byteCount) }
            let count = !isAnimation ? 1 : isWhole || damage != nil ? frames.count : nil
            let isAnimated = isAnimation && count != 1
            return ImageHeader(
                format: .webP, storedSize: features.size, orientation: orientation(in: bytes),
                hasAlpha: features.hasAlpha, profile: profile(in: bytes), frameCount: count,
                loopCount: isAnimated ? loopCount : nil, isAnimated: isAnimated)
        }

        /// The frames that are there, each with its picture; nil where there are not several.
        func frames(
            _ pictures: [WebPFragmentReader.Picture], _ header: ImageHeader, _ options: DecodingOptions,
            continuing earlier: CompositedFrames? = nil
        ) throws(DecodingError) -> CompositedFrames? {
            guard frames.count > 1 else { return nil }
            try options.limits.check(header.storedSize)
            try options.limits.check(frameCount: frames.count)
            let format = options.pixels.format(bitsPerComponent: header.bitsPerComponent)
            return CompositedFrames(
                header, frames.map(\.fragment), loopCount: loopCount ?? .times(1), options,
                WebPFragmentReader(pictures: pictures, format: format), continuing: earlier)
        }

        private func orientation(in bytes: RawSpan) -> Orientation {
            exif.flatMap { ExifReader.orientation(in: bytes.extracting($0)) } ?? .topLeft
        }

        private func profile(in bytes: RawSpan) -> ColorProfile {
            guard let profile else { return .unspecified }
            return .icc(ICCProfile(bytes: bytes.extracting(profile).withUnsafeBytes { Array($0) }))
        }
    }
#endif
