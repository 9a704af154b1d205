#if WebP
    import BowerbirdCore
    import CWebP

    /// What is written beside the pixels: profile, EXIF data, XMP.
    struct WebPExtras {
        private let chunks: [(name: String, content: [UInt8])]

        init(_ options: EncodingOptions) {
            let exif = ExifWriter.setting(options.orientation, in: options.metadata?.exif)
            let contents = [
                ("ICCP", Self.writtenProfile(options)?.bytes), ("EXIF", exif), ("XMP ", options.metadata?.xmp),
            ]
            chunks = contents.compactMap { name, content in
                guard let content, !content.isEmpty else { return nil }
                return (name, content)
            }
        }

        /// WebP knows ICC profiles only, and its pixels are RGB.
        static func writtenProfile(_ options: EncodingOptions) -> ICCProfile? {
            guard case .icc(let profile) = options.profile, profile.colorSpace == .rgb else { return nil }
            return profile
        }

        /// The file with them.
        func added(to file: EncodedImage) throws(EncodingError) -> EncodedImage {
            guard !chunks.isEmpty else { return file }
            let mux = try WebPMuxer(file)
            for (name, content) in chunks { try mux.add(name, content) }
            return try mux.finish()
        }
    }

    /// The owner of one libwebpmux object.
    private final class WebPMuxer {
        private let handle: OpaquePointer

        init(_ file: EncodedImage) throws(EncodingError) {
            let handle = file.withUnsafeBytes { bytes in
                var data = WebPData(bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: bytes.count)
                return WebPMuxCreate(&data, 1)
            }
            guard let handle else { throw .outOfMemory }
            self.handle = handle
        }

        deinit { WebPMuxDelete(handle) }

        func add(_ name: String, _ content: [UInt8]) throws(EncodingError) {
            let status = content.withUnsafeBufferPointer { bytes in
                var data = WebPData(bytes: bytes.baseAddress, size: bytes.count)
                return WebPMuxSetChunk(handle, name, &data, 1)
            }
            try Self.check(status)
        }

        func finish() throws(EncodingError) -> EncodedImage {
            var data = WebPData()
            WebPDataInit(&data)
            defer { WebPDataClear(&data) }
            try Self.check(WebPMuxAssemble(handle, &data))
            guard let file = EncodedImage(data.buffer) else { throw .outOfMemory }
            return file
        }

        private static func check(_ status: WebPMuxError) throws(EncodingError) {
            switch status {
            case WEBP_MUX_OK: return
            case WEBP_MUX_MEMORY_ERROR: throw .outOfMemory
            default: throw .failed("libwebpmux's error \(status.rawValue)")
            }
        }
    }
#endif
