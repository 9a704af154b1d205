#if AVIF
    public import BowerbirdCore

    /// Writes AVIF stills and sequences, as far as libavif was built with an AV1 encoder.
    ///
    /// Pixels of 16 bits become 10 bits, 12 with `isLossless`. Colour is kept at half the resolution (4:2:0) below quality
    /// 0.95. Alpha is never lossy. A sequence written by libavif before 1.0 does not say how often it is played, and is
    /// played for ever. Encoding a frame cannot be interrupted.
    public struct AVIFEncoder: ImageEncoder {
        /// It has no settings: see `EncodingOptions`.
        public init() {}

        public var format: ImageFormat { .avif }

        public func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
            let writer = try AVIFWriter(options, isSequence: false)
            try writer.add(bitmap, for: .zero)
            return try writer.finish()
        }

        public func encode(_ frames: any FrameSource, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage
        {
            let writer = try AVIFWriter(options, isSequence: true)
            writer.loopCount = frames.loopCount
            for (index, delay) in frames.delays.enumerated() {
                try writer.add(Self.frame(index, of: frames), for: delay)
            }
            return try writer.finish()
        }

        private static func frame(_ index: Int, of frames: any FrameSource) throws(EncodingError) -> Bitmap {
            do throws(DecodingError) {
                return try frames.frame(at: index)
            } catch .cancelled {
                throw .cancelled
            } catch {
                throw .unreadableFrame(index, error)
            }
        }
    }
#endif
