public import BowerbirdCore

/// What the disk keeps of a remote picture.
///
///     request.options.diskContent = .both(.automatic)
public enum DiskContent: Hashable, Sendable {
    /// The bytes of the file, from which every size and edit can be made again.
    case original
    /// The finished picture, and not the file: small, but the next size or edit is another transfer. A request that has
    /// neither a size nor edits keeps the original. In a format that this build can write, or in one that is chosen
    /// by the picture: `.automatic`.
    ///
    /// It is written behind the answer, which does not wait for it. What comes back from the disk has the header of that
    /// file: the size in it is that of the finished picture.
    case processed(ImageFormat?)
    /// Both: the finished picture is there at once, and every other one without a transfer.
    case both(ImageFormat?)

    var keepsOriginal: Bool { if case .processed = self { false } else { true } }
    var keepsProcessed: Bool { self != .original }

    /// Nil where it is chosen by the picture.
    var processedFormat: ImageFormat? {
        switch self {
        case .original: nil
        case .processed(let format), .both(let format): format
        }
    }
}

extension ImageFormat? {
    /// Chosen by the picture: the format of the file that it was made of, where this build can write it and little of the
    /// picture is lost in it. Else PNG for animations, drawings, and pictures that are transparent or have 16 bits a
    /// component, and JPEG for all others.
    public static var automatic: ImageFormat? { nil }
}
