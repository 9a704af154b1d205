#if AVIF
    import BowerbirdCodecs
    import BowerbirdCore
    import Testing

    @Suite("AVIF files that arrive in pieces")
    struct AVIFProgressiveTests {
        private let decoder = AVIFDecoder()

        @Test(arguments: [1, 7, 100, 5000])
        func theFinalPictureNeverDependsOnThePieces(step: Int) throws {
            for file in [try makeGrid(), try avif(makePicture(50, 40, isOpaque: false))] {
                let progressive = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
                for count in stride(from: step, to: file.count, by: step) {
                    // Each piece lies elsewhere in memory.
                    let part = Array(file[..<count])
                    try progressive.update(part, isComplete: false)
                    _ = try progressive.preview()
                }
                try progressive.update(file, isComplete: true)
                let image = try progressive.finish()
                #expect(try image.bitmap.bytes == decoder.decode(file).bitmap.bytes)
                #expect(image.warnings.isEmpty && !image.isPreview)
            }
        }

        @Test func aGridShowsTheRowsThatHaveCome() throws {
            let file = try makeGrid()
            let whole = try decoder.decode(file).bitmap
            let progressive = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
            var shown: [Bitmap] = []
            for count in 1..<file.count {
                try progressive.update(Array(file[..<count]), isComplete: false)
                if let preview = try progressive.preview() {
                    #expect(preview.isPreview && preview.size == whole.size && !preview.bitmap.isOpaque)
                    shown.append(preview.bitmap)
                }
            }
            try #require(shown.count == 3)
            for (index, bitmap) in shown.enumerated() {
                #expect(bitmap.pixel(3, 64 * index + 30) == whole.pixel(3, 64 * index + 30))
                #expect(bitmap.pixel(3, 64 * index + 64) == [0, 0, 0, 0])
            }
        }

        @Test func aFileOfOneTileShowsNothingBeforeItsEnd() throws {
            let file = try avif(makePicture(50, 40))
            let progressive = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
            for count in 1..<file.count {
                try progressive.update(Array(file[..<count]), isComplete: false)
                #expect(try progressive.preview() == nil)
            }
            #expect(throws: DecodingError.truncated(atByte: file.count - 1)) { try progressive.finish() }
        }

        @Test func aTransferThatStopsShowsWhatThereIs() throws {
            let file = try makeGrid()
            let progressive = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
            try progressive.update(Array(file[..<(file.count - 1)]), isComplete: false)
            let image = try progressive.finish()
            #expect(image.warnings == [.truncated(atByte: file.count - 1)])
            #expect(try image.bitmap.pixel(3, 190) == decoder.decode(file).bitmap.pixel(3, 190))
        }

        @Test func whatIsRefusedOnceStaysRefused() throws {
            let options = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 100))
            let file = try makeGrid()
            let progressive = try #require(decoder.makeProgressiveDecoder(options))
            let error = DecodingError.tooLarge(PixelSize(width: 128, height: 256), maximumPixelCount: 100)
            #expect(throws: error) { try progressive.update(file, isComplete: false) }
            #expect(throws: error) { try progressive.update(file, isComplete: true) }
            #expect(throws: error) { try progressive.finish() }
        }
    }
#endif
