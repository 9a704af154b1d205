#if PNG
    public import BowerbirdCore
    import BowerbirdRaster

    /// Writes PNG files from all pixel formats, with 16 bits where the picture has them and without alpha where it is
    /// opaque; animations (APNG) too. Straight pixels come back as they were; premultiplied ones have lost some already.
    ///
    /// From an effort of 0.5 on, pictures of few colours get a palette and grey ones become grey, and come back just the
    /// same. ICC profiles for such pixels and code points of H.273 are written; pixels with another profile become sRGB.
    /// The compression of a picture, a second or more for ten megapixels, is not interrupted by cancelling.
    public struct PNGEncoder: ImageEncoder {
        /// It has no settings: see `EncodingOptions`.
        public init() {}

        public var format: ImageFormat { .png }

        /// From here on the pixels are looked at once more, for a smaller file.
        private static let reducingEffort = 0.5

        public func encode(_ bitmap: Bitmap, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage {
            try Self.check(bitmap.size)
            let (bitmap, profile) = try Self.inWrittenColors(bitmap, options)
            var rows = PNGRows(of: bitmap, in: PixelRect(bitmap.size))
            var packing = PNGPacking(of: rows, isOpaque: rows.isOpaque)
            if options.clampedEffort >= Self.reducingEffort {
                packing = try PNGPacking(smallestFor: &rows, keepsColor: profile != nil)
            }
            let data = try PNGCompressor(effort: options.clampedEffort).compress(&rows, packing)
            var file = try Self.beginning(bitmap.size, packing, PNGExtras(options, iccProfile: profile))
            file.appendPixels(data)
            return try Self.finish(&file)
        }

        /// Each frame is compared with the one before, and the rectangle that differs is written.
        public func encode(_ frames: any FrameSource, _ options: EncodingOptions) throws(EncodingError) -> EncodedImage
        {
            try Self.check(frames.size)
            var writer: APNGWriter?
            for index in 0..<frames.frameCount {
                if Task.isCancelled { throw .cancelled }
                let (bitmap, profile) = try Self.inWrittenColors(Self.frame(index, of: frames), options)
                if writer == nil {
                    writer = try APNGWriter(bitmap, frames, PNGExtras(options, iccProfile: profile), options)
                }
                try writer?.add(bitmap, shownFor: frames.delays[index])
            }
            guard var file = writer?.file else { throw .failed("an animation without frames") }
            return try Self.finish(&file)
        }

        private static func frame(_ index: Int, of frames: any FrameSource) throws(EncodingError) -> Bitmap {
            do throws(DecodingError) {
                return try frames.frame(at: index)
            } catch {
                throw error == .cancelled ? .cancelled : .unreadableFrame(index, error)
            }
        }

        private static func check(_ size: PixelSize) throws(EncodingError) {
            guard max(size.width, size.height) <= Int32.max else { throw .tooLarge(size, format: .png) }
        }

        /// The file up to its pixels.
        static func beginning(
            _ size: PixelSize, _ packing: PNGPacking, _ extras: PNGExtras
        ) throws(EncodingError) -> PNGFile {
            let layout = PNGLayout(size: size, bitDepth: packing.bitDepth, colors: packing.colors)
            var file = PNGFile(layout.header(size: size))
            try extras.appendProfile(to: &file)
            if let palette = packing.palette {
                file.append(.palette, palette.colors)
                if let alphas = palette.alphas { file.append(.transparency, alphas) }
            }
            extras.appendMetadata(to: &file)
            return file
        }

        private static func finish(_ file: inout PNGFile) throws(EncodingError) -> EncodedImage {
            file.appendEnd()
            guard let image = EncodedImage(file.bytes) else { throw .outOfMemory }
            return image
        }

        /// With the ICC profile to be written; in sRGB where the profile is one that PNG cannot have for such pixels.
        private static func inWrittenColors(
            _ bitmap: Bitmap, _ options: EncodingOptions
        ) throws(EncodingError) -> (Bitmap, ICCProfile?) {
            switch options.profile {
            case .cicp(let points) where PNGExtras.data(of: points) != nil: (bitmap, nil)
            default: try options.inWritableColors(bitmap) { $0.colorSpace == .rgb }
            }
        }
    }

    extension PNGFile {
        /// Small enough that damage takes little with it, and that a file shows its rows while it arrives.
        static let dataCount = 1 << 15

        mutating func appendPixels(_ data: [UInt8]) {
            for start in stride(from: 0, to: data.count, by: Self.dataCount) {
                append(.imageData, Array(data[start..<min(start + Self.dataCount, data.count)]))
            }
        }
    }
#endif
