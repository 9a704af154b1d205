#if JPEG && PNG
    import Bowerbird
    import BowerbirdTestSupport
    import Testing

    @testable import BowerbirdLoading

    /// With real codecs: what is stored comes back as it was.
    @Suite(.timeLimit(.minutes(5)))
    struct `A picture that is stored directly` {
        private let fixture = PipelineFixture { $0.codecs = .builtIn }
        private var pipeline: ImagePipeline { fixture.pipeline }

        /// Soft slopes and, where it is transparent, every alpha.
        static func bitmap(
            _ format: PixelFormat = .bgra8Premultiplied, isOpaque: Bool = true, shift: Int = 0
        ) throws -> Bitmap {
            var pixels = try PixelBuffer.make(64, 32, format: format, isOpaque: isOpaque)
            for y in 0..<32 {
                pixels.withRow(y) { row in
                    for x in 0..<64 {
                        let alpha = isOpaque ? 255 : (x * 4 + y) % 256
                        let color = [(x * 3 + shift) % 256, y * 5, 128].map { value in
                            format == .bgra8Premultiplied ? (value * alpha + 127) / 255 : value
                        }
                        for (index, value) in (color + [alpha]).enumerated() {
                            if format == .rgba16Straight {
                                let deep = UInt16(clamping: value * 257 - (value > 0 && value < 255 ? x % 7 : 0))
                                row.storeBytes(of: deep, toByteOffset: 8 * x + 2 * index, as: UInt16.self)
                            } else {
                                row.storeBytes(of: UInt8(value), toByteOffset: 4 * x + index, as: UInt8.self)
                            }
                        }
                    }
                }
            }
            return pixels.freeze()
        }

        private func picture(
            _ bitmap: Bitmap, of format: ImageFormat, orientation: Orientation = .topLeft,
            profile: ColorProfile = .sRGB, frames: (any FrameSource)? = nil
        ) -> DecodedImage {
            let stored = orientation.displayedSize(of: bitmap.size)
            let header = ImageHeader(
                format: format, storedSize: stored, orientation: orientation, hasAlpha: !bitmap.isOpaque,
                profile: profile, isAnimated: frames != nil)
            return DecodedImage(bitmap: bitmap, header: header, profile: profile, frames: frames)
        }

        /// The file that is kept.
        private func stored(_ picture: DecodedImage, as format: ImageFormat? = .automatic) async throws -> EncodedImage
        {
            try await pipeline.store(picture, for: try fixture.request(), as: format)
            return try #require(fixture.data.all.first).data
        }

        /// From the disk, as after a start of the program.
        private func loaded() async throws -> DecodedImage {
            fixture.images.removeAll()
            let response = try await pipeline.response(for: try fixture.request())
            #expect(response.origin == .disk)
            return response.image
        }

        private func exact(_ file: EncodedImage) throws -> DecodedImage {
            let options = DecodingOptions(pixels: .exact, color: .asStored)
            return try file.withBytes { bytes in try CodecSet.builtIn.decode(bytes, options) }
        }

        @Test(arguments: [ImageFormat.png, .gif, .jpeg, .ico, .svg])
        func withAlphaComesBackBitForBit(_ own: ImageFormat) async throws {
            let bitmap = try Self.bitmap(isOpaque: false)
            #expect(try await stored(picture(bitmap, of: own)).format == .png)
            #expect(try await loaded().bitmap.bytes == bitmap.bytes)
        }

        @Test func thatIsOpaqueIsAJPEGCloseToIt() async throws {
            let bitmap = try Self.bitmap()
            let unknown = ImageFormat(name: "Unknown", mediaType: "image/x-unknown", fileExtensions: [])
            for own in [ImageFormat.jpeg, unknown] {
                #expect(try await stored(picture(bitmap, of: own)).format == .jpeg)
                #expect(fixture.data.all.map(\.mediaType) == ["image/jpeg"])
                let differences = zip(try await loaded().bitmap.bytes, bitmap.bytes).map { abs(Int($0) - Int($1)) }
                #expect(differences.reduce(0, +) < 3 * differences.count)
                #expect(differences.max() ?? 255 < 40)
            }
        }

        @Test(arguments: [(ImageFormat.png, ImageFormat.png), (.gif, .png), (.bmp, .png), (.qoi, .qoi)])
        func keepsItsOwnFormatWhereThatKeepsIt(_ own: ImageFormat, _ expected: ImageFormat) async throws {
            let bitmap = try Self.bitmap()
            #expect(try await stored(picture(bitmap, of: own)).format == expected)
            #expect(try await loaded().bitmap.bytes == bitmap.bytes)
        }

        @Test(arguments: [(ImageFormat.jpeg, ImageFormat.png), (.png, .jpeg), (.jpeg, .bmp)])
        func isWrittenInTheFormatThatIsWanted(_ own: ImageFormat, _ wanted: ImageFormat) async throws {
            #expect(try await stored(picture(try Self.bitmap(), of: own), as: wanted).format == wanted)
        }

        @Test func isUprightWhateverItsFileWas() async throws {
            let bitmap = try Self.bitmap()
            _ = try await stored(picture(bitmap, of: .png, orientation: .rightTop))
            let image = try await loaded()
            #expect(image.header.orientation == .topLeft)
            #expect(image.size == bitmap.size)
            #expect(image.bitmap.bytes == bitmap.bytes)
        }

        @Test(arguments: [ImageFormat.png, .jpeg])
        func keepsSixteenBits(_ own: ImageFormat) async throws {
            let bitmap = try Self.bitmap(.rgba16Straight, isOpaque: false)
            let file = try await stored(picture(bitmap, of: own))
            #expect(file.format == .png)
            let kept = try exact(file).bitmap
            #expect(kept.format == .rgba16Straight)
            #expect(kept.bytes == bitmap.bytes)
        }

        @Test func keepsItsColours() async throws {
            let bitmap = try Self.bitmap(.rgba8Straight, isOpaque: false)
            let displayP3 = ColorProfile.cicp(CodingPoints(primaries: 12, transfer: 13))
            let kept = try exact(try await stored(picture(bitmap, of: .png, profile: displayP3)))
            #expect(kept.profile == displayP3)
            #expect(kept.bitmap.bytes == bitmap.bytes)
        }

        /// A few colours, so that GIF has them all.
        private func flat(_ shade: UInt8) throws -> Bitmap {
            var pixels = try PixelBuffer.make(16, 16, isOpaque: true)
            for y in 0..<16 {
                pixels.withRow(y) { row in
                    for x in 0..<16 {
                        let color: [UInt8] = [shade, UInt8(x / 4 * 60), UInt8(y / 4 * 60), 255]
                        for (index, value) in color.enumerated() {
                            row.storeBytes(of: value, toByteOffset: 4 * x + index, as: UInt8.self)
                        }
                    }
                }
            }
            return pixels.freeze()
        }

        @Test(arguments: [(ImageFormat.gif, ImageFormat.gif), (.png, .png), (.jpeg, .png)])
        func keepsItsFrames(_ own: ImageFormat, _ expected: ImageFormat) async throws {
            let bitmaps = try [10, 100, 200].map { try flat(UInt8($0)) }
            let frames = ListedFrames(bitmaps: bitmaps)
            let file = try await stored(picture(bitmaps[0], of: own, frames: frames))
            #expect(file.format == expected)
            let kept = try #require(try await loaded().frames)
            #expect(kept.delays == frames.delays)
            #expect(kept.loopCount == frames.loopCount)
            for (index, bitmap) in bitmaps.enumerated() {
                let frame = try kept.frame(at: index)
                #expect(frame.bytes == bitmap.bytes, "frame \(index)")
            }
        }

        /// Scaled frames have colours between those of the file.
        @Test func thatMovesAndIsSmallerThanItsGIFIsNoGIF() async throws {
            let bitmaps = try [10, 100].map { try flat(UInt8($0)) }
            var picture = picture(bitmaps[0], of: .gif, frames: ListedFrames(bitmaps: bitmaps))
            picture.header.storedSize = PixelSize(width: 100, height: 100)
            #expect(try await stored(picture).format == .png)
        }

        @Test func thatMovesIsNotMadeAStill() async throws {
            let bitmaps = try [10, 100].map { try flat(UInt8($0)) }
            let picture = picture(bitmaps[0], of: .gif, frames: ListedFrames(bitmaps: bitmaps))
            let request = try fixture.request()
            await #expect(throws: EncodingError.cannotAnimate(.jpeg)) {
                try await pipeline.store(picture, for: request, as: .jpeg)
            }
            #expect(fixture.data.all.isEmpty && fixture.images.all.isEmpty)
        }

        @Test func isKeptWhereItIsWanted() async throws {
            let picture = picture(try Self.bitmap(), of: .png)
            let request = try fixture.request()
            try await pipeline.store(picture, for: request, in: .memory)
            #expect(await pipeline.locations(of: request) == [.memory])
            await pipeline.remove(for: request)
            try await pipeline.store(picture, for: request, in: .disk)
            #expect(await pipeline.locations(of: request) == [.disk])
        }

        /// An edited or small picture is no file from which the others could be made.
        @Test(arguments: [DiskContent.original, .processed(.automatic), .both(.jpeg)])
        func neverStandsInForTheFile(_ content: DiskContent) async throws {
            let file = try CodecSet.builtIn.encode(try Self.bitmap(), as: .png)
            var small = try fixture.request()
            await pipeline.store(file, for: small)
            small.targetSize = PixelSize(width: 8, height: 8)
            small.options.diskContent = content
            let picture = picture(try Self.bitmap(shift: 9), of: .png)
            try await pipeline.store(picture, for: small)
            #expect(fixture.data.all.count == (content == .original ? 1 : 2))
            #expect(try await pipeline.data(for: try fixture.request()).data.hasEqualBytes(to: file))
            let formats = fixture.data.all.map(\.data.format)
            if content != .original { #expect(formats.contains(content == .both(.jpeg) ? .jpeg : .png)) }
        }

        @Test(arguments: [DiskContent.processed(.automatic), .both(.automatic)])
        func isWhatAFinishedPictureIsToo(_ content: DiskContent) async throws {
            let bitmap = try Self.bitmap(isOpaque: false)
            let file = try CodecSet.builtIn.encode(bitmap, as: .png)
            var request = try fixture.request(.chunk(file.withUnsafeBytes { Array($0) }))
            request.targetSize = PixelSize(width: 16, height: 16)
            request.options.diskContent = content
            let first = try await pipeline.image(for: request)
            await pipeline.waitForStores()
            #expect(fixture.data.all.count == (content.keepsOriginal ? 2 : 1))
            fixture.images.removeAll()
            let second = try await pipeline.response(for: request)
            #expect(second.origin == .disk)
            #expect(second.image.size == PixelSize(width: 16, height: 8))
            #expect(second.image.bitmap.bytes == first.bitmap.bytes)
        }
    }

    private struct ListedFrames: FrameSource {
        let bitmaps: [Bitmap]

        var size: PixelSize { bitmaps[0].size }
        var delays: [Duration] { bitmaps.indices.map { .milliseconds(50 + 20 * $0) } }
        var loopCount: LoopCount { .times(3) }
        func frame(at index: Int) throws(DecodingError) -> Bitmap { bitmaps[index] }
    }

    extension Bitmap {
        fileprivate var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
    }
#endif
