public import BowerbirdCore
import BowerbirdRaster

/// Scales a picture.
///
/// Where the size is known before decoding, `ImageRequest.targetSize` is several times faster, because the decoder then
/// does most of the work; this is for pictures that were edited first.
public struct Resize: ImageProcessor, Hashable {
    /// The room for the picture, in pixels.
    public var size: PixelSize
    /// How the picture meets `size`; `.fit` by default.
    public var mode: ScaleMode
    /// Whether a smaller picture is enlarged; false by default.
    public var allowsUpscaling: Bool
    /// How pixels are mixed; `.lanczos3` by default.
    public var filter: Filter

    /// The room, and defaults as told at the properties.
    public init(
        _ size: PixelSize, mode: ScaleMode = .fit, allowsUpscaling: Bool = false, filter: Filter = .lanczos3
    ) {
        self.size = size
        self.mode = mode
        self.allowsUpscaling = allowsUpscaling
        self.filter = filter
    }

    /// How the pixels of a scaled picture are made of those of the picture.
    public enum Filter: String, Hashable, Sendable, CaseIterable {
        /// The mean of the pixels that are covered: the fastest; soft.
        case box
        /// A cubic curve over four pixels: sharp, hardly any ringing.
        case catmullRom
        /// Over six pixels: the sharpest, a little ringing at hard edges.
        case lanczos3
    }

    public var cacheKey: String {
        "resize \(mode.rawValue) \(size.width)x\(size.height) \(allowsUpscaling ? "up " : "")\(filter.rawValue)"
    }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard !size.isEmpty else { throw .invalidParameter("a picture cannot be resized to \(size) pixels") }
        let target = mode.size(of: image.size, in: size, allowsUpscaling: allowsUpscaling)
        do {
            return image.with(try image.bitmap.resampled(to: target, filter: filter.resampling))
        } catch {
            throw ProcessingError(error)
        }
    }
}

extension Resize.Filter {
    fileprivate var resampling: Resampler.Filter {
        switch self {
        case .box: .box
        case .catmullRom: .catmullRom
        case .lanczos3: .lanczos3
        }
    }
}
