#if HEIF
    import BowerbirdCore
    import CHEIF

    /// The owner of one picture of a file that libheif has read.
    final class HEIFPicture {
        let handle: OpaquePointer

        init(_ handle: OpaquePointer) { self.handle = handle }

        deinit { heif_image_handle_release(handle) }

        /// Turned and cut: libheif does both itself.
        var size: PixelSize {
            PixelSize(
                width: Int(heif_image_handle_get_width(handle)), height: Int(heif_image_handle_get_height(handle)))
        }

        var hasAlpha: Bool { heif_image_handle_has_alpha_channel(handle) != 0 }

        /// The orientation is that of the pixels as they come, which is upright. One in EXIF data counts for nothing, by
        /// the standard.
        func header(frameCount: Int, _ limits: DecodingLimits) throws(DecodingError) -> ImageHeader {
            let bits = Int(heif_image_handle_get_luma_bits_per_pixel(handle))
            return ImageHeader(
                format: .heif, storedSize: size, hasAlpha: hasAlpha, bitsPerComponent: bits > 0 ? bits : 8,
                profile: try profile(limits), frameCount: frameCount)
        }

        private func profile(_ limits: DecodingLimits) throws(DecodingError) -> ColorProfile {
            let count = heif_image_handle_get_raw_color_profile_size(handle)
            try limits.check(metadataByteCount: count)
            if count > 0 {
                var bytes = [UInt8](repeating: 0, count: count)
                if heif_image_handle_get_raw_color_profile(handle, &bytes).code == heif_error_Ok {
                    return .icc(ICCProfile(bytes: bytes))
                }
            }
            var nclx: UnsafeMutablePointer<heif_color_profile_nclx>?
            guard heif_image_handle_get_nclx_color_profile(handle, &nclx).code == heif_error_Ok, let nclx else {
                return .unspecified
            }
            defer { heif_nclx_color_profile_free(nclx) }
            let points = CodingPoints(
                primaries: Int(nclx.pointee.color_primaries.rawValue),
                transfer: Int(nclx.pointee.transfer_characteristics.rawValue))
            return points == CodingPoints(primaries: 2, transfer: 2) ? .unspecified : .cicp(points)
        }

        /// The smaller versions of it that the file has.
        var thumbnails: [HEIFPicture] {
            let count = heif_image_handle_get_number_of_thumbnails(handle)
            var items = [heif_item_id](repeating: 0, count: max(0, min(Int(count), Self.maximumThumbnailCount)))
            let filled = heif_image_handle_get_list_of_thumbnail_IDs(handle, &items, Int32(items.count))
            return items.prefix(Int(filled)).compactMap { item in
                var thumbnail: OpaquePointer?
                let error = heif_image_handle_get_thumbnail(handle, item, &thumbnail)
                return error.code == heif_error_Ok ? thumbnail.map(HEIFPicture.init) : nil
            }
        }

        /// Cameras write one.
        private static let maximumThumbnailCount = 16

        /// The first block of EXIF data, from the TIFF header on, and the first of XMP; those too large are left out.
        func metadata(_ limits: DecodingLimits) -> ImageMetadata {
            let count = max(0, Int(heif_image_handle_get_number_of_metadata_blocks(handle, nil)))
            var items = [heif_item_id](repeating: 0, count: min(count, limits.maximumFrameCount))
            let filled = heif_image_handle_get_list_of_metadata_block_IDs(handle, nil, &items, Int32(items.count))
            var metadata = ImageMetadata()
            for item in items.prefix(Int(filled)) {
                let type = String(cString: heif_image_handle_get_metadata_type(handle, item))
                if type == "Exif", metadata.exif == nil { metadata.exif = exif(item, limits) }
                if type == "mime", metadata.xmp == nil, isXMP(item) { metadata.xmp = block(item, limits) }
            }
            return metadata
        }

        private func isXMP(_ item: heif_item_id) -> Bool {
            String(cString: heif_image_handle_get_metadata_content_type(handle, item)) == "application/rdf+xml"
        }

        private func block(_ item: heif_item_id, _ limits: DecodingLimits) -> [UInt8]? {
            let count = heif_image_handle_get_metadata_size(handle, item)
            guard count > 0, count <= limits.maximumMetadataByteCount else { return nil }
            var bytes = [UInt8](repeating: 0, count: count)
            return heif_image_handle_get_metadata(handle, item, &bytes).code == heif_error_Ok ? bytes : nil
        }

        /// The block begins with a number: how far behind it the TIFF header is.
        private func exif(_ item: heif_item_id, _ limits: DecodingLimits) -> [UInt8]? {
            guard let block = block(item, limits), let offset = block.span.bytes.bigEndian32(at: 0) else { return nil }
            let start = 4 + Int(offset)
            return start < block.count ? Array(block[start...]) : nil
        }
    }
#endif
