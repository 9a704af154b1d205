/// How a file is to be decoded. Two equal values give equal pixels.
public struct DecodingOptions: Hashable, Sendable {
    /// The room for the picture, as it is looked at; nil (the default) decodes all of it. The picture then has exactly
    /// the size that `scaleMode` gives, and is never enlarged.
    public var targetSize: PixelSize?
    /// How the picture meets `targetSize`; `.fit` by default.
    public var scaleMode: ScaleMode
    /// What is given for speed when the picture is made smaller; `.quality` by default.
    public var scaling: Scaling
    /// Whether only the first picture of a file with several is wanted; false by default. A still file has no other.
    public var firstFrameOnly: Bool
    /// Which pixels are wanted; `.display` by default.
    public var pixels: Pixels
    /// What the file may cost at the most.
    public var limits: DecodingLimits

    /// Without arguments: all of the picture, ready to be drawn, within the default limits.
    public init(
        targetSize: PixelSize? = nil, scaleMode: ScaleMode = .fit, scaling: Scaling = .quality,
        firstFrameOnly: Bool = false, pixels: Pixels = .display, limits: DecodingLimits = DecodingLimits()
    ) {
        self.targetSize = targetSize
        self.scaleMode = scaleMode
        self.scaling = scaling
        self.firstFrameOnly = firstFrameOnly
        self.pixels = pixels
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

    /// The size of the decoded picture for a file whose picture, upright, has `size`.
    public func outputSize(of size: PixelSize) -> PixelSize {
        guard let targetSize, pixels == .display else { return size }
        return scaleMode.size(of: size, in: targetSize)
    }
}

/// What a file may cost at the most. A file that wants more is refused before its pixels are allocated.
public struct DecodingLimits: Hashable, Sendable {
    /// Pixels of the stored picture. The default, 2²⁸, is 16,384 × 16,384: 1 GB once decoded.
    public var maximumPixelCount: Int
    /// Scans of one progressive file. Each costs a pass over the whole picture; real files have 10 to 20, attacks
    /// thousands. The default is 200.
    public var maximumScanCount: Int

    /// The defaults suit files from strangers.
    public init(maximumPixelCount: Int = 1 << 28, maximumScanCount: Int = 200) {
        self.maximumPixelCount = maximumPixelCount
        self.maximumScanCount = maximumScanCount
    }

    /// Throws `.tooLarge` for a picture over the limit and `.corrupt` for one without pixels.
    public func check(_ size: PixelSize) throws(DecodingError) {
        guard !size.isEmpty else { throw .corrupt("its size is \(size)") }
        guard size.pixelCount <= maximumPixelCount else { throw .tooLarge(size, maximumPixelCount: maximumPixelCount) }
    }
}
