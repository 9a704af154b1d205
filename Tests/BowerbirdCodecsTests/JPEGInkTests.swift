#if JPEG
    import BowerbirdCodecs
    import BowerbirdCore
    import CJPEG
    import Testing

    @Suite("JPEG files for printing")
    struct JPEGInkTests {
        /// A file of 16 × 16 pixels of four inks, marked as Adobe's.
        private func makeFile(_ inks: [UInt8], _ colors: J_COLOR_SPACE) throws -> [UInt8] {
            let writer = try #require(bb_jpeg_writer_create())
            defer { bb_jpeg_writer_destroy(writer) }
            writer.pointee.encoder.image_width = 16
            writer.pointee.encoder.image_height = 16
            writer.pointee.encoder.input_components = 4
            writer.pointee.encoder.in_color_space = JCS_CMYK
            jpeg_set_defaults(&writer.pointee.encoder)
            jpeg_set_quality(&writer.pointee.encoder, 100, 1)
            jpeg_set_colorspace(&writer.pointee.encoder, colors)
            jpeg_start_compress(&writer.pointee.encoder, 1)
            let row = Array(repeating: inks, count: 16).flatMap { $0 }
            for _ in 0..<16 { try #require(bb_jpeg_writer_write_row(writer, row)) }
            try #require(bb_jpeg_writer_finish(writer))
            return Array(UnsafeBufferPointer(start: writer.pointee.bytes, count: writer.pointee.count))
        }

        private func expect(_ pixel: [UInt8], isNearly color: [Int]) {
            #expect(zip(pixel, color).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(pixel)")
        }

        @Test(arguments: [JCS_CMYK, JCS_YCCK])
        func adobesInksAreInverted(colors: J_COLOR_SPACE) throws {
            let file = try makeFile([200, 100, 50, 255], colors)
            expect(try JPEGDecoder().decode(file).bitmap.pixel(8, 8), isNearly: [50, 100, 200, 255])
            let exact = try JPEGDecoder().decode(file, DecodingOptions(pixels: .exact))
            expect(exact.bitmap.pixel(8, 8), isNearly: [200, 100, 50, 255])
            let dark = try makeFile([200, 100, 50, 127], colors)
            expect(try JPEGDecoder().decode(dark).bitmap.pixel(8, 8), isNearly: [25, 50, 100, 255])
        }

        @Test func otherInksAreNot() throws {
            var file = try makeFile([55, 155, 205, 0], JCS_CMYK)
            let marker = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xEE })
            file.removeSubrange(marker..<marker + 2 + Int(file[marker + 3]))
            expect(try JPEGDecoder().decode(file).bitmap.pixel(8, 8), isNearly: [50, 100, 200, 255])
        }
    }
#endif
