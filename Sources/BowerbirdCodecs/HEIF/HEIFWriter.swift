#if HEIF
    import BowerbirdCore
    import BowerbirdRaster
    import CHEIF
    import Glibc

    /// The owner of what libheif needs to write one file.
    final class HEIFWriter {
        private let context: OpaquePointer
        private let encoder: OpaquePointer
        private let options: EncodingOptions

        private static let longestSide = 16384
        private static let fullChromaQuality = 0.95

        init(_ options: EncodingOptions) throws(EncodingError) {
            guard heif_have_encoder_for_format(heif_compression_HEVC) != 0 else { throw .unsupportedFormat(.heif) }
            guard let context = heif_context_alloc() else { throw .outOfMemory }
            var encoder: OpaquePointer?
            let error = heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder)
            guard error.code == heif_error_Ok, let encoder else {
                heif_context_free(context)
                throw .failed(String(cString: error.message))
            }
            self.context = context
            self.encoder = encoder
            self.options = options
        }

        deinit {
            heif_encoder_release(encoder)
            heif_context_free(context)
        }

        func add(_ bitmap: Bitmap) throws(EncodingError) {
            try checkCancellation()
            guard max(bitmap.size.width, bitmap.size.height) <= Self.longestSide else {
                throw .tooLarge(bitmap.size, format: .heif)
            }
            try setUpEncoder()
            let image = try HEIFImage(of: bitmap)
            if case .icc(let profile) = options.profile {
                try check(heif_image_set_raw_color_profile(image.handle, "prof", profile.bytes, profile.bytes.count))
            }
            var picture: OpaquePointer?
            try check(bb_heif_encode(context, image.handle, encoder, description(of: bitmap), &picture))
            defer { heif_image_handle_release(picture) }
            try addMetadata(to: picture)
            try checkCancellation()
        }

        func finish() throws(EncodingError) -> EncodedImage {
            var output = BBHEIFOutput()
            defer { free(output.bytes) }
            try check(bb_heif_finish(context, &output))
            guard let file = EncodedImage(UnsafeBufferPointer(start: output.bytes, count: output.count)) else {
                throw .outOfMemory
            }
            return file
        }

        private func setUpEncoder() throws(EncodingError) {
            let quality = options.clampedQuality
            let keepsChroma = options.isLossless || options.keepsFullChroma ?? (quality >= Self.fullChromaQuality)
            try check(heif_encoder_set_lossless(encoder, options.isLossless ? 1 : 0))
            if !options.isLossless {
                try check(heif_encoder_set_lossy_quality(encoder, Int32((quality * 100).rounded())))
            }
            // Encoders without these settings do as they like.
            _ = heif_encoder_set_parameter_string(encoder, "chroma", keepsChroma ? "444" : "420")
            _ = heif_encoder_set_parameter_string(encoder, "preset", preset)
        }

        private var preset: String {
            let presets = ["ultrafast", "veryfast", "faster", "medium", "slow", "slower", "veryslow"]
            return presets[Int((options.clampedEffort * Double(presets.count - 1)).rounded())]
        }

        private func description(of bitmap: Bitmap) -> BBHEIFDescription {
            let points =
                switch options.profile {
                case .cicp(let points): points
                case .sRGB: CodingPoints(primaries: 1, transfer: 13)
                case .unspecified, .icc: CodingPoints(primaries: 2, transfer: 2)
                }
            return BBHEIFDescription(
                orientation: Int32(options.orientation.rawValue), has_alpha: !bitmap.isOpaque,
                is_lossless: options.isLossless, primaries: Int32(clamping: points.primaries),
                transfer: Int32(clamping: points.transfer))
        }

        private func addMetadata(to picture: OpaquePointer?) throws(EncodingError) {
            if let exif = options.metadata?.exif {
                try check(heif_context_add_exif_metadata(context, picture, exif, Int32(clamping: exif.count)))
            }
            if let xmp = options.metadata?.xmp {
                try check(heif_context_add_XMP_metadata(context, picture, xmp, Int32(clamping: xmp.count)))
            }
        }

        private func checkCancellation() throws(EncodingError) {
            if Task.isCancelled { throw .cancelled }
        }
    }

    private func check(_ error: heif_error) throws(EncodingError) {
        if error.code == heif_error_Ok { return }
        throw error.code == heif_error_Memory_allocation_error ? .outOfMemory : .failed(String(cString: error.message))
    }

    /// The owner of one picture for libheif.
    private final class HEIFImage {
        let handle: OpaquePointer

        init(of bitmap: Bitmap) throws(EncodingError) {
            let (width, height) = (Int32(bitmap.size.width), Int32(bitmap.size.height))
            var handle: OpaquePointer?
            let layout = bitmap.isOpaque ? heif_chroma_interleaved_RGB : heif_chroma_interleaved_RGBA
            try check(heif_image_create(width, height, heif_colorspace_RGB, layout, &handle))
            guard let handle else { throw .outOfMemory }
            self.handle = handle
            try check(heif_image_add_plane(handle, heif_channel_interleaved, width, height, 8))
            var stride: Int32 = 0
            guard let plane = heif_image_get_plane(handle, heif_channel_interleaved, &stride) else {
                throw .outOfMemory
            }
            for row in 0..<bitmap.size.height {
                bitmap.withRow(row) { bytes in
                    bytes.withUnsafeBytes { bitmap.write($0, to: plane + row * Int(stride)) }
                }
            }
        }

        deinit { heif_image_release(handle) }
    }

    extension Bitmap {
        /// One row as straight RGBA, or RGB where the picture is opaque, of 8 bits.
        fileprivate func write(_ row: UnsafeRawBufferPointer, to result: UnsafeMutablePointer<UInt8>) {
            let straight = straightRow(row)
            let componentCount = isOpaque ? 3 : 4
            for x in 0..<size.width {
                for component in 0..<componentCount {
                    result[componentCount * x + component] = straight[4 * x + component]
                }
            }
        }

        private func straightRow(_ row: UnsafeRawBufferPointer) -> [UInt8] {
            switch format {
            case .rgba8Straight: return Array(row)
            case .rgba16Straight:
                return row.assumingMemoryBound(to: UInt16.self).map { UInt8((UInt32($0) + 128) / 257) }
            case .bgra8Premultiplied:
                var straight = [UInt8](repeating: 0, count: row.count)
                straight.withUnsafeMutableBytes { Premultiplying.unpremultiply(bgra: row, intoRGBA: $0) }
                return straight
            }
        }
    }
#endif
