/// Turns a picture into another one: resizes it, rounds its corners, tints it.
///
/// A conformer is a value; any thread may use it, several at once. It meets final pictures and previews alike.
public protocol ImageProcessor: Sendable {
    /// The identity: two processors with equal keys do the same to every picture, so every parameter is in it. It is
    /// part of the key under which the result is cached.
    var cacheKey: String { get }

    /// The edited picture. Blocks for as long as the work takes; looks at `Task.isCancelled` where that is long.
    func process(_ image: DecodedImage) throws(ProcessingError) -> DecodedImage
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
