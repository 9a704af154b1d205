/// Why a text or bytes are no BlurHash or ThumbHash.
public enum PlaceholderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is shorter or longer than it says that it is.
    case wrongLength(Int, expected: Int)
    /// The character at this place, from 0 on, is none of those that are used.
    case unknownCharacter(at: Int)
    /// What stands at this place, from 0 on, is out of range.
    case invalidValue(at: Int)

    public var description: String {
        switch self {
        case .wrongLength(let length, let expected): "the hash has the length \(length) instead of \(expected)"
        case .unknownCharacter(let place): "the hash has an unknown character at \(place)"
        case .invalidValue(let place): "the hash has a value that is out of range at \(place)"
        }
    }
}
