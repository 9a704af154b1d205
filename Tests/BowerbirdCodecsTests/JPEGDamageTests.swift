#if JPEG
    import BowerbirdCore
    import Testing

    @testable import BowerbirdCodecs

    @Suite("Damaged JPEG files")
    struct JPEGDamageTests {
        private let decoder = JPEGDecoder()

        @Test(arguments: [false, true])
        func aTruncatedFileShowsWhatArrived(isProgressive: Bool) throws {
            let file = try encode(makePicture(320, 320), with: JPEGEncoder(isProgressive: isProgressive))
            let whole = try decoder.decode(file).bitmap
            for sixteenth in 4..<16 {
                let part = Array(file[..<(file.count * sixteenth / 16)])
                let image = try decoder.decode(part)
                #expect(image.size == whole.size && image.bitmap.isOpaque)
                #expect(image.warnings == [.truncated(atByte: part.count)])
                if !isProgressive {
                    let row = whole.bytesPerRow * 40
                    #expect(image.bitmap.bytes[..<row] == whole.bytes[..<row])
                }
            }
        }

        @Test(arguments: [false, true])
        func aFileThatEndsBeforeItsPictureThrows(isProgressive: Bool) throws {
            let file = try encode(makePicture(320, 320), with: JPEGEncoder(isProgressive: isProgressive))
            let data = try #require(file.firstIndex(ofScanIn: file))
            for count in [3, 30, data - 3, data, data + 8] {
                #expect(throws: DecodingError.truncated(atByte: count)) { try decoder.decode(Array(file[..<count])) }
            }
        }

        @Test func aSmallPictureOfOneRowOfBlocksIsShownCutShort() throws {
            let file = try encode(makePicture(16, 16), with: JPEGEncoder())
            let image = try decoder.decode(Array(file[..<(file.count - 20)]))
            #expect(image.warnings == [.truncated(atByte: file.count - 20)])
        }

        @Test func damageInTheMidstIsShownAroundWithAWarning() throws {
            var file = try encode(makePicture(320, 320), with: JPEGEncoder())
            let middle = file.count / 2
            file.replaceSubrange(middle..<middle + 4, with: [0xFF, 0xC4, 0xFF, 0xC4])
            let image = try decoder.decode(file)
            guard case .corrupt? = image.warnings.first else {
                Issue.record("\(image.warnings)")
                return
            }
        }

        @Test(arguments: [false, true])
        func noFlippedByteTraps(isProgressive: Bool) throws {
            let file = try encode(makePicture(40, 30), with: JPEGEncoder(isProgressive: isProgressive), quality: 0.6)
            for index in file.indices {
                for change in [0x01, 0x80, 0xFF] as [UInt8] {
                    var damaged = file
                    damaged[index] ^= change
                    let limits = DecodingLimits(maximumPixelCount: 1 << 20)
                    _ = try? decoder.decode(damaged, DecodingOptions(limits: limits))
                }
            }
        }

        @Test func randomBytesThrow() {
            for count in [1, 2, 10, 1000, 5000] {
                let noise = (0..<count).map { _ in UInt8.random(in: 0...255) }
                #expect(throws: DecodingError.self) { try decoder.decode(noise) }
                #expect(throws: DecodingError.self) { try decoder.decode([0xFF, 0xD8, 0xFF, 0xE0] + noise) }
            }
        }

        @Test func aSizeOverTheLimitIsRefusedBeforeAnythingIsAllocated() throws {
            var file = try encode(makePicture(64, 64), with: JPEGEncoder())
            let frame = try #require(file.indices.first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
            file.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
            let claimed = PixelSize(width: 65500, height: 65500)
            #expect(throws: DecodingError.tooLarge(claimed, maximumPixelCount: 1 << 28)) { try decoder.decode(file) }
            #expect(try decoder.header(of: file).storedSize == claimed)
        }

        @Test func moreScansThanAllowedAreRefused() throws {
            let file = try encode(makePicture(64, 64), with: JPEGEncoder(isProgressive: true))
            let limits = DecodingLimits(maximumScanCount: 3)
            #expect(throws: DecodingError.tooManyScans(maximum: 3)) {
                try decoder.decode(file, DecodingOptions(limits: limits))
            }
        }

        @Test func aCancelledTaskStopsDecoding() async throws {
            let files = try [false, true].map {
                try encode(makePicture(64, 64), with: JPEGEncoder(isProgressive: $0))
            }
            let errors = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return files.map { JPEGDecoder().failure(of: $0) }
            }.value
            #expect(errors == [.cancelled, .cancelled])
        }
    }

    extension [UInt8] {
        /// The offset of the first pixel data.
        fileprivate func firstIndex(ofScanIn file: [UInt8]) -> Int? {
            guard let scan = indices.dropLast(4).first(where: { self[$0] == 0xFF && self[$0 + 1] == 0xDA }) else {
                return nil
            }
            return scan + 2 + Int(self[scan + 2]) << 8 + Int(self[scan + 3])
        }
    }
#endif
