#if PNG
    @testable import BowerbirdCodecs
    import BowerbirdCore
    import BowerbirdTestSupport
    import Testing

    private func options(_ effort: Double, _ change: (inout EncodingOptions) -> Void = { _ in }) -> EncodingOptions {
        var options = EncodingOptions()
        options.effort = effort
        change(&options)
        return options
    }

    private func bytes(_ bitmap: Bitmap, _ options: EncodingOptions) throws -> [UInt8] {
        try PNGEncoder().encode(bitmap, options).withUnsafeBytes { Array($0) }
    }

    /// A picture whose pixels, red first, `color` gives.
    private func picture(
        _ width: Int, _ height: Int, isOpaque: Bool = false, _ color: (Int, Int) -> [UInt8]
    ) throws -> Bitmap {
        var buffer = try makeBuffer(width, height, .rgba8Straight, isOpaque: isOpaque)
        for y in 0..<height {
            buffer.withRow(y) { row in
                for x in 0..<width {
                    for (index, value) in color(x, y).enumerated() {
                        row.storeBytes(of: value, toByteOffset: 4 * x + index, as: UInt8.self)
                    }
                }
            }
        }
        return buffer.freeze()
    }

    @Suite("Encoding PNG")
    struct PNGEncodingTests {
        private let decoder = PNGDecoder()

        private func colorType(of file: [UInt8]) throws -> (bits: UInt8, colors: UInt8) {
            let header = try #require(PNGParts(of: file).chunks.first).data
            return (header[8], header[9])
        }

        @Test(arguments: PixelFormat.allCases, [0, 0.2, 0.4, 0.5, 0.9, 1])
        func everyEffortKeepsEveryPixel(format: PixelFormat, effort: Double) throws {
            for isOpaque in [true, false] {
                let picture = try makePicture(41, 27, format: format, isOpaque: isOpaque)
                let pixels: DecodingOptions.Pixels = format == .bgra8Premultiplied ? .display : .exact
                let file = try bytes(picture, options(effort))
                let image = try decoder.decode(file, DecodingOptions(pixels: pixels))
                #expect(image.bitmap.bytes == picture.bytes && image.bitmap.format == format)
                #expect(image.warnings.isEmpty && image.bitmap.isOpaque == isOpaque)
            }
        }

        @Test func moreEffortGivesSmallerFiles() throws {
            let picture = try makePicture(300, 200)
            let counts = try [0, 0.5, 1].map { try bytes(picture, options($0)).count }
            #expect(counts[0] > counts[1] && counts[1] >= counts[2])
        }

        @Test func nonsenseForAnEffortIsBroughtToItsRange() throws {
            let picture = try makePicture(10, 10)
            #expect(try bytes(picture, options(-7)) == bytes(picture, options(0)))
            #expect(try bytes(picture, options(7)) == bytes(picture, options(1)))
            #expect(try bytes(picture, options(.nan)) == bytes(picture, options(0)))
        }

        @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 255, 256])
        func fewColoursBecomeAPalette(count: Int) throws {
            let picture = try picture(37, 29) { x, y in
                let index = (x + 37 * y) % count
                return [UInt8(index), UInt8(255 - index), 9, index % 3 == 1 ? 100 : 255]
            }
            let file = try bytes(picture, options(0.5))
            let bits: UInt8 = count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8
            #expect(try colorType(of: file) == (bits, 3))
            #expect(try decoder.decode(file, DecodingOptions(pixels: .exact)).bitmap.bytes == picture.bytes)
            #expect(try colorType(of: bytes(picture, options(0.4))) == (8, 6))
        }

        @Test func oneColourMoreIsNoPalette() throws {
            let picture = try picture(257, 1, isOpaque: true) { x, _ in [UInt8(x % 256), x == 256 ? 1 : 0, 0, 255] }
            #expect(try colorType(of: bytes(picture, options(1))) == (8, 2))
        }

        @Test(arguments: [true, false])
        func grayPicturesBecomeGray(isOpaque: Bool) throws {
            let picture = try picture(64, 64, isOpaque: isOpaque) { x, y in
                let gray = UInt8(4 * x)
                return [gray, gray, gray, isOpaque ? 255 : UInt8(4 * y)]
            }
            let file = try bytes(picture, options(0.5))
            #expect(try colorType(of: file) == (8, isOpaque ? 0 : 4))
            #expect(try decoder.decode(file, DecodingOptions(pixels: .exact)).bitmap.bytes == picture.bytes)
        }

        @Test func alphaThatShowsNothingIsLeftOut() throws {
            let picture = try picture(40, 40) { x, y in [UInt8(x), UInt8(y), UInt8(x ^ y), 255] }
            let file = try bytes(picture, options(0.5))
            #expect(try colorType(of: file) == (8, 2))
            #expect(try decoder.decode(file, DecodingOptions(pixels: .exact)).bitmap.bytes == picture.bytes)
        }

        @Test func premultipliedPalettesComeBack() throws {
            let straight = try picture(20, 20) { x, y in [UInt8(x * 12), 7, 200, UInt8((x + y) % 5 * 60)] }
            let premultiplied = try decoder.decode(bytes(straight, options(0.4))).bitmap
            let file = try bytes(premultiplied, options(0.5))
            #expect(try colorType(of: file).colors == 3)
            #expect(try decoder.decode(file).bitmap.bytes == premultiplied.bytes)
        }

        // MARK: Beside the picture

        @Test func profilesAreWrittenAndRead() throws {
            let picture = try makePicture(20, 20)
            let profile = ICCProfile(bytes: makeProfile("RGB ", count: 5000))
            let p3 = CodingPoints(primaries: 12, transfer: 13)
            for (written, expected) in [
                (ColorProfile.icc(profile), ColorProfile.icc(profile)), (.cicp(p3), .cicp(p3)), (.sRGB, .sRGB),
                (.unspecified, .unspecified),
            ] {
                let file = try bytes(picture, options(0.5) { $0.profile = written })
                #expect(try decoder.header(of: file).profile == expected)
                let image = try decoder.decode(file, DecodingOptions(color: .asStored))
                #expect(image.profile == expected && image.bitmap.bytes == picture.bytes)
            }
        }

        /// Other readers ignore a profile for colours in a grey file.
        @Test func aGrayPictureWithAColourProfileIsNoGrayFile() throws {
            let picture = try picture(64, 64, isOpaque: true) { x, y in
                Array(repeating: UInt8(2 * (x + y)), count: 3) + [255]
            }
            let profile = ICCProfile(bytes: makeProfile("RGB ", count: 300))
            let file = try bytes(picture, options(0.5) { $0.profile = .icc(profile) })
            #expect(try [2, 3].contains(colorType(of: file).colors))
        }

        @Test func metadataAreWrittenAndRead() throws {
            var metadata = ImageMetadata(
                exif: exif(orientation: 1, isBigEndian: true), xmp: Array("<x:xmpmeta/>".utf8),
                density: .init(horizontal: 300, vertical: 150))
            metadata.texts = [
                .init(keyword: "Title", text: "Kiosk, Übersee"), .init(keyword: "Comment", text: "日本"),
                .init(keyword: "", text: "no keyword"),
            ]
            let file = try bytes(makePicture(5, 5), options(0.5) { $0.metadata = metadata })
            let read = try decoder.metadata(of: file.span.bytes, DecodingLimits())
            #expect(read.exif == metadata.exif && read.xmp == metadata.xmp)
            #expect(abs((read.density?.horizontal ?? 0) - 300) < 0.02)
            #expect(abs((read.density?.vertical ?? 0) - 150) < 0.02)
            metadata.texts[2].keyword = "Comment"
            #expect(read.texts == metadata.texts)
        }

        @Test(arguments: Orientation.allCases)
        func theOrientationIsWritten(orientation: Orientation) throws {
            let picture = try makePicture(12, 7)
            for metadata in [nil, ImageMetadata(exif: exif(orientation: 3, isBigEndian: false))] {
                let file = try bytes(
                    picture,
                    options(0.5) {
                        $0.orientation = orientation
                        $0.metadata = metadata
                    })
                #expect(try decoder.header(of: file).orientation == orientation)
            }
        }

        @Test func aCancelledTaskStopsEncoding() async throws {
            let picture = try makePicture(64, 64)
            let error = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                do throws(EncodingError) {
                    _ = try PNGEncoder().encode(picture, EncodingOptions())
                    return EncodingError?.none
                } catch {
                    return error
                }
            }.value
            #expect(error == .cancelled)
        }
    }

    /// Frames that are there already.
    private struct ReadyFrames: FrameSource {
        let frames: [Bitmap]
        var delays: [Duration]
        var loopCount = LoopCount.forever
        var failing: Int?

        var size: PixelSize { frames[0].size }

        func frame(at index: Int) throws(DecodingError) -> Bitmap {
            if index == failing { throw .corrupt("as wished") }
            return frames[index]
        }
    }

    @Suite("Encoding animated PNG")
    struct APNGEncodingTests {
        private func copy(of bitmap: Bitmap) throws(DecodingError) -> PixelBuffer {
            guard let copy = PixelBuffer(copying: bitmap) else { throw .outOfMemory(bitmap.size) }
            return copy
        }

        private func frames(_ count: Int, format: PixelFormat = .bgra8Premultiplied) throws -> ReadyFrames {
            let bitmaps = try (0..<count).map { index in
                let picture = try makePicture(40, 30, format: format, isOpaque: index.isMultiple(of: 2))
                var buffer = try copy(of: picture)
                let bytesPerPixel = format.bytesPerPixel
                for row in 5..<5 + index {
                    buffer.withRow(row) { row in
                        for byte in 0..<bytesPerPixel {
                            row.storeBytes(of: 255, toByteOffset: 7 * bytesPerPixel + byte, as: UInt8.self)
                        }
                    }
                }
                return buffer.freeze()
            }
            let delays: [Duration] = [
                .milliseconds(40), .seconds(1), .seconds(2.0 / 60), .seconds(100), .milliseconds(11),
            ]
            return ReadyFrames(frames: bitmaps, delays: (0..<count).map { delays[$0 % delays.count] })
        }

        @Test(arguments: PixelFormat.allCases, [0, 0.5])
        func everyFrameComesBack(format: PixelFormat, effort: Double) throws {
            var source = try frames(7, format: format)
            source.loopCount = .times(3)
            let file = try PNGEncoder().encode(source, options(effort))
            let pixels: DecodingOptions.Pixels = format == .bgra8Premultiplied ? .display : .exact
            let decoded = try #require(try PNGDecoder().frames(in: file, DecodingOptions(pixels: pixels)))
            #expect(decoded.frameCount == 7 && decoded.loopCount == .times(3))
            for index in 0..<7 {
                #expect(try decoded.frame(at: index).bytes == source.frames[index].bytes, "frame \(index)")
                #expect(abs((decoded.delays[index] - source.delays[index]) / .nanoseconds(1)) < 1)
            }
            let header = try file.withBytes { try PNGDecoder().header(of: $0) }
            #expect(header.frameCount == 7 && header.isAnimated)
        }

        @Test func onlyWhatChangesIsWritten() throws {
            var source = try frames(1)
            let first = source.frames[0]
            var buffer = try copy(of: first)
            for row in 4...6 { buffer.withRow(row) { $0.withUnsafeMutableBytes { $0[4 * 10] ^= 1 } } }
            source = ReadyFrames(
                frames: [first, first, buffer.freeze()], delays: Array(repeating: .seconds(1), count: 3))
            let file = try PNGEncoder().encode(source, EncodingOptions()).withUnsafeBytes { Array($0) }
            let rects = PNGParts(of: file).chunks.filter { $0.type == "fcTL" }.map { Array($0.data[4..<20]) }
            let numbers = { (values: [UInt32]) in values.flatMap(bigEndian) }
            #expect(rects == [numbers([40, 30, 0, 0]), numbers([1, 1, 0, 0]), numbers([1, 3, 10, 4])])
        }

        @Test func aFrameThatCannotBeHadIsNamed() throws {
            var source = try frames(3)
            source.failing = 2
            #expect(throws: EncodingError.unreadableFrame(2, .corrupt("as wished"))) {
                try PNGEncoder().encode(source, EncodingOptions())
            }
        }
    }

    /// The first bytes of a profile for these colours; the rest is noise.
    func makeProfile(_ colorSpace: String, count: Int) -> [UInt8] {
        var random = SeededRandom(seed: 41)
        var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes.replaceSubrange(16..<20, with: Array(colorSpace.utf8))
        bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
        return bytes
    }
#endif
