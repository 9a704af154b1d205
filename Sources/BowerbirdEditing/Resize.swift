public import BowerbirdCore
import BowerbirdRaster

/// Scales a picture.
///
/// As the first processor of a request that names no `targetSize` it costs nearly nothing: the file is decoded in the
/// size that is wanted, unless another filter than the default is asked for, which needs every pixel.
public struct Resize: ImageProcessor, Hashable {
    /// The room for the picture, in pixels. `Int.max` on a side is a room without end there. An empty room is an
    /// `.invalidParameter`.
    public var size: PixelSize
    /// How the picture meets `size`; `.fit` by default.
    public var mode: ScaleMode
    /// Where the room lies on a scaled picture that is larger, which is then cut to it; nil, the default, cuts nothing.
    /// Of use with `.fill`: the result is as large as the room, unless the picture is smaller and may not be enlarged.
    public var crop: Anchor?
    /// Whether a smaller picture is enlarged; false by default.
    public var allowsUpscaling: Bool
    /// How pixels are mixed; `.lanczos3` by default.
    public var filter: Filter

    /// The room, and defaults as told at the properties.
    public init(
        _ size: PixelSize, mode: ScaleMode = .fit, crop: Anchor? = nil, allowsUpscaling: Bool = false,
        filter: Filter = .lanczos3
    ) {
        self.size = size
        self.mode = mode
        self.crop = crop
        self.allowsUpscaling = allowsUpscaling
        self.filter = filter
    }

    /// Fills the room and cuts off what is beyond it.
    public init(
        filling size: PixelSize, anchor: Anchor = .center, allowsUpscaling: Bool = false, filter: Filter = .lanczos3
    ) {
        self.init(size, mode: .fill, crop: anchor, allowsUpscaling: allowsUpscaling, filter: filter)
    }

    /// As wide as told, in pixels; the height follows.
    public init(width: Int, allowsUpscaling: Bool = false, filter: Filter = .lanczos3) {
        self.init(PixelSize(width: width, height: .max), allowsUpscaling: allowsUpscaling, filter: filter)
    }

    /// As high as told, in pixels; the width follows.
    public init(height: Int, allowsUpscaling: Bool = false, filter: Filter = .lanczos3) {
        self.init(PixelSize(width: .max, height: height), allowsUpscaling: allowsUpscaling, filter: filter)
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
        let cut = crop.map { " crop \($0.rawValue)" } ?? ""
        let enlarging = allowsUpscaling ? "up " : ""
        return "resize \(mode.rawValue) \(size.width)x\(size.height) \(enlarging)\(filter.rawValue)\(cut)"
    }

    public var decodingTarget: DecodingTarget? {
        guard filter == .lanczos3, !size.isEmpty else { return nil }
        let room = PixelSize(width: min(size.width, Self.endless), height: min(size.height, Self.endless))
        return DecodingTarget(room, mode)
    }

    /// No decoder makes a picture with a longer side.
    private static let endless = 1 << 24

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        guard !size.isEmpty else { throw .invalidParameter("a picture cannot be resized to \(size) pixels") }
        let target = mode.size(of: image.size, in: size, allowsUpscaling: allowsUpscaling)
        let scaled = try scaled(image, to: target)
        return if let crop { try Crop(size, anchor: crop).process(scaled) } else { scaled }
    }

    private func scaled(_ image: DecodedImage, to target: PixelSize) throws(ProcessingError) -> DecodedImage {
        guard target != image.size else { return image }
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
