public import BowerbirdCore

/// How large a file may become, in pixels and in bytes.
public struct EncodingBounds: Hashable, Sendable {
    /// The room for the picture, which is made smaller to fit into it, proportions kept, and never larger; nil (the
    /// default) keeps its size.
    public var maximumSize: PixelSize?
    /// The bytes of the file at the most; nil (the default) sets no bound.
    public var maximumByteCount: Int?

    /// Without arguments: no bounds.
    public init(maximumSize: PixelSize? = nil, maximumByteCount: Int? = nil) {
        self.maximumSize = maximumSize
        self.maximumByteCount = maximumByteCount
    }

    /// The size for a picture of `size`.
    public func size(of size: PixelSize) -> PixelSize {
        maximumSize.map { ScaleMode.fit.size(of: size, in: $0) } ?? size
    }
}

extension CodecSet {
    /// The file for a picture within `bounds`, in the best quality that fits and no better than `options` say. Blocks.
    ///
    /// For its bytes the picture is written up to eight times; it is never made smaller than `maximumSize` asks. Throws
    /// `.cannotFit` where the lowest quality is still too large, and for formats and options without loss, whose files have
    /// the size that they have; `.cancelled` when the task is; else what `ImageEncoder.encode` throws.
    public func encode(
        _ bitmap: Bitmap, as format: ImageFormat, _ options: EncodingOptions = EncodingOptions(),
        within bounds: EncodingBounds
    ) throws(EncodingError) -> EncodedImage {
        guard let encoder = encoder(for: format) else { throw .unsupportedFormat(format) }
        let size = bounds.size(of: bitmap.size)
        let picture = try bitmap.scaledForEncoding(to: size)
        return try QualitySearch(options, bounds.maximumByteCount).run { options throws(EncodingError) in
            try encoder.encode(picture, options)
        }
    }

    /// The file for an animation within `bounds`, as for a picture: every frame becomes smaller by as much.
    public func encode(
        _ frames: any FrameSource, as format: ImageFormat, _ options: EncodingOptions = EncodingOptions(),
        within bounds: EncodingBounds
    ) throws(EncodingError) -> EncodedImage {
        guard let encoder = encoder(for: format) else { throw .unsupportedFormat(format) }
        let size = bounds.size(of: frames.size)
        let scaled: any FrameSource = size == frames.size ? frames : ScaledFrames(frames, to: size)
        return try QualitySearch(options, bounds.maximumByteCount).run { options throws(EncodingError) in
            try encoder.encode(scaled, options)
        }
    }
}
