#if HEIF
    import BowerbirdCore
    import CHEIF

    /// The owner of one libheif context, over the bytes of a file, of which the last may be missing.
    final class HEIFReader {
        private let handle: UnsafeMutablePointer<BBHEIFReader>
        private var isCut = false

        /// libheif takes the memory for a part before it reads it.
        private static let longestMissingPart = 1 << 26

        init() throws(DecodingError) {
            guard let handle = bb_heif_reader_create() else { throw .outOfMemory(PixelSize(width: 0, height: 0)) }
            self.handle = handle
            // The pixels are counted by `DecodingLimits`, which libheif is told before it decodes.
            heif_context_set_maximum_image_size_limit(handle.pointee.context, .max)
        }

        deinit { bb_heif_reader_destroy(handle) }

        /// Does `work`, the only place where the reader and its pictures may be used, with the file, or with its first
        /// bytes where it is not complete.
        func withBytes<R>(
            _ bytes: RawSpan, isComplete: Bool, _ limits: DecodingLimits, _ work: () throws(DecodingError) -> R
        ) throws(DecodingError) -> R {
            let parts = try HEIFParts(in: bytes)
            try parts.check(limits)
            isCut = parts.end != bytes.byteCount
            let hasGap = isCut || !isComplete
            handle.pointee.gap = hasGap ? Int64(parts.end) : -1
            handle.pointee.end = Int64(bytes.byteCount + (hasGap ? Self.longestMissingPart : 0))
            return try bytes.withUnsafeBytes { bytes throws(DecodingError) in
                handle.pointee.bytes = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                handle.pointee.count = Int64(bytes.count)
                defer { handle.pointee.bytes = nil }
                try check(bb_heif_parse(handle))
                return try work()
            }
        }

        /// The pictures that stand for themselves, the primary one first.
        func pictures(_ limits: DecodingLimits) throws(DecodingError) -> [heif_item_id] {
            var primary: heif_item_id = 0
            try check(heif_context_get_primary_image_ID(handle.pointee.context, &primary))
            let count = Int(heif_context_get_number_of_top_level_images(handle.pointee.context))
            try limits.check(frameCount: count)
            var others = [heif_item_id](repeating: 0, count: max(0, count))
            let filled = heif_context_get_list_of_top_level_image_IDs(handle.pointee.context, &others, Int32(count))
            return [primary] + others.prefix(Int(filled)).filter { $0 != primary }
        }

        func picture(_ item: heif_item_id) throws(DecodingError) -> HEIFPicture {
            var picture: OpaquePointer?
            try check(heif_context_get_image_handle(handle.pointee.context, item, &picture))
            guard let picture else { throw .corrupt("it has no picture \(item)") }
            return HEIFPicture(picture)
        }

        /// Decodes a picture of the file. Cannot be interrupted. Throws where any of its bytes is missing: libheif's
        /// decoders fill the gap with anything.
        func decode(
            _ picture: HEIFPicture, isDeep: Bool, _ limits: DecodingLimits
        ) throws(DecodingError) -> HEIFPixels {
            try DecodingError.checkCancellation()
            heif_context_set_maximum_image_size_limit(
                handle.pointee.context, Self.longestSide(of: picture.size, limits))
            handle.pointee.has_met_end = false
            var image: OpaquePointer?
            let error = bb_heif_decode(picture.handle, isDeep, &image)
            let pixels = image.map(HEIFPixels.init)
            if handle.pointee.has_met_end { throw .truncated(atByte: Int(handle.pointee.count)) }
            try check(error)
            try DecodingError.checkCancellation()
            guard let pixels, pixels.size == picture.size else {
                throw .corrupt("its pixels are not those it promises")
            }
            return pixels
        }

        /// Tiles may be larger than the picture that is cut from them, but not than pictures may be.
        private static func longestSide(of size: PixelSize, _ limits: DecodingLimits) -> Int32 {
            let usual = min(8192, Int(Double(max(1, limits.maximumPixelCount)).squareRoot()))
            return Int32(clamping: max(size.width, size.height, usual))
        }

        /// What is missing is none of the picture.
        var warnings: [ImageWarning] { isCut ? [.truncated(atByte: Int(handle.pointee.count))] : [] }

        private func check(_ error: heif_error) throws(DecodingError) {
            switch error.code {
            case heif_error_Ok: return
            case _ where error.subcode == heif_suberror_End_of_data:
                throw .truncated(atByte: Int(handle.pointee.count))
            case heif_error_Memory_allocation_error where error.subcode != heif_suberror_Security_limit_exceeded:
                throw .outOfMemory(PixelSize(width: 0, height: 0))
            default: throw .corrupt(String(cString: error.message))
            }
        }
    }

    /// The owner of one decoded picture of libheif.
    final class HEIFPixels {
        private let image: OpaquePointer

        init(_ image: OpaquePointer) { self.image = image }

        deinit { heif_image_release(image) }

        var size: PixelSize {
            PixelSize(
                width: Int(heif_image_get_width(image, heif_channel_interleaved)),
                height: Int(heif_image_get_height(image, heif_channel_interleaved)))
        }

        /// Bits of a component; libheif gives as many as the file has.
        var depth: Int { Int(heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved)) }

        /// All rows, four components a pixel; the pointer must not leave the closure.
        func withRows<R>(
            _ body: (UnsafePointer<UInt8>, _ bytesPerRow: Int) throws(DecodingError) -> R
        ) throws(DecodingError) -> R {
            var stride: Int32 = 0
            guard let rows = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride) else {
                throw .corrupt("it has no pixels")
            }
            return try body(rows, Int(stride))
        }
    }
#endif
