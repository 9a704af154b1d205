/// What a file says of its picture before any pixel is decoded.
public struct ImageHeader: Hashable, Sendable {
    /// Read from the bytes, never from a name.
    public var format: ImageFormat
    /// The size in which the picture is stored. See `size`.
    public var storedSize: PixelSize
    /// How the stored picture is to be turned; decoders have done so already.
    public var orientation: Orientation
    /// Whether the file can be transparent anywhere; its pixels may all be opaque even so.
    public var hasAlpha: Bool
    /// Bits of one component of one pixel: 8 for most files.
    public var bitsPerComponent: Int
    /// Whether the file is laid out to show the whole picture early: progressive JPEG, interlaced PNG.
    public var isProgressive: Bool
    /// What the numbers of the stored pixels mean.
    public var profile: ColorProfile
    /// How many frames an animation has, or pages a document; 1 for a still. Nil where only the whole file tells.
    public var frameCount: Int?
    /// How often an animation is played; nil for a still, and where these bytes do not tell yet.
    public var loopCount: LoopCount?
    /// Whether its frames are shown one after the other; pages of a document are not.
    public var isAnimated: Bool

    /// An upright, opaque still of 8 bits a component, unless more is said.
    public init(
        format: ImageFormat, storedSize: PixelSize, orientation: Orientation = .topLeft, hasAlpha: Bool = false,
        bitsPerComponent: Int = 8, isProgressive: Bool = false, profile: ColorProfile = .unspecified,
        frameCount: Int? = 1, loopCount: LoopCount? = nil, isAnimated: Bool = false
    ) {
        self.format = format
        self.storedSize = storedSize
        self.orientation = orientation
        self.hasAlpha = hasAlpha
        self.bitsPerComponent = bitsPerComponent
        self.isProgressive = isProgressive
        self.profile = profile
        self.frameCount = frameCount
        self.loopCount = loopCount
        self.isAnimated = isAnimated
    }

    /// The size in which the picture is looked at: `storedSize`, turned by `orientation`.
    public var size: PixelSize { orientation.displayedSize(of: storedSize) }
}
