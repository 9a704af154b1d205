import Bowerbird
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdGTK
@testable import GTKBridge

extension GTKTests {
    @Suite(.timeLimit(.minutes(5))) struct ImageViewTests {
        @Test func showsAPictureThatArrives() async throws {
            let scene = Scene()
            scene.loader.setScript([.chunk(SolidImage.file(.red, width: 60, height: 60))], for: Scene.address(1))
            scene.view.setImage(for: try scene.request(1))
            try await MainLoop.pump { scene.isShown && !scene.view.isFading }
            let pixel = try await scene.pixel(x: 50, y: 50)
            #expect(pixel == .init(red: 255, green: 0, blue: 0))
            await scene.end()
        }

        @Test func neverShowsTheFirstPictureWhenGivenAnotherWhileLoading() async throws {
            let scene = Scene()
            let (first, second) = (Gate(), Gate())
            scene.loader.setScript([.stubbornGate(first), .chunk(SolidImage.file(.red))], for: Scene.address(1))
            scene.loader.setScript([.gate(second), .chunk(SolidImage.file(.blue))], for: Scene.address(2))
            var completions: [Int] = []
            scene.view.setImage(for: try scene.request(1)) { _ in completions.append(1) }
            await first.waitForArrivals()
            scene.view.setImage(for: try scene.request(2)) { _ in completions.append(2) }
            await second.waitForArrivals()
            var shown: [Bitmap] = []
            scene.view.onChange = { state in state.image.map { shown.append($0.bitmap) } }
            first.open()
            second.open()
            try await MainLoop.pump { scene.isShown }
            await scene.pipeline.waitUntilIdle()
            try await MainLoop.pump(until: turns(5))
            let blues = shown.map { bitmap in bitmap.withRow(0) { $0.byte(at: 0) } }
            #expect(blues == [255])
            #expect(completions == [2])
            await scene.end()
        }

        @Test func leavesNothingRunningWhenItIsDestroyed() async throws {
            let loader = ScriptedLoader([Scene.address(1): [.gate(Gate())]])
            let pipeline = Scene.makePipeline(loader)
            var view: ImageView? = ImageView(pipeline: pipeline)
            weak let gone = view
            view?.setImage(for: ImageRequest(try ImageSource(Scene.address(1)))) { _ in
                Issue.record("a destroyed view called its completion")
            }
            try await MainLoop.pump { loader.runningCount == 1 }
            view = nil
            try await MainLoop.pump { gone == nil && loader.runningCount == 0 }
            await pipeline.waitUntilIdle()
            #expect(loader.cancelledCount == 1)
        }

        @Test func leavesItsLoadWithItsWindow() async throws {
            let scene = Scene()
            scene.loader.setScript([.gate(Gate())], for: Scene.address(1))
            scene.view.setImage(for: try scene.request(1))
            try await MainLoop.pump { scene.loader.runningCount == 1 }
            scene.window.destroy()
            #expect(scene.view.state.task == nil)
            try await MainLoop.pump { scene.loader.runningCount == 0 }
            await scene.pipeline.waitUntilIdle()
        }

        @Test func showsAPictureFromMemoryAtOnceAndWithoutAFade() async throws {
            let scene = Scene()
            scene.loader.setScript([.chunk(SolidImage.file(.red))], for: Scene.address(1))
            _ = try await scene.pipeline.image(for: scene.request(1))
            var outcome: Result<ImageResponse, ImageError>?
            scene.view.setImage(for: try scene.request(1)) { outcome = $0 }
            #expect(scene.isShown)
            #expect(!scene.view.isFading)
            let origin = try outcome?.get().origin
            #expect(origin == .memory)
            await scene.end()
        }

        @Test func tellsProgressAndPreviewsAndShowsTheEditedOnes() async throws {
            let scene = Scene()
            let gate = Gate()
            let file = SolidImage.file(.red, width: 60, height: 60, byteCount: 400)
            scene.loader.setScript(
                [.chunk(Array(file[..<200])), .gate(gate), .chunk(Array(file[200...]))], for: Scene.address(1))
            var request = try scene.request(1)
            request.processors = [RoundCorners(radius: 20), Tint(.blue)]
            var fractions: [Double?] = []
            scene.view.setImage(for: request, progress: { fractions.append($0.fraction) })
            try await MainLoop.pump { scene.view.state.image?.isPreview == true }
            #expect(fractions.first == 0.5)
            let middle = try await scene.pixel(x: 50, y: 50)
            #expect(middle == .init(red: 0, green: 0, blue: 255))
            let corner = try await scene.pixel(x: 21, y: 21)
            #expect(corner.alpha == 0)
            gate.open()
            try await MainLoop.pump { scene.isShown }
            await scene.end()
        }

        @Test func goesOnToWhatItsOwnNewsAskFor() async throws {
            let scene = Scene()
            scene.loader.setScript([.chunk(SolidImage.file(.red))], for: Scene.address(1))
            scene.loader.setScript([.chunk(SolidImage.file(.blue))], for: Scene.address(2))
            let second = try scene.request(2)
            var completions: [Int] = []
            scene.view.onChange = { [weak view = scene.view] state in
                guard case .shown = state, completions.isEmpty else { return }
                completions.append(0)
                view?.setImage(for: second) { _ in completions.append(2) }
            }
            scene.view.setImage(for: try scene.request(1)) { _ in completions.append(1) }
            try await MainLoop.pump { completions.contains(2) }
            #expect(completions == [0, 2])
            await scene.end()
        }

        @Test func keepsTheFailureAndItsReason() async throws {
            let scene = Scene()
            scene.view.setImage(for: try scene.request(7))
            try await MainLoop.pump { if case .failed = scene.view.state { true } else { false } }
            guard case .failed(let error) = scene.view.state else { return }
            #expect(error.description == "\(Scene.address(7)): the server answered with status 404")
            await scene.end()
        }

        @Test func showsItsPlaceholderUntilThereIsSomethingBetter() async throws {
            let scene = Scene()
            scene.loader.setScript([.gate(Gate())], for: Scene.address(1))
            scene.view.setImage(for: try scene.request(1), placeholder: .color(.blue))
            try await MainLoop.pump { scene.loader.runningCount == 1 }
            let pixel = try await scene.pixel(x: 5, y: 5)
            #expect(pixel == .init(red: 0, green: 0, blue: 255))
            scene.view.cancelLoad()
            await scene.end()
        }

        @Test func inAGridOfFiveHundredOnlyBoundCellsLoad() async throws {
            let loader = ScriptedLoader()
            let gate = Gate()
            for index in 0..<500 { loader.setScript([.gate(gate)], for: Scene.address(index)) }
            let pipeline = Scene.makePipeline(loader) { $0.maximumTransferCount = 500 }
            var bound: Set<Int> = []
            let grid = GridView<ImageView>(
                count: 500, columns: 4...4,
                makeCell: {
                    let view = ImageView(pipeline: pipeline)
                    view.setSizeRequest(width: 60, height: 60)
                    return view
                },
                bind: { view, index in
                    bound.insert(index)
                    if let source = try? ImageSource(Scene.address(index)) { view.setImage(for: ImageRequest(source)) }
                },
                unbind: { view, index in
                    bound.remove(index)
                    view.clear()
                },
                activate: { _ in })
            let scroller = ScrolledWindow(child: grid)
            let window = Window(title: "grid", width: 300, height: 300)
            window.child = scroller
            window.present()
            try await MainLoop.pump { scroller.vertical.upper > scroller.vertical.pageSize && !bound.isEmpty }
            for fraction in stride(from: 0, through: 1, by: 0.05) {
                scroller.vertical.scroll(toFraction: fraction)
                try await MainLoop.pump(until: turns(12))
            }
            try await MainLoop.pump { bound.contains(499) && loader.runningCount == bound.count }
            #expect(bound.count < 400)
            #expect(loader.requests.count > bound.count)
            window.destroy()
            try await MainLoop.pump { loader.runningCount == 0 }
            await pipeline.waitUntilIdle()
        }
    }
}

