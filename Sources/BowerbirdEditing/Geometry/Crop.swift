public import BowerbirdCore

/// Cuts a part out of a picture. The part has memory of its own: it does not keep the whole picture alive.
public struct Crop: ImageProcessor, Hashable {
    /// What is kept.
    public var area: Area

    /// Keeps the part of `rect` that lies in the picture.
    public init(_ rect: PixelRect) { area = .rect(rect) }

    /// Keeps a part of `size` on the side of the picture that the anchor tells, or in its middle.
    public init(_ size: PixelSize, anchor: Anchor = .center) { area = .size(size, anchor) }

    /// A part of a picture, in its pixels.
    public enum Area: Hashable, Sendable {
        /// What of this rectangle lies in the picture. Where nothing does, `.invalidParameter` is thrown.
        case rect(PixelRect)
        /// A part of this size, or less where the picture has less. An empty size is an `.invalidParameter`.
        case size(PixelSize, Anchor)
    }

    public var cacheKey: String {
        switch area {
        case .rect(let rect): "crop rect \(rect.x),\(rect.y) \(rect.size.width)x\(rect.size.height)"
        case .size(let size, let anchor): "crop \(anchor.rawValue) \(size.width)x\(size.height)"
        }
    }

    public func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage {
        let part = area.part(of: image.size)
        guard !part.isEmpty else {
            throw .invalidParameter("nothing of \(area) lies in a picture of \(image.size) pixels")
        }
        return try image.cropped(to: part)
    }
}

extension Crop.Area: CustomStringConvertible {
    public var description: String {
        switch self {
        case .rect(let rect): rect.description
        case .size(let size, let anchor): "\(size) at \(anchor.rawValue)"
        }
    }

    fileprivate func part(of picture: PixelSize) -> PixelRect {
        switch self {
        case .rect(let rect): rect.intersection(PixelRect(picture))
        case .size(let size, let anchor): anchor.rect(size.clamped(to: picture), in: picture)
        }
    }
}

extension DecodedImage {
    /// A part of the picture; itself where that is all of it.
    func cropped(to part: PixelRect) throws(ProcessingError) -> DecodedImage {
        guard part.size != size else { return self }
        return try redrawn(part.size, isOpaque: bitmap.isOpaque) { source, pixels throws(ProcessingError) in
            try pixels.copy(part, of: source)
        }
    }
}

extension PixelSize {
    /// Neither side longer than that of `limit`.
    func clamped(to limit: PixelSize) -> PixelSize {
        PixelSize(width: min(width, limit.width), height: min(height, limit.height))
    }
}
