import BowerbirdCore
import BowerbirdTestSupport
import Testing

@Suite
struct `Pixels` {
    @Test func areTheSameMemoryBeforeAndAfterFreezing() throws {
        var buffer = try PixelBuffer.make(3, 2)
        buffer.withRow(1) { $0.storeBytes(of: 7, toByteOffset: 4, as: UInt8.self) }
        let bitmap = buffer.freeze()
        #expect(bitmap.byteCount == 24)
        #expect(bitmap.withRow(1) { $0.byte(at: 4) } == 7)
        #expect(bitmap.withBytes { $0.byte(at: 16) } == 7)
        #expect(bitmap.isIdentical(to: bitmap))
    }

    @Test func ofASnapshotDoNotChangeWithTheBuffer() throws {
        var buffer = try PixelBuffer.make(1, 1)
        let copy = buffer.snapshot(isOpaque: false)
        let snapshot = try #require(copy)
        buffer.withRow(0) { $0.storeBytes(of: 9, toByteOffset: 0, as: UInt8.self) }
        #expect(snapshot.withRow(0) { $0.byte(at: 0) } == 0)
        let bitmap = buffer.freeze()
        #expect(!snapshot.isIdentical(to: bitmap))
    }

    @Test(arguments: [
        PixelSize(width: 0, height: 5), PixelSize(width: 5, height: -1), PixelSize(width: .max, height: 2),
    ])
    func cannotBeHadForASizeThatMakesNoSense(size: PixelSize) {
        if PixelBuffer(size: size) != nil { Issue.record("there are pixels for \(size)") }
    }

    @Test func takeEightBytesInTheDeepFormat() throws {
        let buffer = try PixelBuffer.make(2, 1, format: .rgba16Straight)
        #expect(buffer.bytesPerRow == 16)
    }
}

@Suite
struct `A cache key` {
    @Test func isItsText() {
        #expect(CacheKey("a") == CacheKey("a"))
        #expect(CacheKey("a") != CacheKey("b"))
        #expect(CacheKey("") != CacheKey("\0"))
    }

    @Test func hasADigestThatHardlyEverCollides() {
        let keys = (0..<20_000).map { CacheKey("http://host/picture-\($0).jpg") }
        #expect(Set(keys.map(\.hashValue)).count > 19_990)
        #expect(Set(keys).count == 20_000)
    }
}

/// Reads the formats it is told to, and says who it is in its error.
private struct NamedDecoder: ImageDecoder {
    let name: String
    let formats: [ImageFormat]

    func header(of bytes: RawSpan) throws(DecodingError) -> ImageHeader { throw .corrupt(name) }
    func decode(_ bytes: RawSpan, _ options: DecodingOptions) throws(DecodingError) -> DecodedImage {
        throw .corrupt(name)
    }
}

@Suite
struct `A set of codecs` {
    @Test func asksTheOneAddedLastFirst() {
        var codecs = CodecSet()
        codecs.add(NamedDecoder(name: "first", formats: [.jpeg, .png]))
        codecs.add(NamedDecoder(name: "second", formats: [.jpeg]))
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]
        #expect(throws: DecodingError.corrupt("second")) { try codecs.decode(jpeg.span.bytes) }
        #expect(codecs.decodableFormats == [.jpeg, .jpeg, .png])
    }

    @Test func saysWhatItCannotRead() {
        let gif = Array("GIF89a and more".utf8)
        #expect(throws: DecodingError.unsupportedFormat(.gif, beginning: "GIF89a and more")) {
            try CodecSet().decode(gif.span.bytes)
        }
        let none: [UInt8] = []
        #expect(throws: DecodingError.empty) { try CodecSet().decode(none.span.bytes) }
    }
}
