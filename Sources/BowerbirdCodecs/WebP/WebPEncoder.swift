#if WebP
    public import BowerbirdCore
    import BowerbirdRaster

    /// Writes WebP files, lossy or lossless, stills and animations, with alpha where the picture has some.
    ///
    /// Lossless files keep the colours of transparent pixels of stills as well. 16 bits become 8. A colour profile is
    /// written where it is an ICC profile for RGB; pixels with another profile become sRGB. A side has at most
    /// 16,383 pixels.
    public struct WebPEncoder: ImageEncoder {
        /// It has no settings: see `EncodingOptions`.
        public init() {}

        public var format: ImageFormat { .webP }

        private static let longestSide = 16383

        public func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
            try Self.check(bitmap.size)
            let extras = WebPExtras(options)
            let writer = try WebPWriter(options)
            try writer.write(Self.inWrittenColors(bitmap, options))
            return try extras.added(to: writer.finish())
        }

        /// Each frame is compared with the one before, and the rectangle that differs is written.
        public func encode(
            _ frames: any FrameSource, _ options: EncodingOptions
        ) throws(EncodingError) -> EncodedImage {
            try Self.check(frames.size)
            let extras = WebPExtras(options)
            let writer = try WebPAnimationWriter(frames.size, loopCount: frames.loopCount, options)
            for index in 0..<frames.frameCount {
                try writer.write(
                    Self.inWrittenColors(Self.frame(index, of: frames), options), for: frames.delays[index])
            }
            return try extras.added(to: writer.finish())
        }

        private static func check(_ size: PixelSize) throws(EncodingError) {
            guard max(size.width, size.height) <= longestSide else { throw .tooLarge(size, format: .webP) }
        }

        private static func frame(_ index: Int, of frames: any FrameSource) throws(EncodingError) -> Bitmap {
            do throws(DecodingError) {
                return try frames.frame(at: index)
            } catch {
                throw error == .cancelled ? .cancelled : .unreadableFrame(index, error)
            }
        }

        private static func inWrittenColors(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError)
            -> Bitmap
        {
            guard !options.profile.isSRGB, WebPExtras.writtenProfile(options) == nil else { return bitmap }
            do throws(RasterError) {
                return try ColorConversion.toSRGB(bitmap, from: options.profile)
            } catch {
                switch error {
                case .cancelled: throw .cancelled
                case .outOfMemory: throw .outOfMemory
                case .unsupportedPixels: throw .failed("the colours of \(options.profile) cannot become sRGB")
                }
            }
        }
    }
#endif
