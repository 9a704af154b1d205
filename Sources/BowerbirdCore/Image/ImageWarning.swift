/// A fault of a file that did not keep it from being shown.
public enum ImageWarning: Hashable, Sendable, CustomStringConvertible {
    /// The file ends too early; the rest of the picture is missing.
    case truncated(atByte: Int)
    /// Some of the file makes no sense; the decoder went on behind it. The text is the format library's.
    case corrupt(String)

    public var description: String {
        switch self {
        case .truncated(let offset): "the file ends early, at byte \(offset)"
        case .corrupt(let reason): "the file is damaged: \(reason)"
        }
    }
}
