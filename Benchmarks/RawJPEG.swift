#if JPEG
    import CJPEG
    import Glibc

    /// libjpeg-turbo with nothing around it: the floor under our figures. Its own error handler ends the program, so no
    /// longjmp can cross these frames; the files are our own.
    enum RawJPEG {
        /// Decodes a whole file to BGRA at so many eighths of its size, into memory that is freed again.
        static func decode(_ file: UnsafeRawBufferPointer, eighths: UInt32) {
            let decoder = UnsafeMutablePointer<jpeg_decompress_struct>.allocate(capacity: 1)
            let errors = UnsafeMutablePointer<jpeg_error_mgr>.allocate(capacity: 1)
            decoder.pointee.err = jpeg_std_error(errors)
            jpeg_CreateDecompress(decoder, JPEG_LIB_VERSION, MemoryLayout<jpeg_decompress_struct>.stride)
            jpeg_mem_src(decoder, file.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(file.count))
            jpeg_read_header(decoder, 1)
            decoder.pointee.out_color_space = JCS_EXT_BGRA
            decoder.pointee.scale_num = eighths
            decoder.pointee.scale_denom = 8
            jpeg_start_decompress(decoder)
            readRows(of: decoder)
            jpeg_finish_decompress(decoder)
            jpeg_destroy_decompress(decoder)
            decoder.deallocate()
            errors.deallocate()
        }

        private static func readRows(of decoder: UnsafeMutablePointer<jpeg_decompress_struct>) {
            let height = Int(decoder.pointee.output_height)
            let bytesPerRow = Int(decoder.pointee.output_width) * 4
            guard let pixels = malloc(height * bytesPerRow)?.assumingMemoryBound(to: UInt8.self) else { return }
            var rows: [UnsafeMutablePointer<UInt8>?] = (0..<height).map { pixels + $0 * bytesPerRow }
            rows.withUnsafeMutableBufferPointer { rows in
                while Int(decoder.pointee.output_scanline) < height {
                    let next = Int(decoder.pointee.output_scanline)
                    jpeg_read_scanlines(decoder, rows.baseAddress.map { $0 + next }, UInt32(height - next))
                }
            }
            free(pixels)
        }
    }
#endif
