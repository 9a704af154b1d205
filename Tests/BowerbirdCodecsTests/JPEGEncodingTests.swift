#if JPEG
    import BowerbirdCodecs
    import BowerbirdCore
    import Testing

    @Suite("Encoding JPEG")
    struct JPEGEncodingTests {
        @Test func aBetterQualityIsCloserAndLarger() throws {
            let picture = try makePicture(200, 150)
            var lastCount = 0
            var lastDifference = Double.infinity
            for quality in [-1, 0.3, 0.8, 0.95, 7] {
                let file = try encode(picture, with: JPEGEncoder(), quality: quality)
                let difference = try JPEGDecoder().decode(file).bitmap.meanDifference(to: picture)
                #expect(file.count > lastCount && difference < lastDifference)
                (lastCount, lastDifference) = (file.count, difference)
            }
        }

        @Test(arguments: PixelFormat.allCases)
        func everyPixelFormatGivesTheSamePicture(format: PixelFormat) throws {
            let file = try encode(makePicture(100, 80, format: format), with: JPEGEncoder(), quality: 1)
            let decoded = try JPEGDecoder().decode(file, DecodingOptions(pixels: .exact)).bitmap
            #expect(try decoded.meanDifference(to: makePicture(100, 80, format: .rgba8Straight)) < 3)
        }

        @Test(arguments: PixelFormat.allCases)
        func theBackgroundShowsThroughWhatIsTransparent(format: PixelFormat) throws {
            let picture = try makeBuffer(32, 32, format).freeze()
            let options = EncodingOptions(quality: 1, background: Color(red: 200, green: 100, blue: 40))
            let file = try JPEGEncoder().encode(picture, options)
            let bitmap = try file.withBytes { try JPEGDecoder().decode($0, DecodingOptions()).bitmap }
            for (value, expected) in zip(bitmap.pixel(16, 16), [40, 100, 200, 255]) {
                #expect(abs(Int(value) - expected) <= 2)
            }
        }

        @Test func whatIsHalfTransparentIsMixed() throws {
            var buffer = try makeBuffer(16, 16, .rgba8Straight)
            buffer.withUnsafeMutableBytes { bytes in
                for index in bytes.indices { bytes[index] = index % 4 == 3 ? 128 : 0 }
            }
            let file = try encode(buffer.freeze(), with: JPEGEncoder(), quality: 1)
            let pixel = try JPEGDecoder().decode(file).bitmap.pixel(8, 8)
            #expect(pixel.allSatisfy { $0 == 255 || abs(Int($0) - 127) <= 1 })
        }

        @Test func aPictureTooLongForTheFormatIsRefused() throws {
            let picture = try makePicture(65501, 1)
            #expect(throws: EncodingError.tooLarge(picture.size, format: .jpeg)) {
                try JPEGEncoder().encode(picture, EncodingOptions())
            }
        }
    }
#endif
