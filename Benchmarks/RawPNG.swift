#if PNG
    import CPNG

    /// libpng with nothing around it. Without a place to jump to it ends the program at an error, so no longjmp can cross
    /// these frames; the files are our own.
    enum RawPNG {
        enum Order { case bgra, rgba }

        /// Straight pixels; the alpha of files without one is full.
        static func decode(_ file: UnsafeRawBufferPointer, _ order: Order, to pixels: UnsafeMutableRawBufferPointer) {
            var unread = file
            withUnsafeMutablePointer(to: &unread) { unread in
                var png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nil, nil, nil)
                var info = png.flatMap { png_create_info_struct($0) }
                defer { png_destroy_read_struct(&png, &info, nil) }
                guard let png, let info else { return }
                png_set_read_fn(png, unread, read)
                png_read_info(png, info)
                png_set_expand(png)
                png_set_filler(png, 255, PNG_FILLER_AFTER)
                if order == .bgra { png_set_bgr(png) }
                png_read_update_info(png, info)
                readRows(png, height: Int(png_get_image_height(png, info)), to: pixels)
            }
        }

        private static let read: png_rw_ptr = { png, bytes, count in
            guard let png, let source = png_get_io_ptr(png) else { return }
            let unread = source.assumingMemoryBound(to: UnsafeRawBufferPointer.self)
            let count = min(count, unread.pointee.count)
            UnsafeMutableRawBufferPointer(start: bytes, count: count).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: unread.pointee[..<count]))
            unread.pointee = UnsafeRawBufferPointer(rebasing: unread.pointee[count...])
        }

        private static func readRows(_ png: png_structp, height: Int, to pixels: UnsafeMutableRawBufferPointer) {
            let bytesPerRow = pixels.count / max(1, height)
            let base = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var rows = (0..<height).map { row in base.map { $0 + row * bytesPerRow } }
            rows.withUnsafeMutableBufferPointer { png_read_image(png, $0.baseAddress) }
            png_read_end(png, nil)
        }
    }
#endif
