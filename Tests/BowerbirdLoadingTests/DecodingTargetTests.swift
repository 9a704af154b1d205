import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `A processor that names the size it needs` {
    private let fixture = PipelineFixture()
    private let file = SolidImage.file(width: 200, height: 100)

    private func sizesSeen(_ request: ImageRequest, _ measure: Measuring) async throws -> [PixelSize] {
        _ = try await fixture.pipeline.image(for: request)
        return measure.sizes.all
    }

    @Test func meetsAPictureThatWasDecodedForIt() async throws {
        let measure = Measuring(DecodingTarget(PixelSize(width: 50, height: 50), .fill))
        let request = try fixture.request(.chunk(file), processors: [measure])
        #expect(try await sizesSeen(request, measure) == [PixelSize(width: 100, height: 50)])
    }

    @Test func isNotAskedWhereARequestSaysTheSize() async throws {
        let measure = Measuring(DecodingTarget(PixelSize(width: 50, height: 50), .fit))
        var request = try fixture.request(.chunk(file), processors: [measure])
        request.targetSize = PixelSize(width: 20, height: 20)
        #expect(try await sizesSeen(request, measure) == [PixelSize(width: 20, height: 10)])
    }

    @Test func isNotAskedBehindAnother() async throws {
        let measure = Measuring(DecodingTarget(PixelSize(width: 50, height: 50), .fit))
        let request = try fixture.request(.chunk(file), processors: [Measuring(nil), measure])
        #expect(try await sizesSeen(request, measure) == [PixelSize(width: 200, height: 100)])
    }

    @Test func neverMakesASmallPictureLarger() async throws {
        let measure = Measuring(DecodingTarget(PixelSize(width: 500, height: 500), .fit))
        let request = try fixture.request(.chunk(file), processors: [measure])
        #expect(try await sizesSeen(request, measure) == [PixelSize(width: 200, height: 100)])
    }

    @Test func leavesThePlainPictureItsSizeAndItsOneTransfer() async throws {
        let measure = Measuring(DecodingTarget(PixelSize(width: 50, height: 50), .fit))
        var request = try fixture.request(.chunk(file), processors: [measure])
        _ = try await fixture.pipeline.image(for: request)
        request.processors = []
        #expect(try await fixture.pipeline.image(for: request).size == PixelSize(width: 200, height: 100))
        #expect(fixture.loader.requests.count == 1)
    }
}

/// Returns the picture as it is, and notes its size.
private struct Measuring: ImageProcessor {
    let decodingTarget: DecodingTarget?
    let sizes = Record<PixelSize>()

    init(_ target: DecodingTarget?) { decodingTarget = target }

    var cacheKey: String { "measuring \(decodingTarget.map { "\($0.size) \($0.scaleMode)" } ?? "nothing")" }

    func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        sizes.note(image.size)
        return image
    }
}
