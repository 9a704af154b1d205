import Bowerbird
import BowerbirdTestSupport
import GTKBridge
import Testing

@testable import BowerbirdGTK

@Suite
nonisolated struct `The state of an image view` {
    static func picture() throws -> DecodedImage {
        let bitmap = try PixelBuffer.make(2, 2).freeze()
        return DecodedImage(bitmap: bitmap, header: ImageHeader(format: .png, storedSize: bitmap.size))
    }

    static func task(_ name: String) throws -> ImageTask {
        let pipeline = ImagePipeline(.init(loader: ScriptedLoader(), codecs: CodecSet()))
        return pipeline.task(for: ImageRequest(try ImageSource("http://host.test/\(name)")))
    }

    @Test func takesInTheEventsOfItsOwnLoad() async throws {
        let task = try Self.task("a")
        var state = ImageViewState.loading(task, progress: nil, preview: nil)
        let progress = TransferProgress(received: 1, total: 2)
        let picture = try Self.picture()
        let isTaken = [ImageEvent.progress(progress), .preview(picture)].map { state.receive($0, of: task) }
        #expect(isTaken == [true, true])
        guard case .loading(_, progress, let preview?) = state else { Issue.record("\(state)"); return }
        #expect(preview.bitmap.isIdentical(to: picture.bitmap))
        let endIsTaken = state.receive(.finished(.failure(.invalidURL("x"))), of: task)
        #expect(endIsTaken)
        guard case .failed(.invalidURL("x")) = state else { Issue.record("\(state)"); return }
        for await _ in task.events {}
    }

    @Test func leavesLateEventsOfAnotherLoadAlone() async throws {
        let (old, new) = (try Self.task("old"), try Self.task("new"))
        let picture = try Self.picture()
        let states: [ImageViewState] = [
            .empty, .shown(picture), .failed(.cancelled), .loading(new, progress: nil, preview: nil),
        ]
        let events: [ImageEvent] = [
            .progress(TransferProgress(received: 1, total: nil)), .preview(picture),
            .finished(.failure(.cancelled)),
        ]
        for state in states {
            for event in events {
                var changed = state
                let isTaken = changed.receive(event, of: old)
                #expect(!isTaken)
                #expect(changed.image?.bitmap.isIdentical(to: picture.bitmap) == (state.image.map { _ in true }))
            }
        }
        for await _ in old.events {}
        for await _ in new.events {}
    }

    @Test func hasAPictureWhenOneIsOnTheScreen() throws {
        let picture = try Self.picture()
        #expect(ImageViewState.shown(picture).image != nil)
        #expect(ImageViewState.empty.image == nil)
        #expect(ImageViewState.failed(.cancelled).image == nil)
    }
}

@Suite
nonisolated struct `Where a picture is drawn` {
    static let picture = PixelSize(width: 200, height: 100)

    @Test func fittedItIsWholeAndCentredAndNeverEnlarged() {
        let small = ContentMode.fit.rectangle(for: Self.picture, width: 100, height: 100, scale: 1)
        #expect(small == .init(x: 0, y: 25, width: 100, height: 50))
        let large = ContentMode.fit.rectangle(for: Self.picture, width: 400, height: 400, scale: 1)
        #expect(large == .init(x: 100, y: 150, width: 200, height: 100))
    }

    @Test func aPlaceholderMayBeEnlarged() {
        let drawn = ContentMode.fit.rectangle(
            for: Self.picture, width: 400, height: 400, scale: 1, isPlaceholder: true)
        #expect(drawn == .init(x: 0, y: 100, width: 400, height: 200))
    }

    @Test func fillingItCoversTheView() {
        let drawn = ContentMode.fill.rectangle(for: Self.picture, width: 100, height: 100, scale: 1)
        #expect(drawn == .init(x: -50, y: 0, width: 200, height: 100))
    }

    @Test func onAFineScreenAPixelIsAPixel() {
        let drawn = ContentMode.fit.rectangle(for: Self.picture, width: 400, height: 400, scale: 2)
        #expect(drawn == .init(x: 150, y: 175, width: 100, height: 50))
    }

    @Test func nothingIsDrawnNowhere() {
        let drawn = ContentMode.fit.rectangle(for: PixelSize(width: 0, height: 5), width: 9, height: 9, scale: 1)
        #expect(drawn.width == 0 && drawn.height == 0)
    }
}

@Suite
nonisolated struct `A cross-fade` {
    @Test func goesFromNothingToAllInItsTime() {
        var fade = CrossFade(duration: .milliseconds(200))
        #expect(fade.progress(at: 1_000_000) == 0)
        #expect(fade.progress(at: 1_050_000) == 0.25)
        #expect(fade.progress(at: 1_200_000) == 1)
        #expect(fade.progress(at: 9_000_000) == 1)
    }

    @Test func withoutALengthIsOverAtOnce() {
        var fade = CrossFade(duration: .zero)
        #expect(fade.progress(at: 5) == 1)
    }

    @Test func survivesAClockThatGoesBack() {
        var fade = CrossFade(duration: .milliseconds(200))
        _ = fade.progress(at: 1_000_000)
        #expect(fade.progress(at: 10) == 0)
    }
}
