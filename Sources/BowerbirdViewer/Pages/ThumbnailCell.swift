import Bowerbird
import BowerbirdGTK
import GTKBridge

/// A thumbnail with its name below.
final class ThumbnailCell: Box {
    /// At least so much room, in logical pixels; the grid gives more where it has it.
    private static let size = PixelSize(width: 240, height: 160)
    /// What a thumbnail is decoded to, in pixels: enough for a cell that was given more.
    static let decodedSize = PixelSize(width: 300, height: 200)

    /// What a cell tells of its picture.
    enum News {
        case preview
        case finished(Result<ImageResponse, ImageError>)
    }

    private let image: ImageView
    private let label = Label()

    init(_ pipeline: ImagePipeline) {
        image = ImageView(pipeline: pipeline)
        super.init(.vertical, spacing: 4)
        image.contentMode = .fill
        image.setSizeRequest(width: Self.size.width, height: Self.size.height)
        label.ellipsis = .middle
        label.setWidth(maximum: 24)
        label.addStyleClass("caption")
        append(image)
        append(label)
    }

    func show(_ request: ImageRequest, named name: String, onNews: @escaping @MainActor (News) -> Void) {
        label.text = name
        label.removeStyleClass("failure")
        image.tooltip = nil
        image.setAccessibleLabel(name)
        image.onChange = { state in
            if case .loading(_, _, _?) = state { onNews(.preview) }
        }
        let gray = Color(red: 0x37, green: 0x34, blue: 0x3F)
        image.setImage(for: request, placeholder: .color(gray)) { [weak self] outcome in
            if case .failure(let error) = outcome { self?.show(error) }
            onNews(.finished(outcome))
        }
    }

    func clear() {
        image.onChange = nil
        image.clear()
    }

    private func show(_ error: ImageError) {
        label.text = error.description
        label.addStyleClass("failure")
        image.tooltip = error.description
    }
}
