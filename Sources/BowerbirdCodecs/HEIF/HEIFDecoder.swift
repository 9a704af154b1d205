#if HEIF
    public import BowerbirdCore
    import BowerbirdRaster
    import CHEIF

    /// Reads HEIC and other HEIF files, as far as libheif was built with decoders for what they hold.
    ///
    /// The pages of a file are the pictures in it that stand for themselves, the primary one first. libheif turns and cuts
    /// pictures itself, so `ImageHeader.orientation` is always `.topLeft`. Of a sequence only the still picture is shown
    /// that it may have; libheif before 1.20 knows no others. A picture of which bytes are missing is not shown. The
    /// decoding cannot be interrupted.
    public struct HEIFDecoder: ImageDecoder {
        /// It has no settings: see `DecodingOptions`.
        public init() {}

        public var formats: [ImageFormat] { [.heif] }

        public func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader {
            guard !bytes.isEmpty else { throw .empty }
            let limits = DecodingLimits()
            let reader = try HEIFReader()
            return try reader.withBytes(bytes, isComplete: false, limits) { () throws(DecodingError) in
                let pictures = try reader.pictures(limits)
                return try reader.picture(pictures[0]).header(frameCount: pictures.count, limits)
            }
        }

        /// A thumbnail in the file is used where it has the same shape and the pixels that `DecodingOptions.scaling` wants.
        public func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
            guard !bytes.isEmpty else { throw .empty }
            let reader = try HEIFReader()
            return try reader.withBytes(bytes, isComplete: true, options.limits) { () throws(DecodingError) in
                let pictures = try reader.pictures(options.limits)
                guard pictures.indices.contains(options.page) else {
                    throw .noSuchFrame(options.page, count: pictures.count)
                }
                let picture = try reader.picture(pictures[options.page])
                let header = try picture.header(frameCount: pictures.count, options.limits)
                try options.limits.check(header.storedSize)
                let finishing = Finishing(header, options)
                let bitmap = try finishing.finish(pixels(of: picture, header, for: finishing.size, options, reader))
                return DecodedImage(
                    bitmap: bitmap, header: header, warnings: reader.warnings, profile: options.profile(of: header))
            }
        }

        public func metadata(of bytes: RawSpan, _ limits: DecodingLimits) throws(DecodingError) -> ImageMetadata {
            guard !bytes.isEmpty else { throw .empty }
            let reader = try HEIFReader()
            return try reader.withBytes(bytes, isComplete: true, limits) { () throws(DecodingError) in
                try reader.picture(reader.pictures(limits)[0]).metadata(limits)
            }
        }
    }

    extension HEIFDecoder {
        private func pixels(
            of picture: HEIFPicture, _ header: ImageHeader, for size: PixelSize, _ options: DecodingOptions,
            _ reader: HEIFReader
        ) throws(DecodingError) -> Bitmap {
            let format = options.pixels.format(bitsPerComponent: header.bitsPerComponent)
            let isDeep = format == .rgba16Straight
            for thumbnail in thumbnails(of: picture, for: size, options) {
                // One that is damaged has the picture to stand in for it.
                guard let pixels = try? reader.decode(thumbnail, isDeep: isDeep, options.limits) else { continue }
                return try bitmap(of: pixels, format, isOpaque: !header.hasAlpha)
            }
            return try bitmap(
                of: reader.decode(picture, isDeep: isDeep, options.limits), format, isOpaque: !header.hasAlpha)
        }

        /// The thumbnails that can stand for the picture at `size`, the smallest first.
        private func thumbnails(
            of picture: HEIFPicture, for size: PixelSize, _ options: DecodingOptions
        ) -> [HEIFPicture] {
            guard options.pixels == .display, options.targetSize != nil else { return [] }
            let margin = options.scaling == .fast ? 1 : 2
            let whole = picture.size
            let suitable = picture.thumbnails.filter { thumbnail in
                let small = thumbnail.size
                // A side of the thumbnail may be rounded to an even number.
                let skew = abs(small.width * whole.height - small.height * whole.width)
                return skew <= 2 * max(whole.width, whole.height) && thumbnail.hasAlpha == picture.hasAlpha
                    && small.width >= margin * size.width && small.height >= margin * size.height
                    && small.width < whole.width
            }
            return suitable.sorted { $0.size.width < $1.size.width }
        }

        /// Rows between two looks at `Task.isCancelled`.
        private static let bandHeight = 256

        private func bitmap(
            of pixels: HEIFPixels, _ format: PixelFormat, isOpaque: Bool
        ) throws(DecodingError) -> Bitmap {
            let size = pixels.size
            guard var buffer = PixelBuffer(size: size, format: format, isOpaque: isOpaque) else {
                throw .outOfMemory(size)
            }
            try pixels.withRows { rows, bytesPerRow throws(DecodingError) in
                for row in 0..<size.height {
                    if row.isMultiple(of: Self.bandHeight) { try DecodingError.checkCancellation() }
                    buffer.withRow(row) { copy in
                        copy.withUnsafeMutableBytes {
                            format.take(rows + row * bytesPerRow, depth: pixels.depth, into: $0)
                        }
                    }
                }
            }
            return buffer.freeze()
        }
    }

    extension PixelFormat {
        /// One row of libheif's pixels.
        fileprivate func take(_ row: UnsafePointer<UInt8>, depth: Int, into copy: UnsafeMutableRawBufferPointer) {
            let pixels = UnsafeRawBufferPointer(start: row, count: copy.count)
            switch self {
            case .bgra8Premultiplied: Premultiplying.premultiply(rgba: pixels, intoBGRA: copy)
            case .rgba8Straight: copy.copyMemory(from: pixels)
            case .rgba16Straight:
                guard let base = copy.baseAddress?.assumingMemoryBound(to: UInt16.self) else { return }
                bb_heif_widen(row, base, copy.count / 2, Int32(min(max(9, depth), 16)))
            }
        }
    }
#endif
