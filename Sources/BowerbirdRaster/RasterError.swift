package import BowerbirdCore

/// Why work on pixels ended without a result. Codecs and processors turn it into the error of their own stage.
package enum RasterError: Error, Hashable, Sendable {
    /// The machine has no memory for a picture of this size.
    case outOfMemory(PixelSize)
    /// The work wants other pixels than these.
    case unsupportedPixels(PixelFormat)
    /// The task that asked was cancelled.
    case cancelled
}
