import BowerbirdCodecs
import BowerbirdCore
import BowerbirdTestSupport
import Testing

@Suite("Damaged GIF files")
struct GIFDamageTests {
    private let decoder = GIFDecoder()
    private let small = DecodingOptions(limits: DecodingLimits(maximumPixelCount: 1 << 12))

    @Test func noBytesAreEmpty() throws {
        #expect(throws: DecodingError.empty) { try decoder.decode([]) }
        #expect(throws: DecodingError.empty) { try decoder.header(of: []) }
        #expect(throws: DecodingError.empty) { try decoder.frames([]) }
        #expect(throws: DecodingError.empty) { try decoder.metadata([]) }
    }

    @Test func otherFilesAreNotRecognized() {
        let error = DecodingError.unsupportedFormat(nil, beginning: "GIF88a, not one of ours")
        #expect(throws: error) { try decoder.decode(Array("GIF88a, not one of ours".utf8)) }
        #expect(throws: error) { try decoder.header(of: Array("GIF88a, not one of ours".utf8)) }
    }

    /// A prefix is a truncated file, from nothing but the signature to all but the end.
    @Test func everyPrefixShowsWhatItHas() throws {
        let file = GIFFixture.rich().bytes
        let whole = try decoder.decode(file).bitmap
        let frames = try #require(try decoder.frames(file))
        var counts: Set<Int> = []
        for count in 1..<file.count {
            let part = Array(file[..<count])
            do throws(DecodingError) {
                let image = try decoder.decode(part)
                #expect(image.warnings == [.truncated(atByte: count)])
                #expect(image.bitmap.pixel(0, 0) == whole.pixel(0, 0))
                counts.insert(image.header.frameCount ?? 0)
            } catch {
                #expect(error == .truncated(atByte: count))
            }
            guard let some = try? decoder.frames(part) else { continue }
            for index in 0..<some.frameCount {
                #expect(try some.frame(at: index).bytes == frames.frame(at: index).bytes)
            }
        }
        #expect(counts == [1, 2, 3, 4])
    }

    @Test func aTruncatedPictureShowsItsRows() throws {
        let file = try encode(makePicture(40, 30), with: GIFEncoder())
        let whole = try decoder.decode(file).bitmap
        for quarter in 1...3 {
            let part = Array(file[..<(800 + (file.count - 800) * quarter / 4)])
            let image = try decoder.decode(part)
            #expect(image.warnings == [.truncated(atByte: part.count)] && !image.bitmap.isOpaque)
            #expect(image.bitmap.pixel(9, 2) == whole.pixel(9, 2))
            #expect(image.bitmap.pixel(39, 29) == [0, 0, 0, 0])
        }
    }

    @Test func aTruncatedInterlacedPictureIsShownInBlocks() throws {
        var options = EncodingOptions()
        options.isProgressive = true
        let encoded = try GIFEncoder().encode(makePicture(40, 30), options)
        let file = encoded.withUnsafeBytes { Array($0) }
        let whole = try decoder.decode(file).bitmap
        let image = try decoder.decode(Array(file[..<(800 + (file.count - 800) / 3)]))
        #expect(image.bitmap.pixel(39, 24) == whole.pixel(39, 24))
        #expect(image.bitmap.pixel(39, 27) == whole.pixel(39, 24))
        #expect(image.bitmap.pixel(39, 29)[3] == 255)
    }

