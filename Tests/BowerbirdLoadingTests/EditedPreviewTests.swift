#if JPEG
    import Bowerbird
    import BowerbirdTestSupport
    import Testing

    @Suite(.timeLimit(.minutes(5)))
    struct `A progressive photograph on a slow connection` {
        static let size = PixelSize(width: 320, height: 240)

        @Test func hasTransparentCornersAndTheTintInEveryPreview() async throws {
            let file = try Self.progressiveFile()
            let gates = (0..<24).map { _ in Gate() }
            let loader = ScriptedLoader([PipelineFixture.address: Self.slowly(file, gates)])
            var configuration = ImagePipeline.Configuration(loader: loader, codecs: .builtIn, imageCache: MemoryCache())
            configuration.previewDelay = .zero
            let pipeline = ImagePipeline(configuration)
            let edits: [any ImageProcessor] = [Tint(Color(red: 0, green: 0, blue: 255)), RoundCorners(radius: 40)]
            let task = pipeline.task(for: ImageRequest(try ImageSource(PipelineFixture.address), processors: edits))

            var previewCount = 0
            var opened = 0
            for await event in task.events {
                switch event {
                case .progress, .cached:
                    if opened < gates.count { gates[opened].open() }
                    opened += 1
                case .preview(let preview):
                    previewCount += 1
                    #expect(preview.isPreview)
                    Self.expectEdited(preview)
                case .finished(let outcome):
                    Self.expectEdited(try outcome.get().image)
                }
            }
            #expect(previewCount >= 2)
        }

        static func expectEdited(_ image: DecodedImage) {
            #expect(image.size == size)
            for (x, y) in [(0, 0), (319, 0), (0, 239), (319, 239)] {
                let alpha = image.bitmap.withRow(y) { $0.byte(at: x * 4 + 3) }
                #expect(alpha == 0)
            }
            let middle = image.bitmap.withRow(120) { row in (row.byte(at: 640), row.byte(at: 641), row.byte(at: 642)) }
            #expect(middle == (255, 0, 0), "blue, green, red")
        }

        /// The file in as many pieces as there are gates and one more, each behind a gate.
        static func slowly(_ file: [UInt8], _ gates: [Gate]) -> [ScriptedLoader.Step] {
            let length = file.count / (gates.count + 1) + 1
            let pieces = stride(from: 0, to: file.count, by: length).map { start in
                ScriptedLoader.Step.chunk(Array(file[start..<min(file.count, start + length)]))
            }
            return pieces.enumerated().flatMap { index, piece in
                index == 0 ? [piece] : [.gate(gates[index - 1]), piece]
            }
        }

        /// Enough detail that each scan has something to add.
        static func progressiveFile() throws -> [UInt8] {
            var pixels = try PixelBuffer.make(size.width, size.height, isOpaque: true)
            for y in 0..<size.height {
                pixels.withRow(y) { row in
                    for x in 0..<size.width {
                        let value = UInt32((x * y * 7 + x * 13) & 255) | UInt32(y & 255) << 8 | UInt32(x & 255) << 16
                        row.storeBytes(of: value | 0xFF00_0000, toByteOffset: x * 4, as: UInt32.self)
                    }
                }
            }
            let bitmap = pixels.freeze()
            let file = try JPEGEncoder(isProgressive: true).encode(bitmap, EncodingOptions())
            return file.withBytes { bytes in
                var copy: [UInt8] = []
                for offset in 0..<bytes.byteCount { copy.append(bytes.byte(at: offset) ?? 0) }
                return copy
            }
        }
    }
#endif
