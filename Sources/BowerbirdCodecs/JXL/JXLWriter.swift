#if JXL
    import BowerbirdCore
    import BowerbirdRaster
    import CJXL

    /// The owner of one libjxl encoder, which writes one file.
    final class JXLWriter {
        private let handle: OpaquePointer
        private let settings: OpaquePointer
        private let layout: JXLLayout
        private let isAnimation: Bool
        private var file: [UInt8] = []
        /// What has been shown so far, and how much of it has been written in ticks.
        private var (time, tickCount) = (Duration.zero, Int64(0))
        /// The newest frame, which is handed over once it is known whether it is the last.
        private var pending: (bitmap: Bitmap, delay: Duration?)?

        init(_ layout: JXLLayout, _ loopCount: LoopCount?, _ options: EncodingOptions) throws(EncodingError) {
            guard let handle = JxlEncoderCreate(nil) else { throw .outOfMemory }
            guard let settings = JxlEncoderFrameSettingsCreate(handle, nil) else {
                JxlEncoderDestroy(handle)
                throw .outOfMemory
            }
            self.handle = handle
            self.settings = settings
            self.layout = layout
            isAnimation = loopCount != nil
            try setFacts(loopCount, options)
            try configure(options)
        }

        deinit { JxlEncoderDestroy(handle) }

        func setProfile(_ profile: ColorProfile) throws(EncodingError) {
            var encoding = JxlColorEncoding()
            JxlColorEncodingSetToSRGB(&encoding, JXL_FALSE)
            switch profile {
            case .icc(let profile): try check(JxlEncoderSetICCProfile(handle, profile.bytes, profile.bytes.count))
            case .cicp(let points) where !points.isSRGB:
                var encoding = JxlColorEncoding(points) ?? encoding
                try check(JxlEncoderSetColorEncoding(handle, &encoding))
            default: try check(JxlEncoderSetColorEncoding(handle, &encoding))
            }
        }

        /// Writes blocks beside the picture; before its pixels.
        func add(exif: [UInt8]?, xmp: [UInt8]?) throws(EncodingError) {
            // EXIF data begin with the number of bytes before their TIFF header.
            let boxes = [("Exif", exif.map { [0, 0, 0, 0] + $0 }), ("xml ", xmp)].filter { $0.1?.isEmpty == false }
            guard !boxes.isEmpty else { return }
            try check(JxlEncoderUseBoxes(handle))
            for case (let name, let content?) in boxes {
                try check(JxlEncoderAddBox(handle, name, content, content.count, JXL_FALSE))
            }
            JxlEncoderCloseBoxes(handle)
        }

        /// Writes the next frame; a still has no delay.
        func write(_ bitmap: Bitmap, for delay: Duration?) throws(EncodingError) {
            if Task.isCancelled { throw .cancelled }
            guard bitmap.size == layout.size, (bitmap.format == .rgba16Straight) == layout.has16Bits else {
                throw .failed("frames differ in their size or depth")
            }
            if let frame = pending.take() {
                try add(frame.bitmap, frame.delay)
                try takeOutput()
            }
            pending = (bitmap, delay)
        }

        func finish() throws(EncodingError) -> EncodedImage {
            if let frame = pending.take() { try add(frame.bitmap, frame.delay) }
            JxlEncoderCloseInput(handle)
            try takeOutput()
            guard let file = EncodedImage(file) else { throw .outOfMemory }
            return file
        }
    }

    // MARK: Settings

    extension JXLWriter {
        private static let ticksPerSecond: Int64 = 1000

        private func setFacts(_ loopCount: LoopCount?, _ options: EncodingOptions) throws(EncodingError) {
            var info = JxlBasicInfo()
            JxlEncoderInitBasicInfo(&info)
            info.xsize = UInt32(layout.size.width)
            info.ysize = UInt32(layout.size.height)
            info.orientation = JxlOrientation(UInt32(layout.orientation.rawValue))
            info.bits_per_sample = layout.has16Bits ? 16 : 8
            info.num_color_channels = 3
            info.num_extra_channels = layout.hasAlpha ? 1 : 0
            info.alpha_bits = layout.hasAlpha ? info.bits_per_sample : 0
            info.uses_original_profile = options.isLossless ? JXL_TRUE : JXL_FALSE
            if let loopCount {
                info.have_animation = JXL_TRUE
                info.animation.tps_numerator = UInt32(Self.ticksPerSecond)
                info.animation.tps_denominator = 1
                info.animation.num_loops = UInt32(clamping: loopCount.zeroIsForever)
            }
            try check(JxlEncoderSetBasicInfo(handle, &info))
        }

        private func configure(_ options: EncodingOptions) throws(EncodingError) {
            try set(JXL_ENC_FRAME_SETTING_EFFORT, Self.effort(options))
            if options.isLossless {
                try check(JxlEncoderSetFrameLossless(settings, JXL_TRUE))
            } else {
                try check(JxlEncoderSetFrameDistance(settings, Self.distance(options.clampedQuality)))
            }
            guard options.isProgressive else { return }
            try set(JXL_ENC_FRAME_SETTING_RESPONSIVE, 1)
            guard !options.isLossless else { return }
            try set(JXL_ENC_FRAME_SETTING_PROGRESSIVE_AC, 1)
            try set(JXL_ENC_FRAME_SETTING_PROGRESSIVE_DC, 1)
        }

        private func set(_ setting: JxlEncoderFrameSettingId, _ value: Int64) throws(EncodingError) {
            try check(JxlEncoderFrameSettingsSetOption(settings, setting, value))
        }

        /// 7 of 9 is what cjxl does. Lossless files take many times as long for a few per cent: there 0.5 is 5.
        private static func effort(_ options: EncodingOptions) -> Int64 {
            let (effort, middle) = (options.clampedEffort, options.isLossless ? 5.0 : 7.0)
            let value = effort < 0.5 ? 1 + 2 * effort * (middle - 1) : middle + 2 * (effort - 0.5) * (9 - middle)
            return Int64(value.rounded())
        }

        /// How far from the original a picture may look, as cjxl reads a quality of 0 to 100.
        static func distance(_ quality: Double) -> Float {
            let quality = 100 * quality
            if quality >= 100 { return 0.01 }
            if quality >= 30 { return Float(0.1 + (100 - quality) * 0.09) }
            return Float(min(15, 53.0 / 3000 * quality * quality - 23.0 / 20 * quality + 25))
        }
    }

    // MARK: Writing

    extension JXLWriter {
        private func add(_ bitmap: Bitmap, _ delay: Duration?) throws(EncodingError) {
            if let delay { try setDelay(delay) }
            var pixels = JXLPixels(bitmap, layout)
            var format = JxlPixelFormat(
                num_channels: UInt32(layout.componentCount),
                data_type: layout.has16Bits ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8,
                endianness: JXL_NATIVE_ENDIAN, align: 0)
            let status = pixels.withBytes { bytes in
                JxlEncoderAddImageFrame(settings, &format, bytes.baseAddress ?? UnsafeRawPointer(handle), bytes.count)
            }
            try check(status)
        }

        /// Rounded from the beginning on, so that what is rounded does not add up.
        private func setDelay(_ delay: Duration) throws(EncodingError) {
            time += delay
            let (seconds, attoseconds) = time.components
            guard seconds < 1 << 40 else { throw .failed("the animation is too long") }
            let end = seconds * Self.ticksPerSecond + (attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000
            var header = JxlFrameHeader()
            JxlEncoderInitFrameHeader(&header)
            header.duration = UInt32(clamping: end - tickCount)
            tickCount = end
            try check(JxlEncoderSetFrameHeader(settings, &header))
        }

        private func takeOutput() throws(EncodingError) {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                if Task.isCancelled { throw .cancelled }
                let (status, count) = buffer.withUnsafeMutableBufferPointer { buffer in
                    var next = buffer.baseAddress
                    var free = buffer.count
                    return (JxlEncoderProcessOutput(handle, &next, &free), buffer.count - free)
                }
                file += buffer[..<count]
                switch status {
                case JXL_ENC_SUCCESS: return
                case JXL_ENC_NEED_MORE_OUTPUT: continue
                default: throw error
                }
            }
        }

        private func check(_ status: JxlEncoderStatus) throws(EncodingError) {
            guard status == JXL_ENC_SUCCESS else { throw error }
        }

        private var error: EncodingError {
            let code = JxlEncoderGetError(handle)
            return code == JXL_ENC_ERR_OOM ? .outOfMemory : .failed("libjxl's error \(code.rawValue)")
        }
    }

    /// A picture's pixels as libjxl's encoder takes them: straight, red first, without alpha where there is none.
    private struct JXLPixels {
        private let bitmap: Bitmap
        private let layout: JXLLayout
        private var scratch: [UInt8] = []

        init(_ bitmap: Bitmap, _ layout: JXLLayout) {
            self.bitmap = bitmap
            self.layout = layout
        }

        /// The pointer must not leave the closure.
        mutating func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
            let isReady = layout.hasAlpha && !bitmap.isOpaque && bitmap.format != .bgra8Premultiplied
            if isReady { return bitmap.withUnsafeBytes(body) }
            let bytesPerComponent = layout.has16Bits ? 2 : 1
            scratch = Array(repeating: 0, count: bitmap.size.pixelCount * layout.componentCount * bytesPerComponent)
            let (layout, bitmap) = (layout, bitmap)
            return scratch.withUnsafeMutableBytes { scratch in
                bitmap.withUnsafeBytes { pixels in
                    guard let source = pixels.baseAddress, let target = scratch.baseAddress else { return }
                    bb_jxl_pack(
                        target, source, bitmap.size.pixelCount, layout.hasAlpha, layout.has16Bits, bitmap.isOpaque,
                        bitmap.format == .bgra8Premultiplied)
                    if layout.hasAlpha, bitmap.format == .bgra8Premultiplied, !bitmap.isOpaque {
                        Premultiplying.unpremultiply(bgra: pixels, intoRGBA: scratch)
                    }
                }
                return body(UnsafeRawBufferPointer(scratch))
            }
        }
    }
#endif
