/// Why something could not be drawn, read or written.
public nonisolated enum GraphicsError: Error, Equatable, CustomStringConvertible {
    /// The widget is in no window that has drawn a frame.
    case notShown
    /// The pixels do not have the form that is needed.
    case unusablePixels(String)
    /// The file could not be read as PNG.
    case cannotRead(path: String, reason: String)
    /// The file could not be written.
    case cannotWrite(path: String, reason: String)

    /// One line, for the user.
    public var description: String {
        switch self {
        case .notShown: "the widget has not been drawn yet"
        case .unusablePixels(let reason): "unusable pixels: \(reason)"
        case .cannotRead(let path, let reason): "cannot read \(path): \(reason)"
        case .cannotWrite(let path, let reason): "cannot write \(path): \(reason)"
        }
    }
}
