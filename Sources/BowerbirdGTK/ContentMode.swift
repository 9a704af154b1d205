import Bowerbird
import GTKBridge

/// How a picture meets the room of its view.
public nonisolated enum ContentMode: Sendable, CaseIterable {
    /// The whole picture, centred, proportions kept; never larger than its pixels. The default.
    case fit
    /// All of the view, proportions kept; what does not fit is cut off.
    case fill

    /// Where a picture of `size` pixels is drawn in a view of `width` × `height` logical pixels, each `scale` pixels wide.
    /// A placeholder may be enlarged: it stands for a larger picture.
    func rectangle(
        for size: PixelSize, width: Double, height: Double, scale: Double, isPlaceholder: Bool = false
    ) -> Rectangle {
        guard !size.isEmpty else { return Rectangle(x: 0, y: 0, width: 0, height: 0) }
        let natural = (width: Double(size.width) / scale, height: Double(size.height) / scale)
        let ratios = (width / natural.width, height / natural.height)
        let fitting = min(ratios.0, ratios.1)
        let factor = self == .fill ? max(ratios.0, ratios.1) : isPlaceholder ? fitting : min(fitting, 1)
        let drawn = (width: natural.width * factor, height: natural.height * factor)
        return Rectangle(
            x: (width - drawn.width) / 2, y: (height - drawn.height) / 2, width: drawn.width, height: drawn.height)
    }
}