/// A window with one view of 100 × 100, and what it loads from.
@MainActor
struct Scene {
    let loader = ScriptedLoader()
    let pipeline: ImagePipeline
    let view: ImageView
    let window = Window(title: "scene", width: 100, height: 100)

    init() {
        pipeline = Self.makePipeline(loader)
        view = ImageView(pipeline: pipeline)
        view.setSizeRequest(width: 100, height: 100)
        window.child = view
        window.present()
    }

    static func makePipeline(
        _ loader: ScriptedLoader, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) -> ImagePipeline {
        var codecs = CodecSet()
        codecs.add(SolidDecoder())
        var configuration = ImagePipeline.Configuration(loader: loader, codecs: codecs, imageCache: MemoryCache())
        configuration.previewDelay = .zero
        configure(&configuration)
        return ImagePipeline(configuration)
    }

    nonisolated static func address(_ index: Int) -> String { "http://host.test/\(index)" }

    func request(_ index: Int) throws -> ImageRequest { ImageRequest(try ImageSource(Self.address(index))) }

    var isShown: Bool { if case .shown = view.state { true } else { false } }

    func pixel(x: Int, y: Int) async throws -> TexturePixels.Pixel {
        var picture: Result<Texture, any Error>?
        Task {
            do { picture = .success(try await view.screenshotOfNextFrame()) } catch { picture = .failure(error) }
        }
        try await MainLoop.pump { picture != nil }
        let pixels = try #require(try picture?.get()).pixels()
        return try #require(pixels.pixel(x: x, y: y))
    }

    func end() async {
        window.destroy()
        await pipeline.waitUntilIdle()
    }
}

/// True after so many turns of the main loop.
func turns(_ count: Int) -> () -> Bool {
    var left = count
    return {
        left -= 1
        return left < 0
    }
}

extension Color {
    nonisolated static let red = Color(red: 255, green: 0, blue: 0)
    nonisolated static let blue = Color(red: 0, green: 0, blue: 255)
}
