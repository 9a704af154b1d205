public import BowerbirdCore

/// The answer to a request.
public struct ImageResponse: Sendable {
    /// The final picture, edited.
    public var image: DecodedImage
    /// Where it was found.
    public var origin: Origin
    /// The size of the encoded file, in bytes; nil for a picture from memory, whose file was not looked at.
    public var byteCount: Int?
    /// Pixels a point: that of the request, else the `@2x` of the file's name, else 1.
    public var scaleFactor: Double
    /// Why it is an older picture than it should be: what went wrong when the server was asked. nil where all is well.
    public var staleness: ImageError?
    /// How long this asker waited.
    public var timings: Timings

    /// Where a picture was found, from the nearest to the farthest.
    public enum Origin: String, Hashable, Sendable {
        /// Decoded and edited, in the image cache.
        case memory
        /// A file of the user's, a data URL, or bytes that the request brought along.
        case local
        /// The original bytes, in the data cache.
        case disk
        /// A server.
        case network
    }

    /// Measured from the moment of asking.
    public struct Timings: Hashable, Sendable {
        /// Until the first preview; nil where there was none.
        public var firstPreview: Duration?
        /// Until the final picture.
        public var total: Duration
    }
}

/// How much of a file has arrived.
public struct TransferProgress: Hashable, Sendable {
    /// Bytes so far.
    public var received: Int
    /// Bytes in all; nil where the server did not say.
    public var total: Int?

    /// Both in bytes; nil where the whole is not known.
    public init(received: Int, total: Int?) {
        self.received = received
        self.total = total
    }

    /// From 0 to 1; nil where the whole is not known. Never negative, never NaN.
    public var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, Double(received) / Double(total))
    }
}
