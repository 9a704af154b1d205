public import Bowerbird
public import FoundationEssentials
import GTKBridge

extension ImageView {
    /// Loads and shows the picture of a URL; see `setImage(for:placeholder:progress:completion:)`.
    ///
    /// - Parameters:
    ///   - processors: Applied to the picture, and to each preview.
    ///   - targetSize: In pixels; nil decodes to the size of the view where it has one, else in full.
    public func setImage(
        from url: URL, placeholder: Placeholder = .none, processors: [any ImageProcessor] = [],
        targetSize: PixelSize? = nil, progress: (@MainActor (TransferProgress) -> Void)?,
        completion: (@MainActor (Result<ImageResponse, ImageError>) -> Void)? = nil
    ) {
        var request = ImageRequest(url: url, processors: processors, targetSize: targetSize ?? pixelSize)
        request.scaleMode = contentMode == .fill ? .fill : .fit
        setImage(for: request, placeholder: placeholder, progress: progress, completion: completion)
    }

    /// The same, for who does not want to know of progress.
    public func setImage(
        from url: URL, placeholder: Placeholder = .none, processors: [any ImageProcessor] = [],
        targetSize: PixelSize? = nil,
        completion: (@MainActor (Result<ImageResponse, ImageError>) -> Void)? = nil
    ) {
        setImage(
            from: url, placeholder: placeholder, processors: processors, targetSize: targetSize, progress: nil,
            completion: completion)
    }

    /// The size of the view in pixels of the screen; nil before it was given one.
    public var pixelSize: PixelSize? {
        let size = PixelSize(width: width * scaleFactor, height: height * scaleFactor)
        return size.isEmpty ? nil : size
    }
}
