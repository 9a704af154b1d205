/// Turns a picture into another one: resizes it, rounds its corners, tints it.
///
/// A conformer is a value; any thread may use it, several at once. It meets final pictures and previews alike.
public protocol ImageProcessor: Sendable {
    /// The identity: two processors with equal keys do the same to every picture, so every parameter is in it. It is
    /// part of the key under which the result is cached.
    var cacheKey: String { get }

    /// The edited picture. Blocks for as long as the work takes; looks at `Task.isCancelled` where that is long. Of an
    /// animation it meets each frame by itself: see `edit(_:)`.
    func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage

    /// The size for which a file may be decoded where this processor is the first and nobody has asked for a size;
    /// nil, the default, for one that needs every pixel. It then meets a picture of that size, or a smaller one.
    var decodingTarget: DecodingTarget? { get }

    /// The processors that this one stands for, in their order: itself alone by default. A pipeline takes each by itself,
    /// so that two lists share the pictures that they begin with.
    var steps: [any ImageProcessor] { get }
}

extension ImageProcessor {
    public var decodingTarget: DecodingTarget? { nil }
    public var steps: [any ImageProcessor] { [self] }
}

/// The room for a picture, and how it meets that; a smaller one is not enlarged.
public struct DecodingTarget: Hashable, Sendable {
    /// In pixels.
    public var size: PixelSize
    /// How the picture meets `size`.
    public var scaleMode: ScaleMode

    /// The room, and how it is met.
    public init(_ size: PixelSize, _ scaleMode: ScaleMode) {
        self.size = size
        self.scaleMode = scaleMode
    }
}

/// Why a picture could not be edited.
public enum ProcessingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A parameter makes no sense; the text says which and why.
    case invalidParameter(String)
    /// The processor works on other pixels than these.
    case unsupportedPixels(PixelFormat)
    /// The machine has no memory for a picture of this size.
    case outOfMemory(PixelSize)
    /// The task that asked was cancelled.
    case cancelled

    public var description: String {
        switch self {
        case .invalidParameter(let reason): reason
        case .unsupportedPixels(let format): "pixels of the kind \(format.rawValue) cannot be edited"
        case .outOfMemory(let size): "there is no memory to edit a picture of \(size) pixels"
        case .cancelled: "the editing was cancelled"
        }
    }
}
