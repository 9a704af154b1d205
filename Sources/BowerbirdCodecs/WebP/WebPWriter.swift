#if WebP
    import BowerbirdCore
    import BowerbirdRaster
    import CWebP

    /// The owner of what libwebp needs to write one still.
    final class WebPWriter {
        private let settings: WebPSettings
        private let picture = WebPWriterPicture()
        private let memory = UnsafeMutablePointer<WebPMemoryWriter>.allocate(capacity: 1)

        init(_ options: EncodingOptions) throws(EncodingError) {
            settings = try WebPSettings(options)
            memory.initialize(to: WebPMemoryWriter())
            WebPMemoryWriterInit(memory)
        }

        deinit {
            WebPMemoryWriterClear(memory)
            memory.deallocate()
        }

        func write(_ bitmap: Bitmap) throws(EncodingError) {
            try picture.fill(with: bitmap)
            picture.handle.pointee.writer = WebPMemoryWrite
            picture.handle.pointee.custom_ptr = UnsafeMutableRawPointer(memory)
            guard WebPEncode(settings.handle, picture.handle) != 0 else { throw picture.error }
        }

        func finish() throws(EncodingError) -> EncodedImage {
            let bytes = UnsafeBufferPointer(start: memory.pointee.mem, count: memory.pointee.size)
            guard let file = EncodedImage(bytes) else { throw .outOfMemory }
            return file
        }
    }

    /// The owner of what libwebp needs to write one animation.
    final class WebPAnimationWriter {
        private let settings: WebPSettings
        private let picture = WebPWriterPicture()
        private let handle: OpaquePointer
        private var time = Duration.zero

        init(_ size: PixelSize, loopCount: LoopCount, _ options: EncodingOptions) throws(EncodingError) {
            settings = try WebPSettings(options)
            var animation = WebPAnimEncoderOptions()
            guard WebPAnimEncoderOptionsInit(&animation) != 0 else {
                throw .failed("libwebpmux is of another version than its header")
            }
            animation.anim_params.loop_count = Int32(min(max(0, loopCount.zeroIsForever), 65535))
            // Now and then a whole frame, as in gif2webp, so that going back does not begin at the first.
            animation.kmin = options.isLossless ? 9 : 3
            animation.kmax = options.isLossless ? 17 : 5
            guard let width = Int32(exactly: size.width), let height = Int32(exactly: size.height),
                let handle = WebPAnimEncoderNew(width, height, &animation)
            else { throw .outOfMemory }
            self.handle = handle
        }

        deinit { WebPAnimEncoderDelete(handle) }

        func write(_ bitmap: Bitmap, for delay: Duration) throws(EncodingError) {
            if Task.isCancelled { throw .cancelled }
            try picture.fill(with: bitmap)
            let isAdded = WebPAnimEncoderAdd(handle, picture.handle, try timestamp, settings.handle) != 0
            guard isAdded else { throw picture.hasFailed ? picture.error : error }
            time += delay
        }

        func finish() throws(EncodingError) -> EncodedImage {
            guard WebPAnimEncoderAdd(handle, nil, try timestamp, nil) != 0 else { throw error }
            var data = WebPData()
            WebPDataInit(&data)
            defer { WebPDataClear(&data) }
            guard WebPAnimEncoderAssemble(handle, &data) != 0 else { throw error }
            guard let file = EncodedImage(data.buffer) else { throw .outOfMemory }
            return file
        }

        /// In milliseconds from the beginning, so that what is rounded does not add up.
        private var timestamp: Int32 {
            get throws(EncodingError) {
                let (seconds, attoseconds) = time.components
                guard seconds <= 2_000_000 else { throw .failed("the animation is longer than 23 days") }
                return Int32(seconds) * 1000 + Int32((attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000)
            }
        }

        private var error: EncodingError { .failed(String(cString: WebPAnimEncoderGetError(handle))) }
    }

    /// The settings of libwebp's encoder.
    final class WebPSettings {
        let handle = UnsafeMutablePointer<WebPConfig>.allocate(capacity: 1)

        init(_ options: EncodingOptions) throws(EncodingError) {
            handle.initialize(to: WebPConfig())
            guard WebPConfigInit(handle) != 0 else { throw .failed("libwebp is of another version than its headers") }
            let effort = options.clampedEffort
            // Method 4 of 6, and for lossless files quality 75 of 100, are what cwebp does.
            handle.pointee.method = Int32((effort < 0.5 ? 8 * effort : 2 + 4 * effort).rounded())
            handle.pointee.quality = Float(100 * options.clampedQuality)
            guard options.isLossless else { return }
            handle.pointee.lossless = 1
            handle.pointee.exact = 1
            handle.pointee.quality = Float(effort < 0.5 ? 150 * effort : 50 + 50 * effort)
        }

        deinit { handle.deallocate() }
    }

    /// The owner of a picture as libwebp's encoder takes it.
    final class WebPWriterPicture {
        let handle = UnsafeMutablePointer<WebPPicture>.allocate(capacity: 1)

        init() { handle.initialize(to: WebPPicture()) }

        deinit {
            WebPPictureFree(handle)
            handle.deallocate()
        }

        /// Copies the pixels. The encoder looks at `Task.isCancelled` while it works on them.
        func fill(with bitmap: Bitmap) throws(EncodingError) {
            WebPPictureFree(handle)
            guard WebPPictureInit(handle) != 0 else { throw .failed("libwebp is of another version than its headers") }
            handle.pointee.use_argb = 1
            handle.pointee.width = Int32(clamping: bitmap.size.width)
            handle.pointee.height = Int32(clamping: bitmap.size.height)
            handle.pointee.progress_hook = { _, _ in Task.isCancelled ? 0 : 1 }
            guard WebPPictureAlloc(handle) != 0 else { throw error }
            bitmap.withUnsafeBytes { importRows($0, of: bitmap) }
        }

        private func importRows(_ bytes: UnsafeRawBufferPointer, of bitmap: Bitmap) {
            let isPremultiplied = bitmap.format == .bgra8Premultiplied && !bitmap.isOpaque
            var scratch = isPremultiplied ? [UInt8](repeating: 0, count: bitmap.bytesPerRow) : []
            for row in 0..<bitmap.size.height {
                let start = row * bitmap.bytesPerRow
                let pixels = UnsafeRawBufferPointer(rebasing: bytes[start..<start + bitmap.bytesPerRow])
                guard isPremultiplied else {
                    importRow(pixels, row, bitmap.format.written, isOpaque: bitmap.isOpaque)
                    continue
                }
                scratch.withUnsafeMutableBytes { straight in
                    Premultiplying.unpremultiply(bgra: pixels, intoRGBA: straight)
                    importRow(UnsafeRawBufferPointer(straight), row, BBWebPRGBA, isOpaque: false)
                }
            }
        }

        private func importRow(_ pixels: UnsafeRawBufferPointer, _ row: Int, _ kind: BBWebPPixels, isOpaque: Bool) {
            guard let source = pixels.baseAddress, let rows = handle.pointee.argb else { return }
            let target = rows + row * Int(handle.pointee.argb_stride)
            bb_webp_import_row(target, source, Int(handle.pointee.width), kind, isOpaque)
        }

        var hasFailed: Bool { handle.pointee.error_code != VP8_ENC_OK }

        var error: EncodingError {
            switch handle.pointee.error_code {
            case VP8_ENC_ERROR_USER_ABORT: .cancelled
            case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY: .outOfMemory
            case VP8_ENC_ERROR_PARTITION0_OVERFLOW, VP8_ENC_ERROR_PARTITION_OVERFLOW, VP8_ENC_ERROR_FILE_TOO_BIG:
                .failed("the file would be larger than WebP allows")
            default: .failed("libwebp's error \(handle.pointee.error_code.rawValue)")
            }
        }
    }

    extension PixelFormat {
        /// What the encoder is told of straight or opaque pixels.
        fileprivate var written: BBWebPPixels {
            switch self {
            case .bgra8Premultiplied: BBWebPBGRA
            case .rgba8Straight: BBWebPRGBA
            case .rgba16Straight: BBWebPRGBA16
            }
        }
    }

    extension WebPData {
        /// The bytes, which stay as long as the data do.
        var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: size) }
    }
#endif
