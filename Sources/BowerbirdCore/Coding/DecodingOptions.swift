/// How a file is to be decoded. Two equal values give equal pixels.
public struct DecodingOptions: Hashable, Sendable {
    /// The room for the picture, as it is looked at; nil (the default) decodes all of it. The picture then has exactly
    /// the size that `scaleMode` gives.
    public var targetSize: PixelSize?
    /// How the picture meets `targetSize`; `.fit` by default.
    public var scaleMode: ScaleMode
    /// Whether a picture smaller than `targetSize` is enlarged; false by default. Drawings (SVG) always are: they have no
    /// pixels of their own.
    public var allowsUpscaling: Bool
    /// What is given for speed when the picture is made smaller; `.quality` by default.
    public var scaling: Scaling
    /// Whether only the first picture of a file with several is wanted; false by default. A still file has no other.
    public var firstFrameOnly: Bool
    /// The page of a file with several, counted from 0, the default; `.noSuchFrame` where there is none. Of formats
    /// without pages only 0 is asked for.
    public var page: Int
    /// Which pixels are wanted; `.display` by default.
    public var pixels: Pixels
    /// What the numbers of the pixels are to mean; `.sRGB` by default.
    public var color: ColorHandling
    /// What the file may cost at the most.
    public var limits: DecodingLimits

    /// Without arguments: all of the picture, ready to be drawn, within the default limits.
    public init(
        targetSize: PixelSize? = nil, scaleMode: ScaleMode = .fit, allowsUpscaling: Bool = false,
        scaling: Scaling = .quality, firstFrameOnly: Bool = false, page: Int = 0, pixels: Pixels = .display,
        color: ColorHandling = .sRGB, limits: DecodingLimits = DecodingLimits()
    ) {
        self.targetSize = targetSize
        self.scaleMode = scaleMode
        self.allowsUpscaling = allowsUpscaling
        self.scaling = scaling
        self.firstFrameOnly = firstFrameOnly
        self.page = page
        self.pixels = pixels
        self.color = color
        self.limits = limits
    }

    /// What is given for speed when a picture is decoded straight to a smaller size.
    public enum Scaling: String, Hashable, Sendable {
        /// The decoder gives at least twice the target, and a Lanczos filter does the rest. The default.
        case quality
        /// The decoder gives at least the target: up to a third faster, and softer.
        case fast
    }

    /// Which pixels are wanted.
    public enum Pixels: String, Hashable, Sendable {
        /// `PixelFormat.bgra8Premultiplied`, ready to be drawn. The default.
        case display
        /// The file's own values, straight alpha: `.rgba16Straight` for deeper files, else `.rgba8Straight`. For
        /// conversion and for tests. Ignores `targetSize`.
        case exact
    }

    /// What the numbers of the pixels are to mean.
    public enum ColorHandling: String, Hashable, Sendable {
        /// sRGB, whatever the file has: what screens and everything else here take pixels for. The default.
        case sRGB
        /// What `DecodedImage.profile` says, which is the file's own: for conversion, which keeps the profile.
        case asStored
    }

    /// The size of the decoded picture for a file whose picture, upright, has `size`.
    public func outputSize(of size: PixelSize) -> PixelSize {
        guard let targetSize, pixels == .display else { return size }
        return scaleMode.size(of: size, in: targetSize, allowsUpscaling: allowsUpscaling)
    }
}