    @Test func sizesOverTheLimitAreRefusedBeforeAnythingIsAllocated() throws {
        var file = GIFFixture(65535, 65535)
        file.addFrame(1, 1, 1)
        let claimed = PixelSize(width: 65535, height: 65535)
        #expect(throws: DecodingError.tooLarge(claimed, maximumPixelCount: 1 << 28)) { try decoder.decode(file.bytes) }
        #expect(try decoder.header(of: file.bytes).size == claimed)
        file.addFrame(1, 1, 1)
        #expect(throws: DecodingError.tooLarge(claimed, maximumPixelCount: 1 << 28)) { try decoder.frames(file.bytes) }

        var hidden = GIFFixture(1, 1)
        hidden.addFrame([1], 65535, 65535)
        #expect(throws: DecodingError.tooLarge(claimed, maximumPixelCount: 1 << 28)) {
            try decoder.decode(hidden.bytes)
        }
        var later = GIFFixture(1, 1)
        later.addFrame([1], 1, 1)
        later.addFrame([1], 65535, 65535)
        let frames = try #require(try decoder.frames(later.bytes))
        #expect(throws: DecodingError.tooLarge(claimed, maximumPixelCount: 1 << 28)) { try frames.frame(at: 1) }
    }

    @Test func framesOverTheLimitAreRefused() throws {
        var file = GIFFixture(1, 1)
        for _ in 0..<5 { file.addFrame(1, 1, 1) }
        let options = DecodingOptions(limits: DecodingLimits(maximumFrameCount: 4))
        #expect(throws: DecodingError.tooManyFrames(maximum: 4)) { try decoder.frames(file.bytes, options) }
        #expect(throws: DecodingError.tooManyFrames(maximum: 4)) { try decoder.decode(file.bytes, options) }
        #expect(try decoder.header(of: file.bytes).frameCount == 5)
    }

    @Test func textsOverTheLimitAreLeftOut() throws {
        var file = GIFFixture(1, 1)
        for _ in 0..<3 { file.addExtension(0xFE, [Array(repeating: 0x41, count: 200)]) }
        file.addFrame(1, 1, 1)
        let limits = DecodingLimits(maximumMetadataByteCount: 500)
        // Each text takes some memory beside its bytes.
        let twice = DecodingLimits(maximumMetadataByteCount: 2 * (200 + 64))
        #expect(try decoder.metadata(file.bytes, twice).texts.count == 2)
        #expect(try decoder.metadata(file.bytes, limits).texts.count == 1)
        var long = GIFFixture(1, 1)
        long.addExtension(0xFE, Array(repeating: Array(repeating: 0x41, count: 200), count: 3))
        long.addExtension(0xFE, [[0x42]])
        long.addFrame(1, 1, 1)
        let text = ImageMetadata.Text(keyword: "Comment", text: "B")
        #expect(try decoder.metadata(long.bytes, limits) == ImageMetadata(texts: [text]))
        // Who wants pixels only does not keep texts, but needs the profile.
        #expect(try decoder.decode(file.bytes, DecodingOptions(limits: limits)).warnings.isEmpty)
        file.blocks.removeAll()
        let profile: [[UInt8]] = Array(repeating: Array(repeating: 1, count: 255), count: 2)
        file.addExtension(0xFF, [Array("ICCRGBG1012".utf8)] + profile)
        #expect(throws: DecodingError.tooMuchMetadata(maximumByteCount: 500)) {
            try decoder.decode(file.bytes, DecodingOptions(limits: limits))
        }
    }

    @Test(arguments: [0, 9, 12, 255] as [UInt8])
    func codeSizesThatThereAreNotAreCorrupt(codeSize: UInt8) throws {
        var file = GIFFixture(2, 2)
        file.addFrame([0, 1, 2, 3], 2, 2)
        let sound = file
        file.blocks[0][10] = codeSize
        let error = DecodingError.corrupt("its codes begin with \(codeSize) bits")
        #expect(throws: error) { try decoder.decode(file.bytes) }
        var animation = sound
        animation.blocks += file.blocks
        let frames = try #require(try decoder.frames(animation.bytes))
        #expect(try frames.frame(at: 0).isOpaque)
        #expect(throws: error) { try frames.frame(at: 1) }
    }

    @Test func aCodeThatMeansNothingEndsThePicture() throws {
        var file = GIFFixture(4, 4)
        file.addFrame(Array(repeating: 1, count: 6), 4, 4)
        // The size of codes, a block, and in it: clear, six colours with a clear between them, the end.
        let data = GIFFixture.packed([1, 1, 1, 1, 1, 1], codeSize: 2)
        file.blocks = [Array(file.blocks[0].dropLast(data.count)) + [2, 2, 0b00_001_100, 0b111_111_11, 0]]
        let image = try decoder.decode(file.bytes)
        #expect(image.warnings == [.corrupt("row 0 makes no sense")])
        #expect(image.bitmap.pixel(0, 0) == [0, 0, 255, 255] && image.bitmap.pixel(3, 3) == [0, 0, 0, 0])
    }

    @Test func dataThatEndTooEarlyShowWhatTheyHave() throws {
        var file = GIFFixture(4, 4)
        file.addFrame(Array(repeating: 1, count: 9), 4, 4)
        let image = try decoder.decode(file.bytes)
        #expect(image.warnings == [.corrupt("rows are missing")] && !image.bitmap.isOpaque)
        #expect(image.bitmap.pixel(0, 2) == [0, 0, 255, 255] && image.bitmap.pixel(1, 2) == [0, 0, 0, 0])
        file.blocks = []
        file.addFrame([], 4, 4)
        #expect(throws: DecodingError.corrupt("rows are missing")) { try decoder.decode(file.bytes) }
    }

    @Test func aFrameOfAnAnimationWithoutDataShowsWhatWasThere() throws {
        var file = GIFFixture(2, 1)
        file.addFrame([1, 2], 2, 1)
        file.addFrame([], 2, 1)
        file.blocks[1] = Array(file.blocks[1].prefix(11)) + [0]
        let frames = try #require(try decoder.frames(file.bytes))
        #expect(try frames.frame(at: 1).bytes == frames.frame(at: 0).bytes)
    }

    @Test func morePixelsThanThePictureHasAreIgnored() throws {
        var file = GIFFixture(2, 2)
        file.addFrame(Array(repeating: 1, count: 2000), 2, 2)
        file.addFrame(2, 2, 2)
        let image = try decoder.decode(file.bytes)
        #expect(image.warnings.isEmpty && image.bitmap.isOpaque && image.header.frameCount == 2)
    }

    @Test func theTrailerMayBeMissingAndAnythingMayFollowIt() throws {
        var file = GIFFixture(2, 2)
        file.addFrame(1, 2, 2)
        let whole = try decoder.decode(file.bytes).bitmap
        file.end = [0x3B, 0x2C, 1, 2, 3]
        #expect(try decoder.decode(file.bytes).warnings.isEmpty)
        file.end = []
        let image = try decoder.decode(file.bytes)
        #expect(image.warnings == [.truncated(atByte: file.bytes.count)])
        #expect(image.bitmap.bytes == whole.bytes && image.bitmap.isOpaque && image.header.frameCount == 1)
    }

    @Test func garbageBetweenBlocksEndsTheFile() throws {
        var file = GIFFixture(1, 1)
        file.addFrame(1, 1, 1)
        file.blocks.append([0x77])
        file.addFrame(2, 1, 1)
        let image = try decoder.decode(file.bytes)
        #expect(image.warnings == [.corrupt("0x77 begins no block")] && image.header.frameCount == 1)
        file.blocks[1] = [0, 0]
        #expect(try decoder.decode(file.bytes).warnings.isEmpty)
        #expect(try decoder.frames(file.bytes)?.frameCount == 2)
        file.blocks = []
        #expect(throws: DecodingError.corrupt("it has no picture")) { try decoder.decode(file.bytes) }
        #expect(throws: DecodingError.corrupt("it has no picture")) { try decoder.header(of: file.bytes) }
    }

    @Test func aCanvasAndAFrameWithoutASizeAreCorrupt() throws {
        var file = GIFFixture(0, 0)
        file.addFrame([1], 0, 0)
        #expect(throws: DecodingError.corrupt("its size is 0 × 0")) { try decoder.decode(file.bytes) }
    }

    @Test func shortControlsAndLoopsAreIgnored() throws {
        var file = GIFFixture(1, 1)
        file.addExtension(0xF9, [[1, 0]])
        file.addExtension(0xFF, [Array("NETSCAPE2.0".utf8), [1]])
        file.addExtension(0xFF, [[1]])
        file.addExtension(0x01, [Array(repeating: 0, count: 12), Array("plain text".utf8)])
        file.addFrame(1, 1, 1)
        #expect(try decoder.decode(file.bytes).warnings.isEmpty)
        #expect(try !decoder.header(of: file.bytes).hasAlpha)
    }

    @Test func noFlippedByteTraps() throws {
        let file = GIFFixture.rich().bytes
        for index in file.indices {
            for change in [0x01, 0x10, 0x80, 0xFF] as [UInt8] {
                var damaged = file
                damaged[index] ^= change
                readAll(damaged)
            }
        }
    }

    @Test func noSeriesOfFlippedBitsTraps() throws {
        let file = try encode(makePicture(24, 18, isOpaque: false), with: GIFEncoder())
        var random = SeededRandom(seed: 5)
        for _ in 0..<150 {
            var damaged = file
            for _ in 0..<4 {
                damaged[Int.random(in: 6..<file.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            readAll(damaged)
        }
    }

    @Test func noRandomBytesTrap() {
        var random = SeededRandom(seed: 6)
        for count in [1, 2, 10, 30, 300, 1000] {
            for _ in 0..<20 {
                let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                #expect(throws: DecodingError.self) { try decoder.decode(noise) }
                readAll(Array("GIF89a".utf8) + noise)
                var file = GIFFixture(20, 20)
                file.addFrame([], 20, 20)
                file.blocks[0] = Array(file.blocks[0].prefix(10)) + [UInt8.random(in: 1...8, using: &random)]
                file.end = GIFFixture.blocks(of: noise)
                readAll(file.bytes)
            }
        }
    }

    private func readAll(_ bytes: [UInt8]) {
        _ = try? decoder.header(of: bytes)
        _ = try? decoder.decode(bytes, small)
        _ = try? decoder.metadata(bytes)
        guard let frames = try? decoder.frames(bytes, small) else { return }
        for index in 0..<min(5, frames.frameCount) { _ = try? frames.frame(at: index) }
    }

    @Test func aCancelledTaskStopsDecoding() async throws {
        let file = GIFFixture.rich().bytes
        let error = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return GIFDecoder().failure(of: file)
        }.value
        #expect(error == .cancelled)
    }
}
