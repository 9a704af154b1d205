import Bowerbird
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdGTK
@testable import GTKBridge

extension GTKTests {
    /// Its callbacks may do anything with the view: also leave the very load that they hear of.
    @Suite(.timeLimit(.minutes(5))) struct ImageViewReentrancyTests {
        @Test func aLoadThatOnChangeLeavesForAnotherIsNotCompleted() async throws {
            let scene = Scene()
            for index in 1...2 {
                scene.loader.setScript([.chunk(SolidImage.file(index == 1 ? .red : .blue))], for: Scene.address(index))
            }
            let second = try scene.request(2)
            var completions: [Int] = []
            scene.view.onChange = { [view = scene.view] state in
                guard case .shown = state else { return }
                view.onChange = nil
                view.setImage(for: second) { _ in completions.append(2) }
            }
            scene.view.setImage(for: try scene.request(1)) { _ in completions.append(1) }
            try await MainLoop.pump { completions.contains(2) }
            #expect(completions == [2])
            #expect(scene.shownBlue == 255)
            await scene.end()
        }

        @Test func aPictureFromMemoryThatOnChangeLeavesIsNotCompleted() async throws {
            let scene = Scene()
            scene.loader.setScript([.chunk(SolidImage.file(.red))], for: Scene.address(1))
            _ = try await scene.pipeline.image(for: scene.request(1))
            scene.view.onChange = { [view = scene.view] state in
                if case .loading = state { view.clear() }
            }
            scene.view.setImage(for: try scene.request(1)) { _ in Issue.record("a load that was left was completed") }
            guard case .empty = scene.view.state else { Issue.record("\(scene.view.state)"); return }
            await scene.end()
        }

        @Test func aLoadThatOnChangeReplacesAtItsBeginningIsLeft() async throws {
            let scene = Scene()
            scene.loader.setScript([.gate(Gate())], for: Scene.address(1))
            scene.loader.setScript([.chunk(SolidImage.file(.blue))], for: Scene.address(2))
            let second = try scene.request(2)
            var completions: [Int] = []
            scene.view.onChange = { [view = scene.view] state in
                view.onChange = nil
                view.setImage(for: second) { _ in completions.append(2) }
            }
            scene.view.setImage(for: try scene.request(1)) { _ in completions.append(1) }
            try await MainLoop.pump { !completions.isEmpty }
            #expect(completions == [2])
            #expect(scene.shownBlue == 255)
            await scene.end()
        }

        @Test func progressThatOnChangeLeavesIsNotTold() async throws {
            let scene = Scene()
            let file = SolidImage.file(.red, byteCount: 200)
            scene.loader.setScript([.chunk(Array(file[..<100])), .gate(Gate())], for: Scene.address(1))
            var isLeft = false
            scene.view.onChange = { [view = scene.view] state in
                guard case .loading(_, _?, _) = state else { return }
                view.cancelLoad()
                isLeft = true
            }
            scene.view.setImage(
                for: try scene.request(1), progress: { _ in Issue.record("a load that was left told its progress") })
            try await MainLoop.pump { isLeft }
            try await MainLoop.pump(until: turns(5))
            await scene.end()
        }

        @Test func theCompletionMayDestroyTheWindow() async throws {
            let scene = Scene()
            scene.loader.setScript([.chunk(SolidImage.file(.red))], for: Scene.address(1))
            var isDone = false
            scene.view.setImage(for: try scene.request(1)) { [window = scene.window] _ in
                window.destroy()
                isDone = true
            }
            try await MainLoop.pump { isDone }
            #expect(!scene.view.isFading)
            await scene.end()
        }

        @Test func theEndOfAFadeMayBeginAnotherLoad() async throws {
            let scene = Scene()
            for index in 1...2 {
                scene.loader.setScript([.chunk(SolidImage.file(index == 1 ? .red : .blue))], for: Scene.address(index))
            }
            scene.view.transitionDuration = .milliseconds(1)
            let second = try scene.request(2)
            scene.view.onFaded = { [view = scene.view] in
                view.onFaded = nil
                view.setImage(for: second, placeholder: .previousImage)
            }
            try await MainLoop.pump { scene.view.isMapped }
            scene.view.setImage(for: try scene.request(1))
            try await MainLoop.pump { scene.shownBlue == 255 && !scene.view.isFading }
            await scene.end()
        }

        @Test func aTaskThatSomebodyElseCancelsIsNotCompleted() async throws {
            let scene = Scene()
            scene.loader.setScript([.gate(Gate())], for: Scene.address(1))
            scene.view.setImage(for: try scene.request(1)) { _ in Issue.record("a cancelled load was completed") }
            scene.view.state.task?.cancel()
            try await MainLoop.pump { if case .empty = scene.view.state { true } else { false } }
            await scene.end()
        }
    }

