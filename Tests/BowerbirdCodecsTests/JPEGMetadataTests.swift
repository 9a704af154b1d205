#if JPEG
    import BowerbirdCore
    import BowerbirdRaster
    import BowerbirdTestSupport
    import Testing

    @testable import BowerbirdCodecs

    /// A JPEG file with segments behind its first two bytes.
    func jpeg(_ file: [UInt8], inserting segments: [(UInt8, [UInt8])]) -> [UInt8] {
        var inserted: [UInt8] = []
        for (number, payload) in segments {
            inserted += [0xFF, number, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 0xFF)] + payload
        }
        return file[..<2] + inserted + file[2...]
    }

    /// The segments of a colour profile in so many parts.
    func profileSegments(_ profile: ICCProfile, count: Int) -> [(UInt8, [UInt8])] {
        let size = (profile.bytes.count + count - 1) / count
        return (0..<count).map { index in
            let part = profile.bytes[index * size..<min((index + 1) * size, profile.bytes.count)]
            return (0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(count)] + part)
        }
    }

    @Suite("What JPEG files carry")
    struct JPEGMetadataTests {
        private let decoder = JPEGDecoder()

        private func plainFile(_ width: Int = 40, _ height: Int = 30) throws -> [UInt8] {
            try encode(makePicture(width, height), with: JPEGEncoder(), quality: 1)
        }

        // MARK: Profiles

        @Test func theProfileIsFoundInPartsOfWhateverOrder() throws {
            let parts = profileSegments(TestProfile.displayP3, count: 3)
            for order in [[0, 1, 2], [2, 0, 1]] {
                let file = jpeg(try plainFile(), inserting: order.map { parts[$0] })
                #expect(try decoder.header(of: file).profile == .icc(TestProfile.displayP3))
                #expect(try decoder.decode(file).header.profile == .icc(TestProfile.displayP3))
            }
        }

        @Test func aProfileWithoutAPartOrForOtherPixelsIsIgnored() throws {
            let parts = profileSegments(TestProfile.displayP3, count: 3)
            let contradicting = [
                parts[0], parts[1], (parts[2].0, profileSegments(TestProfile.displayP3, count: 4)[2].1),
            ]
            let others = [Array(parts[..<2]), contradicting, profileSegments(TestProfile.inks, count: 1)]
            for segments in others + [profileSegments(TestProfile.gray(curve: TestProfile.gamma(1)), count: 1)] {
                let file = jpeg(try plainFile(), inserting: segments)
                #expect(try decoder.header(of: file).profile == .unspecified)
                #expect(try decoder.decode(file).bitmap.bytes == decoder.decode(plainFile()).bitmap.bytes)
            }
        }

        @Test func thePictureIsShownInSRGBAndKeptAsStoredForWhoAsks() throws {
            let plain = try plainFile()
            let file = jpeg(plain, inserting: profileSegments(TestProfile.displayP3, count: 1))
            let stored = try decoder.decode(plain).bitmap
            let shown = try decoder.decode(file)
            #expect(shown.profile == .sRGB)
            #expect(try shown.bitmap.bytes == ColorConversion.toSRGB(stored, from: .icc(TestProfile.displayP3)).bytes)
            #expect(shown.bitmap.bytes != stored.bytes)
            let kept = try decoder.decode(file, DecodingOptions(color: .asStored))
            #expect(kept.profile == .icc(TestProfile.displayP3) && kept.bitmap.bytes == stored.bytes)
        }

        @Test func previewsAreInTheSameColours() throws {
            let file = jpeg(
                try encode(makePicture(320, 240), with: JPEGEncoder()),
                inserting: profileSegments(TestProfile.displayP3, count: 1))
            let arriving = try #require(decoder.makeProgressiveDecoder(DecodingOptions()))
            try arriving.update(file.span.bytes.extracting(first: file.count / 2), isComplete: false)
            let preview = try #require(try arriving.preview())
            #expect(preview.bitmap.pixel(10, 10) == (try decoder.decode(file).bitmap.pixel(10, 10)))
        }

        // MARK: Metadata

        @Test func everythingIsFound() throws {
            let exif = ExifBuilder.camera().bytes
            let file = jpeg(
                try plainFile(),
                inserting: [
                    (0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8)), (0xE1, Array("Exif\0\0".utf8) + exif),
                    (0xFE, Array("Grüße".utf8)), (0xFE, [0xE9, 0]), (0xFE, [0]),
                ])
            let metadata = try decoder.metadata(of: file, DecodingLimits())
            #expect(metadata.exif == exif && metadata.xmp == Array("<x/>".utf8))
            #expect(metadata.texts.map(\.text) == ["Grüße", "é"] && metadata.texts[0].keyword == "Comment")
            #expect(metadata.photograph.model == "Model 1")
            #expect(metadata.density == ImageMetadata.Density(horizontal: 300, vertical: 150))
        }

        @Test func aPlainFileTellsNothing() throws {
            #expect(try decoder.metadata(of: plainFile(), DecodingLimits()).isEmpty)
            #expect(throws: DecodingError.empty) {
                try decoder.metadata(of: [], DecodingLimits())
            }
        }

        @Test func whatTheLimitsForbidIsLeftOut() throws {
            let comment = [UInt8](repeating: 65, count: 60_000)
            let file = jpeg(try plainFile(), inserting: Array(repeating: (0xFE, comment), count: 9))
            let limits = DecodingLimits(maximumMetadataByteCount: 200_000)
            #expect(try decoder.metadata(of: file, limits).texts.count == 3)
            #expect(try decoder.metadata(of: file, DecodingLimits()).texts.count == 9)
            let tiny = jpeg(try plainFile(), inserting: Array(repeating: (0xFE, [65]), count: 4000))
            #expect(try decoder.metadata(of: tiny, limits).texts.count < 3200)
            let profiled = jpeg(try plainFile(), inserting: profileSegments(TestProfile.displayP3, count: 1))
            let strict = DecodingOptions(limits: DecodingLimits(maximumMetadataByteCount: 100))
            #expect(try decoder.decode(profiled, strict).header.profile == .unspecified)
        }

        @Test func noPrefixTraps() throws {
            let segments = profileSegments(TestProfile.displayP3, count: 2) + [(0xE1, Array("Exif\0\0".utf8))]
            let file = jpeg(try plainFile(), inserting: segments)
            for count in 2..<file.count {
                _ = try decoder.metadata(of: file.span.bytes.extracting(first: count), DecodingLimits())
            }
        }

        // MARK: The small picture

        private func file(
            _ width: Int, _ height: Int, thumbnail: [UInt8], orientation: UInt16 = 6, isProgressive: Bool = false
        ) throws -> [UInt8] {
            let exif = ExifBuilder(main: [(0x0112, .short(orientation))], thumbnail: thumbnail).bytes
            let plain = try encode(makePicture(width, height), with: JPEGEncoder(isProgressive: isProgressive))
            return jpeg(plain, inserting: [(0xE1, Array("Exif\0\0".utf8) + exif)])
        }

        private func previews(_ file: [UInt8], _ options: DecodingOptions = DecodingOptions()) throws -> [DecodedImage]
        {
            let arriving = try #require(decoder.makeProgressiveDecoder(options))
            var previews: [DecodedImage] = []
            for count in stride(from: 1, to: file.count, by: 150) {
                try arriving.update(file.span.bytes.extracting(first: count), isComplete: false)
                if let preview = try arriving.preview() { previews.append(preview) }
            }
            try arriving.update(file.span.bytes, isComplete: true)
            _ = try arriving.finish()
            return previews
        }

        @Test(arguments: [false, true])
        func theSmallPictureOfACameraIsTheFirstPreview(isProgressive: Bool) throws {
            let small = try encode(makePicture(40, 30), with: JPEGEncoder())
            let file = try file(400, 300, thumbnail: small, isProgressive: isProgressive)
            let shown = try previews(file)
            #expect(shown.count == 4)
            let first = try #require(shown.first)
            #expect(first.isPreview && first.size == PixelSize(width: 30, height: 40))
            #expect(first.header.size == PixelSize(width: 300, height: 400))
            let expected = try decoder.decode(small).bitmap.oriented(.rightTop)
            #expect(first.bitmap.bytes == expected.bytes)
            #expect(shown[1].size == PixelSize(width: 300, height: 400))
            #expect(try previews(file, .fitting(20, 20))[0].size == PixelSize(width: 15, height: 20))
            #expect(try previews(file, DecodingOptions(pixels: .exact)).allSatisfy { $0.size.width == 300 })
        }

        @Test func oneThatIsNotThePictureIsNotShown() throws {
            let square = try encode(makePicture(40, 44), with: JPEGEncoder())
            let large = try encode(makePicture(400, 300), with: JPEGEncoder())
            let damaged = Array(try encode(makePicture(40, 30), with: JPEGEncoder()).prefix(400))
            for small in [square, large, damaged, [0xFF, 0xD8, 0xFF]] {
                #expect(try previews(file(400, 300, thumbnail: small)).count == 3, "\(small.count) bytes")
            }
        }

        // MARK: Kinds that cannot be read

        @Test(arguments: [0xC3: "lossless JPEG", 0xC5: "hierarchical JPEG"] as [UInt8: String])
        func otherKindsAreNamed(frame: UInt8, name: String) throws {
            var file = try plainFile()
            let start = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
            file[start + 1] = frame
            guard case .unsupportedFormat(let format?, _)? = decoder.failure(of: file) else {
                Issue.record("\(String(describing: decoder.failure(of: file)))")
                return
            }
            #expect(format.name == name)
        }

        @Test func twelveBitsAreNamed() throws {
            var file = try plainFile()
            let start = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
            file[start + 4] = 12
            guard case .unsupportedFormat(let format?, _)? = decoder.failure(of: file) else {
                Issue.record("\(String(describing: decoder.failure(of: file)))")
                return
            }
            #expect(format.name == "JPEG with 12 bits")
        }
    }

    @Suite("What is written into JPEG files")
    struct JPEGMetadataWritingTests {
        private let decoder = JPEGDecoder()

        private func write(_ options: EncodingOptions, _ bitmap: Bitmap? = nil) throws -> [UInt8] {
            try JPEGEncoder().encode(bitmap ?? makePicture(40, 30), options).withUnsafeBytes { Array($0) }
        }

        private func metadata(of file: [UInt8]) throws -> ImageMetadata {
            try decoder.metadata(of: file, DecodingLimits())
        }

        @Test func everythingComesBack() throws {
            var options = EncodingOptions(quality: 1)
            options.metadata = ImageMetadata(
                exif: ExifBuilder.camera(.big).bytes, xmp: Array("<x/>".utf8),
                density: ImageMetadata.Density(horizontal: 72, vertical: 96),
                texts: [.init(keyword: "Comment", text: "ä"), .init(keyword: "Title", text: "b")])
            let read = try metadata(of: write(options))
            #expect(read.exif == ExifWriter.setting(.topLeft, in: ExifBuilder.camera(.big).bytes))
            #expect(read.xmp == Array("<x/>".utf8))
            #expect(read.density == ImageMetadata.Density(horizontal: 72, vertical: 96))
            #expect(read.texts.map(\.text) == ["ä", "Title: b"])
            #expect(read.photograph.lens == "Lens 50mm")
        }

        @Test(arguments: Orientation.allCases)
        func theOrientationIsWritten(orientation: Orientation) throws {
            var options = EncodingOptions()
            options.orientation = orientation
            #expect(try decoder.header(of: write(options)).orientation == orientation)
            options.metadata = ImageMetadata(exif: ExifBuilder.camera().bytes)
            #expect(try decoder.header(of: write(options)).orientation == orientation)
            options.metadata = ImageMetadata(exif: ExifBuilder.camera().bytes + Array(repeating: 0, count: 70_000))
            let file = try write(options)
            #expect(try decoder.header(of: file).orientation == orientation)
            #expect(file.count < 40_000)
        }

        @Test func plainOptionsWriteNothing() throws {
            #expect(try metadata(of: write(EncodingOptions())).isEmpty)
            #expect(try decoder.header(of: write(EncodingOptions())).profile == .unspecified)
        }

        @Test func aProfileIsWrittenInAsManyPartsAsItTakes() throws {
            var options = EncodingOptions()
            for padding in [0, 65_000, 300_000] {
                let profile = ICCProfile(bytes: TestProfile.displayP3.bytes + Array(repeating: 7, count: padding))
                options.profile = .icc(profile)
                #expect(try decoder.header(of: write(options)).profile == .icc(profile))
            }
        }

        @Test func coloursThatNoProfileSaysBecomeSRGB() throws {
            var options = EncodingOptions(quality: 1)
            let picture = try makePicture(40, 30)
            for profile in [
                ColorProfile.cicp(CodingPoints(primaries: 12, transfer: 13)),
                .icc(TestProfile.gray(curve: TestProfile.gamma(1))),
            ] {
                options.profile = profile
                let image = try decoder.decode(write(options, picture))
                #expect(image.header.profile == .unspecified)
                let expected = try ColorConversion.toSRGB(picture, from: profile)
                #expect(try image.bitmap.meanDifference(to: expected) < 1.5)
            }
        }

        @Test func optionsMakeItProgressiveAndChooseTheColour() throws {
            var options = EncodingOptions(quality: 0.8)
            #expect(try !decoder.header(of: write(options)).isProgressive)
            options.isProgressive = true
            #expect(try decoder.header(of: write(options)).isProgressive)
            options.isProgressive = false
            let half = try write(options).count
            options.keepsFullChroma = true
            let full = try write(options).count
            #expect(full > half)
            options.keepsFullChroma = nil
            options.quality = 0.96
            let automatic = try write(options).count
            options.keepsFullChroma = false
            #expect(try write(options).count < automatic)
        }

        @Test func aCancelledTaskStopsWriting() async throws {
            let picture = try makePicture(40, 30)
            let error = await Task { () -> EncodingError? in
                withUnsafeCurrentTask { $0?.cancel() }
                do throws(EncodingError) {
                    _ = try JPEGEncoder().encode(picture, EncodingOptions())
                    return nil
                } catch {
                    return error
                }
            }.value
            #expect(error == .cancelled)
        }
    }
#endif
