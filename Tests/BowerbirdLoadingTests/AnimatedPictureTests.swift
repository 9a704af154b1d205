import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

@Suite(.timeLimit(.minutes(5)))
struct `An animated picture` {
    private let fixture = PipelineFixture { $0.codecs.add(SolidEncoder()) }
    private var pipeline: ImagePipeline { fixture.pipeline }
    private let file = SolidImage.file(frameCount: 5)

    @Test func comesWithItsFrames() async throws {
        let image = try await pipeline.image(for: try fixture.request(.chunk(file)))
        #expect(image.frames?.frameCount == 5)
        #expect(image.header.loopCount == .forever)
    }

    @Test func isAStillForWhoeverWantsOne() async throws {
        var request = try fixture.request(.chunk(file))
        let animated = try await pipeline.image(for: request)
        request.firstFrameOnly = true
        let still = try await pipeline.image(for: request)
        #expect(animated.frames != nil)
        #expect(still.frames == nil)
    }

    @Test func isEditedFrameByFrameAsFramesAreAskedFor() async throws {
        let processor = RecordingProcessor()
        let request = try fixture.request(.chunk(file), processors: [Repainting(), processor])
        let frames = try #require(try await pipeline.image(for: request).frames)
        #expect(frames.frameCount == 5)
        let count = processor.pictures.count
        for index in 0..<5 {
            let frame = try frames.frame(at: index)
            #expect(frame.size == frames.size)
            #expect(processor.pictures.count == count + index + 1)
        }
    }

    @Test func showsTheFramesThatHaveArrived() async throws {
        let gate = Gate()
        let request = try fixture.request(.chunk(Array(file[..<100])), .gate(gate), .chunk(Array(file[100...])))
        var counts: [Int?] = []
        for await event in pipeline.task(for: request).events {
            if case .preview(let preview) = event {
                counts.append(preview.frames?.frameCount)
                gate.open()
            }
        }
        #expect(counts == [3])
    }

    /// Each preview is work for a view: a long animation must not give one for each frame.
    @Test func isShownAgainOnlyWhenItHasGrownByAHalf() async throws {
        let file = SolidImage.file(frameCount: 200)
        let request = try fixture.request(.chunk(file))
        let arriving = ArrivingImage(AcceptedRequest(request, .init()), pipeline.configuration)
        var counts: Set<Int> = []
        for end in stride(from: 64, to: file.count, by: 8) {
            let data = try #require(EncodedImage(file[..<end]))
            let preview = arriving.preview(of: ArrivedBytes(data: data, total: file.count))
            if let count = preview?.frames?.frameCount { counts.insert(count) }
        }
        #expect(counts.count <= 14)
        #expect(counts.contains(2))
    }

    @Test func isNotKeptInAFormatOfStills() async throws {
        var request = try fixture.request(.chunk(file))
        request.targetSize = PixelSize(width: 2, height: 2)
        request.options.diskContent = .both(SolidImage.format)
        _ = try await pipeline.image(for: request)
        fixture.images.removeAll()
        #expect(try await pipeline.image(for: request).frames?.frameCount == 5)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `A page of a document` {
    private let fixture = PipelineFixture()

    @Test func isAPictureOfItsOwn() throws {
        let first = try fixture.request()
        var second = first
        second.page = 1
        var larger = first
        larger.targetSize = PixelSize(width: 9, height: 9)
        var largest = larger
        largest.allowsUpscaling = true
        let keys = [first, second, larger, largest].map(fixture.pipeline.imageCacheKey)
        #expect(Set(keys).count == 4)
        #expect(Set([first, second, larger, largest].map(fixture.pipeline.dataCacheKey)).count == 1)
    }
}

/// Makes a copy.
private struct Repainting: ImageProcessor {
    var cacheKey: String { "repainting" }
    func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage { image.with(image.bitmap) }
}
