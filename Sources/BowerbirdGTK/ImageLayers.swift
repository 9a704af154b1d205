import Bowerbird
import GTKBridge

/// What a view draws, from the bottom: the color of its placeholder, the old picture, and the new one, which may be
/// fading in over it.
final class ImageLayers {
    private unowned let canvas: Canvas
    private var placeholder = Placeholder.none
    private var front: ImageArtist?
    private var fade: Fade?
    /// Called when a fade has ended.
    var onFaded: (@MainActor () -> Void)?

    private struct Fade {
        let tick: TickCallback
        let back: ImageArtist?
        var progress = 0.0
    }

    /// The layers are a part of `canvas`, which owns them.
    init(of canvas: Canvas) {
        self.canvas = canvas
    }

    var isFading: Bool { fade != nil }
    /// The picture in front, unless it only stands for another one.
    var picture: DecodedImage? { front.flatMap { $0.isPlaceholder ? nil : $0.image } }
    /// What is drawn from, and so kept in memory.
    var bitmaps: [Bitmap] { [front, fade?.back].compactMap { $0?.image.bitmap } }

    func clear() {
        (placeholder, front, fade) = (.none, nil, nil)
    }

    /// Begins anew, for a picture that is on its way.
    func begin(with placeholder: Placeholder) {
        self.placeholder = placeholder
        fade = nil
        switch placeholder {
        case .none, .color: front = nil
        case .image(let image): front = ImageArtist(image, isPlaceholder: true)
        case .previousImage: break
        }
    }

    /// Puts `image` in front, over `duration`; what was there before stays below until then. It is laid out as if it had
    /// `size` where that is given.
    func show(_ image: DecodedImage, over duration: Duration, size: PixelSize? = nil) {
        guard picture?.bitmap.isIdentical(to: image.bitmap) != true else { return }
        let back = front
        front = ImageArtist(image, size: size)
        fade = nil
        if duration > .zero && canvas.isMapped { startFade(over: back, duration) }
    }

    private func startFade(over back: ImageArtist?, _ duration: Duration) {
        var transition = CrossFade(duration: duration)
        let tick = TickCallback(on: canvas) { [weak self] time in
            self?.advanceFade(to: transition.progress(at: time)) ?? false
        }
        fade = Fade(tick: tick, back: back)
    }

    /// False at the end of the fade, when the old picture is let go of.
    private func advanceFade(to progress: Double) -> Bool {
        canvas.queueDraw()
        guard progress < 1 else {
            endFade()
            return false
        }
        fade?.progress = progress
        return true
    }

    /// Lets go of the old picture at once.
    func endFade() {
        guard isFading else { return }
        fade = nil
        onFaded?()
    }

    /// `place` tells where a picture goes. The color of the placeholder shows until the picture is complete.
    func draw(
        on snapshot: Snapshot, in room: Rectangle, isComplete: Bool, place: (ImageArtist) -> Rectangle
    ) {
        if case .color(let color) = placeholder, !isComplete || isFading { snapshot.append(RGBA(color), in: room) }
        if let back = fade?.back { draw(back, on: snapshot, in: place(back), opacity: 1) }
        if let front { draw(front, on: snapshot, in: place(front), opacity: fade?.progress ?? 1) }
    }

    private func draw(_ artist: ImageArtist, on snapshot: Snapshot, in rectangle: Rectangle, opacity: Double) {
        artist.draw(on: snapshot, in: rectangle, opacity: opacity, renderer: canvas.rendererKind)
    }
}

extension RGBA {
    fileprivate nonisolated init(_ color: Color) {
        self.init(
            red: Double(color.red) / 255, green: Double(color.green) / 255, blue: Double(color.blue) / 255,
            alpha: Double(color.alpha) / 255)
    }
}
