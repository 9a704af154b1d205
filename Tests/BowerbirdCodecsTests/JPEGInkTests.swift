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

        #if ICC
            /// The profile of the fixtures makes light of ink: 255 less 70 for each colour at its full.
            @Test(arguments: [true, false])
            func aProfileOfTheInksSaysWhatTheyLookLike(isInverted: Bool) throws {
                let paper: [UInt8] = isInverted ? [255, 255, 255, 255] : [0, 0, 0, 0]
                let cyan: [UInt8] = isInverted ? [0, 255, 255, 255] : [255, 0, 0, 0]
                var files = try [paper, cyan].map { try makeFile($0, JCS_CMYK) }
                if !isInverted { files = try files.map(withoutAdobe) }
                files = files.map { jpeg($0, inserting: profileSegments(TestProfile.inks, count: 2)) }
                expect(try JPEGDecoder().decode(files[0]).bitmap.pixel(8, 8), isNearly: [255, 255, 255, 255])
                // Lightness 73 of 100 is the grey 178.
                let grey = try JPEGDecoder().decode(files[1]).bitmap.pixel(8, 8)
                expect(grey, isNearly: [178, 178, 178, 255])
                #expect(try JPEGDecoder().header(of: files[1]).profile == .icc(TestProfile.inks))
                let stored = try JPEGDecoder().decode(files[1], DecodingOptions(pixels: .exact, color: .asStored))
                #expect(stored.profile == .sRGB && stored.bitmap.pixel(8, 8) == [grey[2], grey[1], grey[0], 255])
            }
        #endif

        @Test func inksWithAProfileThatMakesNoSenseAreShownWithout() throws {
            let file = try makeFile([200, 100, 50, 255], JCS_CMYK)
            var bytes = TestProfile.inks.bytes
            for index in 200..<bytes.count { bytes[index] = 0 }
            let odd = jpeg(file, inserting: profileSegments(ICCProfile(bytes: bytes), count: 1))
            #expect(try JPEGDecoder().decode(odd).bitmap.bytes == JPEGDecoder().decode(file).bitmap.bytes)
        }

        private func withoutAdobe(_ file: [UInt8]) throws -> [UInt8] {
            var file = file
            let marker = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xEE })
            file.removeSubrange(marker..<marker + 2 + Int(file[marker + 3]))
            return file
        }

        @Test func otherInksAreNot() throws {
            let file = try withoutAdobe(makeFile([55, 155, 205, 0], JCS_CMYK))
            expect(try JPEGDecoder().decode(file).bitmap.pixel(8, 8), isNearly: [50, 100, 200, 255])
        }
    }
#endif
