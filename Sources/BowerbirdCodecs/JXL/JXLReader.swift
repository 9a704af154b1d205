#if JXL
    import BowerbirdCore
    import CJXL

    /// The owner of one libjxl decoder. It takes bytes as they arrive and tells what it has come to.
    final class JXLReader {
        private let handle: UnsafeMutablePointer<BBJXLReader>
        /// How many bytes of the file have been used up.
        private(set) var position = 0
        private let wanted: Int32

        /// What the decoder has come to.
        enum Event {
            /// The facts, the colours, the beginning of a frame.
            case facts, colors, frame
            /// It wants to know where the picture goes.
            case pixels
            /// The picture so far is worth showing.
            case progress
            /// A picture is complete.
            case picture
            /// All that was asked for has been told.
            case end
            case needsBytes
        }

        /// The working memory that a decoder may have, before it is known how large the picture is.
        private static let smallestMemoryByteCount = 256 << 20
        /// Several planes of numbers for each component, and coefficients.
        private static let memoryByteCountPerPixel = 128

        /// Profiles are packed in the file; one that is larger than any that a program made counts as none.
        private static let largestProfileByteCount = 16 << 20

        /// Tells of `events` only.
        init(_ events: [JxlDecoderStatus]) throws(DecodingError) {
            wanted = events.reduce(0) { $0 | Int32($1.rawValue) }
            guard let handle = bb_jxl_reader_create(wanted, Self.smallestMemoryByteCount) else {
                throw .outOfMemory(PixelSize(width: 0, height: 0))
            }
            self.handle = handle
        }

        deinit { bb_jxl_reader_destroy(handle) }

        /// Does `work` with the bytes from `position` on.
        func withBytes<R>(
            _ prefix: RawSpan, first count: Int, _ work: () throws(DecodingError) -> R
        ) throws(DecodingError) -> R {
            try prefix.withUnsafeBytes { bytes throws(DecodingError) in
                let unread = UnsafeRawBufferPointer(rebasing: bytes[position..<count])
                let base = unread.baseAddress?.assumingMemoryBound(to: UInt8.self)
                guard JxlDecoderSetInput(handle.pointee.decoder, base, unread.count) == JXL_DEC_SUCCESS else {
                    throw .corrupt("libjxl takes no more bytes")
                }
                defer { position = count - JxlDecoderReleaseInput(handle.pointee.decoder) }
                return try work()
            }
        }

        /// Goes on to the next event.
        func next() throws(DecodingError) -> Event {
            switch JxlDecoderProcessInput(handle.pointee.decoder) {
            case JXL_DEC_BASIC_INFO:
                guard bb_jxl_reader_read_info(handle) else { throw .corrupt(Self.damage) }
                return .facts
            case JXL_DEC_COLOR_ENCODING: return .colors
            case JXL_DEC_FRAME: return .frame
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER: return .pixels
            case JXL_DEC_FRAME_PROGRESSION: return .progress
            case JXL_DEC_FULL_IMAGE: return .picture
            case JXL_DEC_SUCCESS: return .end
            case JXL_DEC_NEED_MORE_INPUT: return .needsBytes
            default: throw .corrupt(Self.damage)
            }
        }

        static var damage: String { "it makes no sense to libjxl" }

        /// Allows the memory that a picture of this size needs.
        func allowMemory(for size: PixelSize) {
            let (needed, isOver) = size.pixelCount.multipliedReportingOverflow(by: Self.memoryByteCountPerPixel)
            guard !isOver else { return }
            handle.pointee.memory.limit = Self.smallestMemoryByteCount + needed
        }

        /// Begins anew with the first byte, and goes over `count` frames without telling of them.
        func rewind(skipping count: Int) {
            JxlDecoderRewind(handle.pointee.decoder)
            // libjxl 0.7 forgets them, whatever it promises.
            JxlDecoderSubscribeEvents(handle.pointee.decoder, wanted)
            position = 0
            skip(count)
        }

        func skip(_ count: Int) {
            if count > 0 { JxlDecoderSkipFrames(handle.pointee.decoder, count) }
        }

        /// Settles where the picture goes; see `bb_jxl_reader_set_pixels`.
        func setPixels(
            _ pixels: UnsafeMutableRawBufferPointer, _ black: UnsafeMutableRawBufferPointer?, _ format: PixelFormat
        )
            -> Bool
        {
            guard let base = pixels.baseAddress else { return false }
            return bb_jxl_reader_set_pixels(
                handle, format == .rgba16Straight, base, pixels.count, black?.baseAddress, black?.count ?? 0)
        }

        /// Reads what stands beside the picture; see `bb_jxl_reader_read_blocks`.
        func readBlocks(
            _ bytes: RawSpan, _ limit: Int, _ exif: inout BBJXLBlock, _ xmp: inout BBJXLBlock
        ) -> Bool {
            bytes.withUnsafeBytes { bytes in
                bb_jxl_reader_read_blocks(
                    handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, limit, &exif, &xmp)
            }
        }

        /// Has every pass of a picture told of, not only the first.
        func reportsPasses() { JxlDecoderSetProgressiveDetail(handle.pointee.decoder, kPasses) }

        /// Writes the picture so far to where it goes; false where nothing can be shown yet.
        func flush() -> Bool { JxlDecoderFlushImage(handle.pointee.decoder) == JXL_DEC_SUCCESS }

        /// How long the frame at which the decoder is wants to be shown.
        var delay: Duration {
            var frame = JxlFrameHeader()
            guard JxlDecoderGetFrameHeader(handle.pointee.decoder, &frame) == JXL_DEC_SUCCESS else { return .zero }
            let animation = handle.pointee.info.animation
            guard animation.tps_numerator > 0 else { return .zero }
            let seconds = Double(frame.duration) * Double(animation.tps_denominator) / Double(animation.tps_numerator)
            return .microseconds(Int64(min(seconds, 1e9) * 1e6 + 0.5))
        }
    }

    // MARK: Facts

    extension JXLReader {
        var info: JxlBasicInfo { handle.pointee.info }

        /// As it is stored.
        var size: PixelSize { PixelSize(width: Int(info.xsize), height: Int(info.ysize)) }

        /// Whether it has a channel of black ink beside three others.
        var hasBlack: Bool { handle.pointee.black_channel >= 0 && info.num_color_channels == 3 }

        /// The pixels that are given for these options.
        func format(_ options: DecodingOptions) -> PixelFormat {
            options.pixels.format(bitsPerComponent: header(profile: .unspecified).bitsPerComponent)
        }

        /// Settles the colours of the pixels, see `bb_jxl_reader_settle_colors`; the file's own, and those of the pixels.
        /// Inks have become colours that no profile describes.
        func settledProfiles(_ options: DecodingOptions) -> (file: ColorProfile, pixels: ColorProfile) {
            bb_jxl_reader_settle_colors(handle, options.color == .asStored)
            let file = profile(JXL_COLOR_PROFILE_TARGET_ORIGINAL)
            return (file, hasBlack ? .unspecified : profile(JXL_COLOR_PROFILE_TARGET_DATA))
        }

        func profile(_ target: JxlColorProfileTarget) -> ColorProfile {
            var encoding = JxlColorEncoding()
            if bb_jxl_get_encoding(handle, target, &encoding), let profile = ColorProfile(encoding) {
                return profile
            }
            let size = bb_jxl_icc_size(handle, target)
            guard size > 0, size <= Self.largestProfileByteCount else { return .unspecified }
            var bytes = [UInt8](repeating: 0, count: size)
            let isRead = bytes.withUnsafeMutableBufferPointer { bytes in
                bytes.baseAddress.map { bb_jxl_get_icc(handle, target, $0, size) } ?? false
            }
            return isRead ? .icc(ICCProfile(bytes: bytes)) : .unspecified
        }

        /// The facts of the file, once the colours are known.
        func header(profile: ColorProfile) -> ImageHeader {
            let isAnimated = info.have_animation != 0
            let isFloat = info.exponent_bits_per_sample > 0
            return ImageHeader(
                format: .jxl, storedSize: size,
                orientation: Orientation(rawValue: UInt8(clamping: info.orientation.rawValue)) ?? .topLeft,
                hasAlpha: info.alpha_bits > 0, bitsPerComponent: isFloat ? 16 : min(16, Int(info.bits_per_sample)),
                profile: profile, frameCount: isAnimated ? nil : 1,
                loopCount: isAnimated ? LoopCount(zeroIsForever: Int(info.animation.num_loops)) : nil,
                isAnimated: isAnimated)
        }
    }

    extension ColorProfile {
        /// Nil for colours that H.273 has no numbers for.
        fileprivate init?(_ encoding: JxlColorEncoding) {
            guard let primaries = encoding.primariesOfH273 else { return nil }
            let transfers = [
                JXL_TRANSFER_FUNCTION_709, JXL_TRANSFER_FUNCTION_LINEAR, JXL_TRANSFER_FUNCTION_SRGB,
                JXL_TRANSFER_FUNCTION_PQ, JXL_TRANSFER_FUNCTION_HLG,
            ]
            guard transfers.contains(encoding.transfer_function) else { return nil }
            let points = CodingPoints(primaries: primaries, transfer: Int(encoding.transfer_function.rawValue))
            self = points.isSRGB ? .sRGB : .cicp(points)
        }
    }

    extension JxlColorEncoding {
        fileprivate var primariesOfH273: Int? {
            let isGray = color_space == JXL_COLOR_SPACE_GRAY
            guard isGray || color_space == JXL_COLOR_SPACE_RGB else { return nil }
            if white_point == JXL_WHITE_POINT_DCI, !isGray, primaries == JXL_PRIMARIES_P3 { return 11 }
            guard white_point == JXL_WHITE_POINT_D65 else { return nil }
            if isGray { return 1 }
            switch primaries {
            case JXL_PRIMARIES_SRGB: return 1
            case JXL_PRIMARIES_2100: return 9
            case JXL_PRIMARIES_P3: return 12
            default: return nil
            }
        }
    }
#endif
