import FoundationEssentials
import GTKBridge

/// Takes pictures of a page and makes a strip of them, each with a caption.
final class Camera {
    private let folder: String
    private let name: String
    private let title: String
    private var frames: [(surface: CairoSurface, caption: String)] = []
    private let start = ContinuousClock.now

    init(folder: String, name: String, title: String) {
        self.folder = folder
        self.name = name
        self.title = title
    }

    /// The widget as the next frame shows it. The caption gets the time since the camera was made.
    func take(_ widget: Widget, _ caption: String) async throws {
        let moment = start.duration(to: .now)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/\(name)-\(frames.count + 1).png"
        let picture = try await widget.screenshotOfNextFrame()
        CallbackMeter.skipCurrent()
        try picture.writePNG(to: path)
        frames.append((try CairoSurface(pngAt: path), "\(caption) — \(moment.seconds) s"))
    }

    /// Writes `name.png`, all pictures side by side, and tells its path.
    func writeStrip() throws -> String {
        let path = "\(folder)/\(name).png"
        CallbackMeter.skipCurrent()
        try Strip(title: title, frames: frames).draw().writePNG(to: path)
        return path
    }
}

/// Pictures side by side under a title.
private struct Strip {
    let title: String
    let frames: [(surface: CairoSurface, caption: String)]

    private let frameWidth = 380.0
    private let margin = 14.0
    private let titleHeight = 34.0
    private let captionHeight = 24.0

    func draw() throws -> CairoCanvas {
        let tallest = frames.map { height(of: $0.surface) }.max() ?? 0
        let canvas = try CairoCanvas(
            width: Int(margin + Double(frames.count) * (frameWidth + margin)),
            height: Int(titleHeight + tallest + captionHeight + 2 * margin), background: RGBA(grey: 0.1))
        canvas.draw { context in
            context.draw(title, x: margin, y: margin, size: 18, color: RGBA(grey: 0.95), isBold: true)
            for (index, frame) in frames.enumerated() { draw(frame, at: index, context) }
        }
        return canvas
    }

    private func height(of surface: CairoSurface) -> Double {
        frameWidth * Double(surface.height) / Double(max(1, surface.width))
    }

    private func draw(_ frame: (surface: CairoSurface, caption: String), at index: Int, _ context: CairoContext) {
        let x = margin + Double(index) * (frameWidth + margin)
        let y = margin + titleHeight
        let frameHeight = height(of: frame.surface)
        context.draw(
            frame.surface, in: Rectangle(x: x, y: y, width: frameWidth, height: frameHeight), filter: .best)
        context.draw(
            "\(index + 1)  \(frame.caption)", x: x, y: y + frameHeight + 5, size: 12, color: RGBA(grey: 0.75),
            maximumWidth: frameWidth)
    }
}
