#if HEIF
    import CHEIF

    /// libheif with nothing around it but the change of red and blue, which it cannot do.
    enum RawHEIF {
        /// As BGRA, of a file without alpha.
        static func decode(_ file: UnsafeRawBufferPointer, to pixels: UnsafeMutableRawBufferPointer) throws {
            guard let context = heif_context_alloc() else { throw CannotMeasure("libheif has no memory") }
            defer { heif_context_free(context) }
            try check(heif_context_read_from_memory_without_copy(context, file.baseAddress, file.count, nil))
            var handle: OpaquePointer?
            try check(heif_context_get_primary_image_handle(context, &handle))
            defer { heif_image_handle_release(handle) }
            var image: OpaquePointer?
            try check(
                heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, nil))
            defer { heif_image_release(image) }
            try copy(image, to: pixels)
            RawPixels.exchangeRedAndBlue(pixels)
        }

        private static func copy(_ image: OpaquePointer?, to pixels: UnsafeMutableRawBufferPointer) throws {
            let width = 4 * Int(heif_image_get_primary_width(image))
            let height = Int(heif_image_get_primary_height(image))
            var stride: Int32 = 0
            guard let rows = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride),
                width * height == pixels.count, let base = pixels.baseAddress
            else { throw CannotMeasure("libheif has another size") }
            for row in 0..<height { (base + row * width).copyMemory(from: rows + row * Int(stride), byteCount: width) }
        }

        private static func check(_ error: heif_error) throws {
            guard error.code == heif_error_Ok else {
                throw CannotMeasure("libheif says: " + (error.message.map { String(cString: $0) } ?? "nothing"))
            }
        }
    }
#endif
