#if JXL
    public import BowerbirdCore
    import BowerbirdRaster
    import CJXL

    /// Writes JPEG XL files, lossy or lossless, stills and animations, with 8 or 16 bits and alpha as the picture has them.
    ///
    /// Lossless files keep straight pixels as they are, the colours of transparent ones too. Every colour profile is
    /// written that libjxl has a name for, or that is an ICC profile for RGB; pixels with another become sRGB.
    public struct JXLEncoder: ImageEncoder {
        /// It has no settings: see `EncodingOptions`.
        public init() {}

        public var format: ImageFormat { .jxl }

        /// What decoders promise to read.
        private static let longestSide = 1 << 18

        public func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
            let layout = JXLLayout(bitmap, options)
            let writer = try Self.start(layout, nil, options)
            try writer.write(Self.inWrittenColors(bitmap, options), for: nil)
            return try writer.finish()
        }

        /// Every frame is written whole.
        public func encode(
            _ frames: any FrameSource, _ options: EncodingOptions
        ) throws(EncodingError) -> EncodedImage {
            var frame = try Self.frame(0, of: frames)
            var layout = JXLLayout(frame, options)
            // Only the first frame is known; those behind it may have holes.
            layout.hasAlpha = true
            let writer = try Self.start(layout, frames.loopCount, options)
            for index in 0..<frames.frameCount {
                if index > 0 { frame = try Self.frame(index, of: frames) }
                try writer.write(Self.inWrittenColors(frame, options), for: frames.delays[index])
            }
            return try writer.finish()
        }

        private static func start(
            _ layout: JXLLayout, _ loopCount: LoopCount?, _ options: EncodingOptions
        ) throws(EncodingError) -> JXLWriter {
            guard max(layout.size.width, layout.size.height) <= longestSide else {
                throw .tooLarge(layout.size, format: .jxl)
            }
            let writer = try JXLWriter(layout, loopCount, options)
            try writer.setProfile(options.profile.isWrittenByJXL ? options.profile : .sRGB)
            try writer.add(
                exif: ExifWriter.setting(.topLeft, in: options.metadata?.exif), xmp: options.metadata?.xmp)
            return writer
        }

        private static func frame(_ index: Int, of frames: any FrameSource) throws(EncodingError) -> Bitmap {
            do throws(DecodingError) {
                return try frames.frame(at: index)
            } catch {
                throw error == .cancelled ? .cancelled : .unreadableFrame(index, error)
            }
        }

        private static func inWrittenColors(
            _ bitmap: Bitmap, _ options: EncodingOptions
        ) throws(EncodingError) -> Bitmap {
            guard !options.profile.isWrittenByJXL else { return bitmap }
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

    /// What is the same for all frames of a file.
    struct JXLLayout {
        let size: PixelSize
        let orientation: Orientation
        var hasAlpha: Bool
        let has16Bits: Bool

        init(_ bitmap: Bitmap, _ options: EncodingOptions) {
            size = bitmap.size
            orientation = options.orientation
            hasAlpha = !bitmap.isOpaque
            has16Bits = bitmap.format == .rgba16Straight
        }

        var componentCount: Int { hasAlpha ? 4 : 3 }
    }

    extension ColorProfile {
        fileprivate var isWrittenByJXL: Bool {
            switch self {
            case .unspecified, .sRGB: true
            case .cicp(let points): points.isSRGB || JxlColorEncoding(points) != nil
            case .icc(let profile): profile.colorSpace == .rgb
            }
        }
    }

    extension JxlColorEncoding {
        /// Nil for colours that libjxl has no name for.
        init?(_ points: CodingPoints) {
            let primaries = [1: JXL_PRIMARIES_SRGB, 9: JXL_PRIMARIES_2100, 11: JXL_PRIMARIES_P3, 12: JXL_PRIMARIES_P3]
            let transfers = [
                1: JXL_TRANSFER_FUNCTION_709, 8: JXL_TRANSFER_FUNCTION_LINEAR, 13: JXL_TRANSFER_FUNCTION_SRGB,
                16: JXL_TRANSFER_FUNCTION_PQ, 18: JXL_TRANSFER_FUNCTION_HLG,
            ]
            guard let primaries = primaries[points.primaries], let transfer = transfers[points.transfer] else {
                return nil
            }
            self.init()
            JxlColorEncodingSetToSRGB(&self, JXL_FALSE)
            self.primaries = primaries
            white_point = points.primaries == 11 ? JXL_WHITE_POINT_DCI : JXL_WHITE_POINT_D65
            transfer_function = transfer
        }
    }
#endif
