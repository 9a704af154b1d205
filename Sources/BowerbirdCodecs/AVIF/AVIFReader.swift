#if AVIF
    import BowerbirdCore
    import BowerbirdRaster
    import CAVIF

    /// The owner of one libavif decoder, over a file that has arrived or is arriving.
    ///
    /// It reads leniently: what old encoders forgot (`pixi`, the size of the alpha picture) and a `clap` that makes no
    /// sense keep no picture from being shown, as in browsers, because such files are common and never ambiguous.
    final class AVIFReader {
        private let handle: UnsafeMutablePointer<BBAVIFReader>
        private var decoder: UnsafeMutablePointer<avifDecoder> { handle.pointee.decoder }
        private var isComplete = false

        /// libavif counts pixels up to here only.
        private static let maximumPixelCount = 1 << 28

        /// - Parameter keepsBytes: Whether all calls of `withBytes` have the bytes at the same place, where they stay for
        ///   as long as the reader lives or is used. Else libavif copies what it needs.
        init(keepsBytes: Bool, ignoresMetadata: Bool = true) throws(DecodingError) {
            guard let handle = bb_avif_reader_create(keepsBytes) else {
                throw .outOfMemory(PixelSize(width: 0, height: 0))
            }
            self.handle = handle
            decoder.pointee.ignoreExif = ignoresMetadata ? 1 : 0
            decoder.pointee.ignoreXMP = ignoresMetadata ? 1 : 0
            // The pixels are counted by `DecodingLimits`; a side alone costs nothing.
            decoder.pointee.imageDimensionLimit = 0
        }

        deinit { bb_avif_reader_destroy(handle) }

        /// Does `work`, the only place where the reader may read, with the bytes so far.
        func withBytes<R>(
            _ bytes: RawSpan, isComplete: Bool, _ work: () throws(DecodingError) -> R
        ) throws(DecodingError) -> R {
            self.isComplete = isComplete
            return try bytes.withUnsafeBytes { bytes throws(DecodingError) in
                bb_avif_reader_give(
                    handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, isComplete)
                defer { handle.pointee.bytes = nil }
                return try work()
            }
        }

        /// Reads what comes before the pixels; false where more bytes are needed for it. With limits they hold from here.
        func parse(_ limits: DecodingLimits?) throws(DecodingError) -> Bool {
            handle.pointee.reads_pixels = false
            if let limits {
                decoder.pointee.imageCountLimit = UInt32(clamping: max(1, limits.maximumFrameCount))
            }
            let result = avifDecoderParse(decoder)
            if result == AVIF_RESULT_WAITING_ON_IO, !isComplete { return false }
            guard result == AVIF_RESULT_OK else { throw error(result, limits) }
            if let limits { try check(limits) }
            return true
        }

        private func check(_ limits: DecodingLimits) throws(DecodingError) {
            try limits.check(codedSize)
            try limits.check(frameCount: frameCount)
            try limits.check(metadataByteCount: image.icc.size)
            decoder.pointee.imageSizeLimit = UInt32(max(1, min(limits.maximumPixelCount, Self.maximumPixelCount)))
        }

        /// Decodes the next frame, as far as the bytes go; true where it is whole. Cannot be interrupted.
        func decodeNext() throws(DecodingError) -> Bool {
            try DecodingError.checkCancellation()
            handle.pointee.reads_pixels = true
            let result = avifDecoderNextImage(decoder)
            if result == AVIF_RESULT_WAITING_ON_IO { return false }
            guard result == AVIF_RESULT_OK else { throw error(result, nil) }
            try DecodingError.checkCancellation()
            return true
        }

        /// Decodes one frame of a whole file: a key frame, or the one behind the last that was decoded.
        func decode(frame: Int) throws(DecodingError) {
            handle.pointee.reads_pixels = true
            let result = avifDecoderNthImage(decoder, UInt32(frame))
            guard result == AVIF_RESULT_OK else {
                // What the AV1 decoder has seen until now is not to be built upon.
                _ = avifDecoderReset(decoder)
                throw error(result, nil)
            }
        }

        /// The frame, itself or before it, that decoding it begins with.
        func keyFrame(before frame: Int) -> Int { Int(avifDecoderNearestKeyframe(decoder, UInt32(frame))) }

        /// How many rows from the top have been decoded.
        var rowCount: Int { min(Int(avifDecoderDecodedRowCount(decoder)), Int(image.height)) }
    }

    // MARK: What the file says

    extension AVIFReader {
        /// All zero where libavif has none, as after an error.
        private var image: avifImage { decoder.pointee.image?.pointee ?? avifImage() }

        /// Of a sequence; 1 for a still.
        var frameCount: Int { max(1, Int(decoder.pointee.imageCount)) }

        /// The size before anything is cut off.
        private var codedSize: PixelSize { PixelSize(width: Int(image.width), height: Int(image.height)) }

        /// Of what has been parsed.
        func header(loopCount: LoopCount?) -> ImageHeader {
            let isAnimated = frameCount > 1
            return ImageHeader(
                format: .avif, storedSize: shownRect.size, orientation: orientation,
                hasAlpha: decoder.pointee.alphaPresent != 0, bitsPerComponent: Int(image.depth), profile: profile,
                frameCount: frameCount, loopCount: isAnimated ? loopCount : nil, isAnimated: isAnimated)
        }

        /// The part of the coded picture that is to be shown.
        private var shownRect: PixelRect {
            guard image.transformFlags & AVIF_TRANSFORM_CLAP.rawValue != 0 else { return PixelRect(codedSize) }
            return CleanAperture(image.clap).rect(in: codedSize)
        }

        /// First turned, then mirrored, as MIAF says. An orientation in EXIF data counts for nothing in this format.
        private var orientation: Orientation {
            let flags = image.transformFlags
            let turns = flags & AVIF_TRANSFORM_IROT.rawValue != 0 ? Int(image.irot.angle & 3) : 0
            let mirrored = flags & AVIF_TRANSFORM_IMIR.rawValue != 0 ? decoder.pointee.image : nil
            return Orientation(quarterTurns: turns, mirror: mirrored.map { bb_avif_mirror($0) })
        }

        private var profile: ColorProfile {
            let icc = image.icc
            if icc.size > 0 {
                return .icc(ICCProfile(bytes: Array(UnsafeBufferPointer(start: icc.data, count: icc.size))))
            }
            let points = CodingPoints(
                primaries: Int(image.colorPrimaries), transfer: Int(image.transferCharacteristics))
            return points == CodingPoints(primaries: 2, transfer: 2) ? .unspecified : .cicp(points)
        }

        /// EXIF data, from the TIFF header on, and XMP.
        var metadata: (exif: [UInt8], xmp: [UInt8]) {
            let exif = Array(UnsafeBufferPointer(start: image.exif.data, count: image.exif.size))
            let xmp = Array(UnsafeBufferPointer(start: image.xmp.data, count: image.xmp.size))
            return (exif.starts(with: Array("Exif\0\0".utf8)) ? Array(exif.dropFirst(6)) : exif, xmp)
        }
    }

    // MARK: Pixels

    extension AVIFReader {
        /// The first rows of the decoded frame, cut as the file wants it; what is below them is transparent.
        func pixels(
            of header: ImageHeader, rows: Int, _ options: DecodingOptions
        ) throws(DecodingError) -> PixelBuffer {
            let rect = shownRect
            let format = options.pixels.format(bitsPerComponent: header.bitsPerComponent)
            guard rect.size == header.storedSize else { throw .corrupt("its frames are of several sizes") }
            guard var buffer = PixelBuffer(size: codedSize, format: format) else { throw .outOfMemory(codedSize) }
            buffer.isOpaque = image.alphaPlane == nil && rows == codedSize.height
            try convert(rows, into: &buffer, isFast: options.scaling == .fast && options.targetSize != nil)
            return try buffer.cropped(to: rect)
        }

        /// Cannot be interrupted.
        private func convert(_ rows: Int, into buffer: inout PixelBuffer, isFast: Bool) throws(DecodingError) {
            let format = buffer.format
            let bytesPerRow = buffer.bytesPerRow
            let isPremultiplied = image.alphaPremultiplied != 0
            let isDisplayed = format == .bgra8Premultiplied
            try buffer.withUnsafeMutableBytes { pixels throws(DecodingError) in
                guard let base = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                let wanted = BBAVIFPixels(
                    pixels: base, bytes_per_row: UInt32(bytesPerRow), row_count: UInt32(rows),
                    begins_with_blue: isDisplayed, is_deep: format == .rgba16Straight,
                    is_fast: isFast && isDisplayed, is_premultiplied: isPremultiplied && isDisplayed)
                guard let image = decoder.pointee.image else { throw .corrupt("it has no pixels") }
                let result = bb_avif_convert(image, wanted)
                guard result == AVIF_RESULT_OK else { throw error(result, nil) }
                guard isDisplayed, !isPremultiplied, image.pointee.alphaPlane != nil else { return }
                // By our own rounding, which is the same for all formats.
                Premultiplying.premultiply(
                    bgra: UnsafeMutableRawBufferPointer(rebasing: pixels[..<(rows * bytesPerRow)]))
            }
        }
    }

    // MARK: Errors

    extension AVIFReader {
        private func error(_ result: avifResult, _ limits: DecodingLimits?) -> DecodingError {
            let message = withUnsafePointer(to: &decoder.pointee.diag) { String(cString: bb_avif_message($0, result)) }
            switch result {
            case AVIF_RESULT_WAITING_ON_IO, AVIF_RESULT_TRUNCATED_DATA, AVIF_RESULT_IO_ERROR:
                return .truncated(atByte: handle.pointee.count)
            case AVIF_RESULT_OUT_OF_MEMORY:
                return .outOfMemory(codedSize)
            case _ where message.contains("sizeHint"):
                return .truncated(atByte: handle.pointee.count)
            case _ where message.contains("imageCountLimit"):
                return .tooManyFrames(maximum: limits?.maximumFrameCount ?? Int(decoder.pointee.imageCountLimit))
            case _ where message.contains("too large"):
                let maximum = min(limits?.maximumPixelCount ?? .max, Self.maximumPixelCount)
                return .tooLarge(claimedSize, maximumPixelCount: maximum)
            default:
                return .corrupt(message)
            }
        }
    }

    extension AVIFReader {
        /// The largest size that any part of the file claims, for the error that refuses it.
        private var claimedSize: PixelSize {
            let bytes = UnsafeRawBufferPointer(start: handle.pointee.bytes, count: handle.pointee.count).bytes
            guard let meta = ISOBox.first("meta", in: 0..<bytes.byteCount, of: bytes)?.contents.dropFirst(4),
                let properties = ISOBox.first("iprp", in: meta, of: bytes)?.descendant("ipco", in: bytes)
            else { return codedSize }
            let sizes = ISOBox.all(in: properties.contents, of: bytes).compactMap { box -> PixelSize? in
                let start = box.contents.lowerBound
                guard box.hasType("ispe", in: bytes), let width = bytes.bigEndian32(at: start + 4),
                    let height = bytes.bigEndian32(at: start + 8)
                else { return nil }
                return PixelSize(width: Int(width), height: Int(height))
            }
            return sizes.max { $0.pixelCount < $1.pixelCount } ?? codedSize
        }
    }

    extension CleanAperture {
        /// The box has its numbers without signs; the offsets have them.
        fileprivate init(_ box: avifCleanApertureBox) {
            func fraction(_ numerator: UInt32, _ denominator: UInt32) -> Fraction {
                Fraction(numerator: Int32(bitPattern: numerator), denominator: Int32(bitPattern: denominator))
            }
            self.init(
                width: fraction(box.widthN, box.widthD), height: fraction(box.heightN, box.heightD),
                horizontalOffset: fraction(box.horizOffN, box.horizOffD),
                verticalOffset: fraction(box.vertOffN, box.vertOffD))
        }
    }

    extension Orientation {
        /// So many quarter turns counterclockwise (0 to 3) and then, in the turned picture, `mirror`: 0 exchanges top and
        /// bottom, 1 left and right.
        init(quarterTurns: Int, mirror: UInt8?) {
            let all: [Orientation] =
                switch mirror {
                case nil: [.topLeft, .leftBottom, .bottomRight, .rightTop]
                case 0: [.bottomLeft, .leftTop, .topRight, .rightBottom]
                default: [.topRight, .rightBottom, .bottomLeft, .leftTop]
                }
            self = all[quarterTurns & 3]
        }

        /// The same as quarter turns counterclockwise and a mirror, in the fewest words.
        var quarterTurnsAndMirror: (turns: Int, mirror: Int?) {
            switch self {
            case .topLeft: (0, nil)
            case .topRight: (0, 1)
            case .bottomRight: (2, nil)
            case .bottomLeft: (0, 0)
            case .leftTop: (1, 0)
            case .rightTop: (3, nil)
            case .rightBottom: (3, 0)
            case .leftBottom: (1, nil)
            }
        }
    }
#endif
