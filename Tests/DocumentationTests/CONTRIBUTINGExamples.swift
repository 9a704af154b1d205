// The Swift of CONTRIBUTING.md, line for line, so that it compiles. `DocumentationTests` compares the two.

public import BowerbirdCore
import BowerbirdLoading
import BowerbirdTestSupport
import Testing

@testable import BowerbirdEditing

/// Takes the colour away and keeps the light.
public struct Grayscale: ImageProcessor, Hashable {
    /// It has no parameters.
    public init() {}

    public var cacheKey: String { "grayscale" }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        try image.edited { pixels in
            for row in 0..<pixels.size.height { pixels.withRow(row) { bytes in removeColor(from: &bytes) } }
        }
    }

    /// Premultiplied blue, green, red and alpha; the weights of ITU-R BT.601 in 256ths.
    private func removeColor(from bytes: inout MutableRawSpan) {
        for pixel in stride(from: 0, to: bytes.byteCount, by: 4) {
            let (blue, green, red) = (bytes[byte: pixel], bytes[byte: pixel + 1], bytes[byte: pixel + 2])
            let light = (29 * Int(blue) + 150 * Int(green) + 77 * Int(red)) / 256
            for component in 0..<3 { bytes[byte: pixel + component] = UInt8(light) }
        }
    }
}

@Suite struct `The processor of CONTRIBUTING` {
    @Test func turnsBlueIntoADarkGrey() throws {
        let blue = try #require(EncodedImage(SolidImage.file(Color(red: 0, green: 0, blue: 255))))
        let image = try blue.withBytes { bytes in try SolidDecoder().decode(bytes, DecodingOptions()) }
        let grey = try Grayscale().process(image)
        let pixel = grey.bitmap.withRow(0) { bytes in (0..<4).map { bytes.byte(at: $0) } }
        #expect(pixel == [28, 28, 28, 255])
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `The test of CONTRIBUTING` {
    @Test func leavingStopsTheTransfer() async throws {
        let gate = Gate()
        let loader = ScriptedLoader(["http://host.test/photo": [.gate(gate), .chunk(SolidImage.file())]])
        let pipeline = ImagePipeline(.init(loader: loader, codecs: CodecSet()))
        let task = pipeline.task(for: ImageRequest(try ImageSource("http://host.test/photo")))
        await gate.waitForArrivals()

        task.cancel()

        await pipeline.waitUntilIdle()
        #expect(loader.cancelledCount == 1)
    }
}
