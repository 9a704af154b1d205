#if AVIF
    import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdRaster
    import Testing

    @Suite("Decoding AVIF")
    struct AVIFDecodingTests {
        private let decoder = AVIFDecoder()

        @Test(arguments: [true, false])
        func aLosslessFileComesBackAsItWas(isOpaque: Bool) throws {
            let picture = try makePicture(67, 43, format: .rgba8Straight, isOpaque: isOpaque)
            let file = try losslessAVIF(picture)
            let image = try decoder.decode(file, DecodingOptions(pixels: .exact))
            #expect(image.bitmap.bytes == picture.bytes && image.bitmap.isOpaque == isOpaque)
            #expect(image.warnings.isEmpty && image.header.hasAlpha == !isOpaque)
        }

        @Test(arguments: [true, false])
        func premultipliedPixelsComeBackAsTheyWere(isOpaque: Bool) throws {
            let picture = try makePicture(67, 43, isOpaque: isOpaque)
            let bitmap = try decoder.decode(losslessAVIF(picture)).bitmap
            #expect(bitmap.format == .bgra8Premultiplied && bitmap.isOpaque == isOpaque)
            #expect(bitmap.bytes == picture.bytes)
        }

        @Test func transparentPixelsArePremultipliedByTheNearest() throws {
            let straight = try makePicture(40, 40, format: .rgba8Straight, isOpaque: false)
            let bitmap = try decoder.decode(losslessAVIF(straight)).bitmap
            for x in 0..<40 {
                let (pixel, source) = (bitmap.pixel(x, 7), straight.pixel(x, 7))
                let expected = [source[2], source[1], source[0]].map { UInt8((Int($0) * Int(source[3]) + 127) / 255) }
                #expect(pixel == expected + [source[3]])
            }
        }

        @Test(arguments: Orientation.allCases)
        func theOrientationIsAppliedExactlyOnce(orientation: Orientation) throws {
            let picture = try makePicture(60, 40)
            let file = try losslessAVIF(picture) { $0.orientation = orientation }
            let image = try decoder.decode(file)
            #expect(image.header.orientation == orientation)
            #expect(image.header.storedSize == PixelSize(width: 60, height: 40))
            #expect(try image.bitmap.bytes == picture.oriented(orientation).bytes)
            #expect(try decoder.header(of: file) == image.header)
        }

        @Test func anOrientationInEXIFDataCountsForNothing() throws {
            var metadata = ImageMetadata()
            metadata.exif = exif(orientation: 1, isBigEndian: true)
            let file = try avif(makePicture(24, 16)) { $0.metadata = metadata }.withExifOrientation(6)
            #expect(try decoder.metadata(of: file).exif == exif(orientation: 6, isBigEndian: true))
            #expect(try decoder.decode(file).size == PixelSize(width: 24, height: 16))
            #expect(try decoder.header(of: file).orientation == .topLeft)
        }

        @Test(arguments: [false, true])
        func deepFilesKeepTheirDepth(isLossless: Bool) throws {
            let picture = try makePicture(64, 48, format: .rgba16Straight, isOpaque: false)
            let file = try avif(picture) { options in
                options.isLossless = isLossless
                options.quality = 1
            }
            let image = try decoder.decode(file, DecodingOptions(pixels: .exact))
            #expect(image.header.bitsPerComponent == (isLossless ? 12 : 10))
            #expect(image.bitmap.format == .rgba16Straight)
            let (left, right) = (image.bitmap.components16, picture.components16)
            let worst = zip(left, right).map { abs(Int($0) - Int($1)) }.max()
            #expect(try #require(worst) <= (isLossless ? 8 : 400))
        }

        @Test func deepFilesAreRoundedForDisplay() throws {
            let deep = try avif(makePicture(64, 48, format: .rgba16Straight)) { $0.isLossless = true }
            let flat = try losslessAVIF(makePicture(64, 48, format: .rgba8Straight))
            let difference = try decoder.decode(deep).bitmap.meanDifference(to: decoder.decode(flat).bitmap)
            #expect(difference < 0.5)
        }

        @Test(arguments: [DecodingOptions.Scaling.quality, .fast])
        func everyTargetIsMetExactly(scaling: DecodingOptions.Scaling) throws {
            let file = try avif(makePicture(203, 101, isOpaque: false))
            for side in [1, 2, 50, 101, 203, 5000] {
                let options = DecodingOptions.fitting(side, side, scaling)
                let size = options.outputSize(of: PixelSize(width: 203, height: 101))
                #expect(try decoder.decode(file, options).size == size)
            }
        }

        @Test func fastScalingLooksLikeTheOther() throws {
            let file = try avif(makePicture(200, 100)) { $0.keepsFullChroma = false }
            let fast = try decoder.decode(file, .fitting(100, 50, .fast)).bitmap
            let other = try decoder.decode(file, .fitting(100, 50)).bitmap
            #expect(fast.bytes != other.bytes)
            #expect(try fast.meanDifference(to: other) < 2)
        }

        @Test func theProfileIsTheOneThatTheFileHas() throws {
            let picture = try makePicture(16, 16)
            func profile(_ profile: ColorProfile) throws -> ColorProfile {
                try decoder.header(of: avif(picture) { $0.profile = profile }).profile
            }
            let displayP3 = ColorProfile.cicp(CodingPoints(primaries: 12, transfer: 13))
            let icc = ColorProfile.icc(ICCProfile(bytes: (0..<200).map { UInt8($0) }))
            #expect(try profile(displayP3) == displayP3)
            #expect(try profile(icc) == icc)
            #expect(try profile(.unspecified) == .unspecified)
            #expect(try profile(.sRGB) == .cicp(CodingPoints(primaries: 1, transfer: 13)))
            let file = try avif(picture) { $0.profile = displayP3 }
            #expect(try decoder.decode(file, DecodingOptions(color: .asStored)).profile == displayP3)
            #expect(try decoder.decode(file).profile == .sRGB)
        }

        @Test func metadataComeBackAsTheyWere() throws {
            let metadata = ImageMetadata(exif: exif(orientation: 1, isBigEndian: false), xmp: Array("<x/>".utf8))
            let file = try avif(makePicture(16, 16)) { $0.metadata = metadata }
            let read = try decoder.metadata(of: file)
            #expect(read.exif == metadata.exif && read.xmp == metadata.xmp)
            #expect(try decoder.metadata(of: avif(makePicture(16, 16))).isEmpty)
            let small = DecodingLimits(maximumMetadataByteCount: 10)
            #expect(try decoder.metadata(of: file, small) == ImageMetadata(xmp: metadata.xmp))
        }

        @Test func aPictureIsCutAsTheFileWants() throws {
            let picture = try makePicture(60, 40)
            let file = try losslessAVIF(picture) { $0.orientation = .bottomRight }
            let image = try decoder.decode(cut(file, to: (20, 10), offset: (-5, 3)))
            let whole = try decoder.decode(file)
            #expect(image.header.storedSize == PixelSize(width: 20, height: 10) && image.size == image.header.size)
            // Cut at 15, 18 of the stored picture, which is then turned by 180°.
            #expect(image.bitmap.pixel(0, 0) == whole.bitmap.pixel(60 - 15 - 20, 40 - 18 - 10))
            #expect(image.bitmap.pixel(19, 9) == whole.bitmap.pixel(60 - 15 - 1, 40 - 18 - 1))
        }

        @Test func aCutThatMakesNoSenseIsNone() throws {
            let file = try losslessAVIF(makePicture(60, 40)) { $0.orientation = .bottomRight }
            #expect(
                try decoder.decode(cut(file, to: (61, 10), offset: (0, 0))).size == PixelSize(width: 60, height: 40))
        }

        /// The file with a `clap` box.
        private func cut(_ file: [UInt8], to size: (Int, Int), offset: (Int, Int)) throws -> [UInt8] {
            let fractions = [size.0, 1, size.1, 1, offset.0, 1, offset.1, 1]
            let box =
                bigEndian(40) + Array("clap".utf8) + fractions.flatMap { bigEndian(UInt32(truncatingIfNeeded: $0)) }
            return try addingProperty(box, to: file)
        }
    }

    extension Bitmap {
        fileprivate var components16: [UInt16] {
            withUnsafeBytes { Array($0.assumingMemoryBound(to: UInt16.self)) }
        }
    }
#endif
