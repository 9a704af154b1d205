import Bowerbird

/// The pictures of one file, made when they are asked for: the frames of an animation, the pages of a document, or the one
/// of a still.
struct PictureSeries: Sendable {
    let header: ImageHeader
    /// At least 1.
    let count: Int
    /// Nil for stills and documents, and for an animation of one frame, which nothing tells from a still.
    let frames: (any FrameSource)?

    private let file: EncodedImage
    private let options: DecodingOptions
    private let codecs: CodecSet

    /// Decodes nothing yet.
    ///
    /// - Parameter header: Of the whole file.
    init(
        of file: EncodedImage, _ header: ImageHeader, _ options: DecodingOptions, _ codecs: CodecSet
    ) throws(DecodingError) {
        self.header = header
        self.file = file
        self.options = options
        self.codecs = codecs
        let isStill = header.frameCount == 1 && !header.isAnimated
        let found = isStill ? nil : try codecs.frames(in: file, options)
        frames = found.flatMap { $0.frameCount > 1 ? $0 : nil }
        // What calls itself animated and has no frames to show is a still.
        let pageCount = header.isAnimated ? 1 : header.frameCount ?? 1
        count = max(1, found?.frameCount ?? pageCount)
    }

    struct Picture: Sendable {
        let bitmap: Bitmap
        /// What its numbers mean.
        let profile: ColorProfile
        let warnings: [ImageWarning]
    }

    /// Blocks. Throws `.noSuchFrame` where there is none of this number, counted from 0.
    func picture(at index: Int) throws(DecodingError) -> Picture {
        guard (0..<count).contains(index) else { throw .noSuchFrame(index, count: count) }
        if let frames { return Picture(bitmap: try frames.frame(at: index), profile: profile, warnings: []) }
        var options = options
        options.page = index
        options.firstFrameOnly = true
        let image = try file.withBytes { bytes throws(DecodingError) in try codecs.decode(bytes, options) }
        return Picture(bitmap: image.bitmap, profile: image.profile, warnings: image.warnings)
    }

    /// What the numbers of all pictures mean.
    var profile: ColorProfile { options.color == .asStored ? header.profile : .sRGB }
}

extension CodecSet {
    func header(of file: EncodedImage) throws(DecodingError) -> ImageHeader {
        try file.withBytes { bytes throws(DecodingError) in try header(of: bytes) }
    }

    func metadata(of file: EncodedImage) throws(DecodingError) -> ImageMetadata {
        try file.withBytes { bytes throws(DecodingError) in try metadata(of: bytes) }
    }
}

extension DecodingOptions {
    /// The file's own pixels for a file of `format`, in the file's own colours where that can say which they are.
    static func exact(_ header: ImageHeader, for format: ImageFormat) -> DecodingOptions {
        DecodingOptions(pixels: .exact, color: format.keeps(header.profile) ? .asStored : .sRGB)
    }
}

extension ImageFormat {
    /// Whether its files can say that their pixels, red, green and blue, are of this profile.
    fileprivate func keeps(_ profile: ColorProfile) -> Bool {
        switch profile {
        case .unspecified, .sRGB: true
        case .cicp(CodingPoints(primaries: 1, transfer: 8)) where self == .qoi: true
        case .cicp: [.png, .avif, .heif, .jxl].contains(self)
        case .icc(let profile):
            profile.colorSpace == .rgb && [.jpeg, .png, .webP, .avif, .heif, .jxl, .tiff, .bmp].contains(self)
        }
    }
}
