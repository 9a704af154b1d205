#if SVG
    public import BowerbirdCore
    import BowerbirdRaster

    /// Draws SVG documents with librsvg, in exactly the size that is asked for, however large: they have no pixels of
    /// their own.
    ///
    /// Nothing outside the document is loaded. Of pictures inside it only PNG, JPEG, GIF and WebP are drawn, and only
    /// those that this build can decode and that keep to the limits. A drawing that takes longer than the limits
    /// allow, or whose task is cancelled, is answered at once and runs out on its own thread.
    public struct SVGDecoder: ImageDecoder {
        /// It has no settings: see `DecodingOptions`.
        public init() {}

        public var formats: [ImageFormat] { [.svg] }

        public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
            Self.header(try SVGDocument.size(of: bytes))
        }

        public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
            let header = try header(of: bytes)
            guard !header.storedSize.isEmpty else { throw .corrupt("its size is \(header.storedSize)") }
            var options = options
            options.allowsUpscaling = true
            let finishing = Finishing(header, options)
            try Self.check(finishing.size, options.limits)
            let document = try SVGDocument(bytes, options.limits)
            let limit = options.limits.maximumDrawingTime
            let drawn = try SVGDrawing.draw(document, in: finishing.size, limit: limit)
            let bitmap = try finishing.finish(options.pixels == .exact ? drawn.straight() : drawn)
            return DecodedImage(bitmap: bitmap, header: header, warnings: document.warnings)
        }

        private static func header(_ size: SVGSize) -> ImageHeader {
            ImageHeader(format: .svg, storedSize: size.pixels, hasAlpha: true, profile: .sRGB)
        }

        private static func check(_ size: PixelSize, _ limits: DecodingLimits) throws(DecodingError) {
            try limits.check(size)
            guard max(size.width, size.height) <= SVGSize.longestSide else {
                throw .tooLarge(size, maximumPixelCount: limits.maximumPixelCount)
            }
        }
    }

    extension Bitmap {
        /// The same with straight alpha.
        fileprivate func straight() throws(DecodingError) -> Bitmap {
            guard var result = PixelBuffer(size: size, format: .rgba8Straight, isOpaque: isOpaque) else {
                throw .outOfMemory(size)
            }
            withUnsafeBytes { pixels in
                result.withUnsafeMutableBytes { Premultiplying.unpremultiply(bgra: pixels, intoRGBA: $0) }
            }
            return result.freeze()
        }
    }
#endif