    @Suite(.timeLimit(.minutes(5))) struct ImageViewMemoryTests {
        @Test func withoutAFadeTheOldPictureIsLetGoOf() async throws {
            let scene = Scene()
            scene.view.transitionDuration = .zero
            let old = try await scene.show(1, .red)
            try await scene.show(2, .blue, placeholder: .previousImage)
            #expect(!scene.view.keeps(old))
            await scene.end()
        }

        @Test func aFailureEndsAFadeAndLetsGoOfTheOldPicture() async throws {
            let scene = Scene()
            scene.view.transitionDuration = .seconds(600)
            try await MainLoop.pump { scene.view.isMapped }
            let old = try await scene.show(1, .red)
            try await scene.show(2, .blue, placeholder: .previousImage)
            #expect(scene.view.isFading)
            scene.view.setImage(for: try scene.request(7), placeholder: .previousImage)
            try await MainLoop.pump { if case .failed = scene.view.state { true } else { false } }
            #expect(!scene.view.isFading)
            #expect(!scene.view.keeps(old))
            await scene.end()
        }

        @Test func aFadeEndsWhenItsViewLeavesTheScreen() async throws {
            let scene = Scene()
            scene.view.transitionDuration = .seconds(600)
            var fades = 0
            scene.view.onFaded = { fades += 1 }
            try await MainLoop.pump { scene.view.isMapped }
            let old = try await scene.show(1, .red)
            try await scene.show(2, .blue, placeholder: .previousImage)
            scene.view.isVisible = false
            #expect(!scene.view.isFading)
            #expect(!scene.view.keeps(old))
            #expect(fades == 1)
            await scene.end()
        }

        @Test func cancellingKeepsThePictureFromBefore() async throws {
            let scene = Scene()
            let old = try await scene.show(1, .red)
            scene.loader.setScript([.gate(Gate())], for: Scene.address(2))
            scene.view.setImage(for: try scene.request(2), placeholder: .previousImage)
            scene.view.cancelLoad()
            #expect(scene.view.state.image?.bitmap.isIdentical(to: old) == true)
            #expect(scene.view.keeps(old))
            await scene.end()
        }

        @Test func aPictureThatWasItsOwnPlaceholderIsDrawnAsAPicture() async throws {
            let scene = Scene()
            let bitmap = try await scene.show(1, .red)
            let picture = DecodedImage(bitmap: bitmap, header: ImageHeader(format: .png, storedSize: bitmap.size))
            scene.view.setImage(for: try scene.request(1), placeholder: .image(picture))
            #expect(scene.isShown)
            let corner = try await scene.pixel(x: 5, y: 50)
            #expect(corner.alpha == 0, "it is enlarged like a placeholder")
            await scene.end()
        }

        @Test func aColorStaysWhenTheLoadFails() async throws {
            let scene = Scene()
            try await MainLoop.pump { scene.view.isMapped }
            scene.view.setImage(for: try scene.request(7), placeholder: .color(.blue))
            try await MainLoop.pump { if case .failed = scene.view.state { true } else { false } }
            let pixel = try await scene.pixel(x: 5, y: 5)
            #expect(pixel == .init(red: 0, green: 0, blue: 255))
            await scene.end()
        }
    }
}

extension Scene {
    /// The blue of the picture that is shown.
    fileprivate var shownBlue: UInt8? {
        guard case .shown(let image) = view.state else { return nil }
        return image.bitmap.withRow(0) { $0.byte(at: 0) }
    }

    /// Loads and shows a picture of one colour.
    @discardableResult
    fileprivate func show(_ index: Int, _ color: Color, placeholder: Placeholder = .none) async throws -> Bitmap {
        // One that has come before the view looks is shown without a fade.
        let gate = Gate()
        loader.setScript([.gate(gate), .chunk(SolidImage.file(color))], for: Scene.address(index))
        view.setImage(for: try request(index), placeholder: placeholder)
        gate.open()
        try await MainLoop.pump { isShown }
        return try #require(view.state.image?.bitmap)
    }
}

extension ImageView {
    /// Whether it holds the memory of a picture.
    fileprivate func keeps(_ bitmap: Bitmap) -> Bool { layers.bitmaps.contains { $0.isIdentical(to: bitmap) } }
}
