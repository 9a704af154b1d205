#if AVIF
    import BowerbirdCore
    import CAVIF
    import Glibc

    /// The owner of one libavif encoder.
    final class AVIFWriter {
        private let encoder: UnsafeMutablePointer<avifEncoder>
        private let options: EncodingOptions
        private let isSequence: Bool

        /// Delays are written in thousandths of a second.
        private static let timescale = 1000
        private static let longestSide = 65536
        private static let fullChromaQuality = 0.95
        /// More threads find no work in pictures of a usual size.
        private static let maximumThreadCount = 8

        init(_ options: EncodingOptions, isSequence: Bool) throws(EncodingError) {
            let canEncode = UInt32(AVIF_CODEC_FLAG_CAN_ENCODE.rawValue)
            guard avifCodecName(AVIF_CODEC_CHOICE_AUTO, canEncode) != nil else { throw .unsupportedFormat(.avif) }
            guard let encoder = avifEncoderCreate() else { throw .outOfMemory }
            self.encoder = encoder
            self.options = options
            self.isSequence = isSequence
            encoder.pointee.maxThreads = Int32(
                min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), Self.maximumThreadCount))
            encoder.pointee.speed = Int32(speed)
            encoder.pointee.timescale = UInt64(Self.timescale)
            bb_avif_set_quantizer(encoder, Int32(quantizer))
        }

        deinit { avifEncoderDestroy(encoder) }

        var loopCount = LoopCount.forever {
            didSet { bb_avif_set_loop_count(encoder, Int32(clamping: loopCount.zeroIsForever)) }
        }

        /// Encodes one frame, which is shown for `duration` where there are several.
        func add(_ bitmap: Bitmap, for duration: Duration) throws(EncodingError) {
            try checkCancellation()
            guard max(bitmap.size.width, bitmap.size.height) <= Self.longestSide else {
                throw .tooLarge(bitmap.size, format: .avif)
            }
            let image = try AVIFPicture(bitmap.size, depth: depth(of: bitmap), keepsFullChroma: keepsFullChroma)
            try image.describe(options, isLossless: isLossless)
            // Frames of a sequence all have alpha or none has, and those to come are not known.
            try image.fill(with: bitmap, ignoresAlpha: bitmap.isOpaque && !isSequence)
            let flags = isSequence ? AVIF_ADD_IMAGE_FLAG_NONE : AVIF_ADD_IMAGE_FLAG_SINGLE
            try check(avifEncoderAddImage(encoder, image.handle, Self.ticks(of: duration), UInt32(flags.rawValue)))
            try checkCancellation()
        }

        func finish() throws(EncodingError) -> EncodedImage {
            var output = avifRWData()
            defer { avifRWDataFree(&output) }
            try check(avifEncoderFinish(encoder, &output))
            guard let file = EncodedImage(UnsafeBufferPointer(start: output.data, count: output.size)) else {
                throw .outOfMemory
            }
            return file
        }

        private var isLossless: Bool { options.isLossless }

        /// 0 is the best, 63 the worst. The curve puts the default quality at 20, where AV1 looks like JPEG at 85.
        private var quantizer: Int {
            isLossless ? 0 : Int((63 * pow(1 - options.clampedQuality, 0.6)).rounded())
        }

        /// 6 by default, as avifenc. At faster ones libaom's sequences are not lossless, whatever they are asked for, and
        /// an assertion of its own can end the process.
        private var speed: Int {
            let speed = Int(10 - (options.clampedEffort * 8).rounded())
            return isSequence ? min(speed, 6) : speed
        }

        private var keepsFullChroma: Bool {
            isLossless || options.keepsFullChroma ?? (options.clampedQuality >= Self.fullChromaQuality)
        }

        private func depth(of bitmap: Bitmap) -> Int {
            guard bitmap.format == .rgba16Straight else { return 8 }
            return isLossless ? 12 : 10
        }

        private static func ticks(of duration: Duration) -> UInt64 {
            let (seconds, attoseconds) = duration.components
            let ticks = min(max(0, seconds), 1 << 31) * Int64(timescale) + attoseconds / 1_000_000_000_000_000
            return UInt64(max(1, ticks))
        }

        private func check(_ result: avifResult) throws(EncodingError) {
            if result == AVIF_RESULT_OK { return }
            if result == AVIF_RESULT_OUT_OF_MEMORY { throw .outOfMemory }
            let message = withUnsafePointer(to: &encoder.pointee.diag) { String(cString: bb_avif_message($0, result)) }
            throw .failed(message)
        }

        private func checkCancellation() throws(EncodingError) {
            if Task.isCancelled { throw .cancelled }
        }
    }

    /// The owner of one picture for libavif.
    private final class AVIFPicture {
        let handle: UnsafeMutablePointer<avifImage>

        init(_ size: PixelSize, depth: Int, keepsFullChroma: Bool) throws(EncodingError) {
            let colors = keepsFullChroma ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420
            let handle = avifImageCreate(UInt32(size.width), UInt32(size.height), UInt32(depth), colors)
            guard let handle else { throw .outOfMemory }
            self.handle = handle
        }

        deinit { avifImageDestroy(handle) }

        /// Sets all but the pixels. Colours are converted by the matrix of BT.601, as in JPEG; not at all where nothing
        /// may be lost.
        func describe(_ options: EncodingOptions, isLossless: Bool) throws(EncodingError) {
            handle.pointee.yuvRange = AVIF_RANGE_FULL
            handle.pointee.matrixCoefficients = UInt16(
                isLossless ? AVIF_MATRIX_COEFFICIENTS_IDENTITY : AVIF_MATRIX_COEFFICIENTS_BT601)
            try describe(options.profile)
            // The boxes `irot` and `imir` say how the picture is to be turned.
            if let exif = ExifWriter.setting(.topLeft, in: options.metadata?.exif) {
                try check(bb_avif_set_exif(handle, exif, exif.count))
            }
            if let xmp = options.metadata?.xmp { try check(bb_avif_set_xmp(handle, xmp, xmp.count)) }
            let (turns, mirror) = options.orientation.quarterTurnsAndMirror
            bb_avif_set_orientation(handle, Int32(turns), Int32(mirror ?? -1))
        }

        private func describe(_ profile: ColorProfile) throws(EncodingError) {
            let points: CodingPoints
            switch profile {
            case .sRGB: points = CodingPoints(primaries: 1, transfer: 13)
            case .cicp(let given): points = given
            case .unspecified: points = CodingPoints(primaries: 2, transfer: 2)
            case .icc(let icc):
                points = CodingPoints(primaries: 2, transfer: 2)
                try check(bb_avif_set_icc(handle, icc.bytes, icc.bytes.count))
            }
            handle.pointee.colorPrimaries = UInt16(clamping: points.primaries)
            handle.pointee.transferCharacteristics = UInt16(clamping: points.transfer)
        }

        func fill(with bitmap: Bitmap, ignoresAlpha: Bool) throws(EncodingError) {
            try bitmap.withUnsafeBytes { bytes throws(EncodingError) in
                guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                let source = BBAVIFSource(
                    pixels: base, bytes_per_row: UInt32(bitmap.bytesPerRow),
                    begins_with_blue: bitmap.format == .bgra8Premultiplied,
                    is_deep: bitmap.format == .rgba16Straight, is_opaque: ignoresAlpha,
                    is_premultiplied: bitmap.format == .bgra8Premultiplied && !bitmap.isOpaque)
                try check(bb_avif_fill(handle, source))
            }
        }

        private func check(_ result: avifResult) throws(EncodingError) {
            if result == AVIF_RESULT_OK { return }
            throw result == AVIF_RESULT_OUT_OF_MEMORY
                ? .outOfMemory : .failed(String(cString: avifResultToString(result)))
        }
    }
#endif
