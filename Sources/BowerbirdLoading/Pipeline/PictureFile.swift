import BowerbirdCore

/// A picture written down, to be kept on the disk.
struct PictureFile: Sendable {
    let data: EncodedImage
    let format: ImageFormat
}

extension CodecSet {
    /// The file for a picture, upright and with its frames and its colours; nil as a format chooses one by the picture.
    /// Blocks; throws what the encoder throws. An animation stays one: a format of stills does not take it.
    func file(of image: DecodedImage, as format: ImageFormat?) throws(EncodingError) -> PictureFile {
        if let format { return PictureFile(data: try written(image, as: format), format: format) }
        var failure = EncodingError.unsupportedFormat(image.header.format)
        for format in image.ownFormats {
            do throws(EncodingError) { return PictureFile(data: try written(image, as: format), format: format) } catch
            {
                guard error.isOfFormat else { throw error }
                failure = error
            }
        }
        throw failure
    }

    private func written(_ image: DecodedImage, as format: ImageFormat) throws(EncodingError) -> EncodedImage {
        var options = EncodingOptions()
        options.profile = image.profile
        guard let frames = image.frames else { return try encode(image.bitmap, as: format, options) }
        return try encode(frames, as: format, options)
    }
}

extension DecodedImage {
    /// In which formats it may be kept, the best first: its own, where that does not lose much of it, and then those
    /// that nearly every build writes.
    var ownFormats: [ImageFormat] {
        let own = header.format
        let others: [ImageFormat] = frames != nil ? [.png, .gif] : needsEveryBit ? [.png, .qoi] : [.jpeg, .png, .qoi]
        return (isLost(in: own) ? [] : [own]) + others.filter { $0 != own }
    }

    /// JPEG would show: transparent, of 16 bits a component, or of a format of drawings.
    private var needsEveryBit: Bool {
        !bitmap.isOpaque || isDeep || [.gif, .svg, .ico, .bmp].contains(header.format)
    }
    private var isDeep: Bool { bitmap.format == .rgba16Straight }

    /// What a format of somebody's own can do, only its encoder knows.
    private func isLost(in format: ImageFormat) -> Bool {
        switch format {
        // An animation of that format has few colours, until it is scaled.
        case .gif: frames == nil || size != header.size
        // Nothing of it, but it takes as much room as in memory.
        case .bmp: true
        case .jpeg: needsEveryBit
        case .webP, .avif, .heif, .qoi: isDeep
        default: false
        }
    }
}

extension EncodingError {
    /// Whether another format might do.
    fileprivate var isOfFormat: Bool {
        switch self {
        case .unsupportedFormat, .cannotAnimate, .tooLarge: true
        default: false
        }
    }
}
