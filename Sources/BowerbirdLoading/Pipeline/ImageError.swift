public import BowerbirdCore

/// Why a request gave no picture. Each stage has its own error; the address says of which file or URL it speaks.
public enum ImageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is no URL, even after normalising.
    case invalidURL(String)
    /// The bytes did not come.
    case loading(LoadingError, address: String)
    /// The bytes came and are no picture that can be shown.
    case decoding(DecodingError, address: String)
    /// The picture could not be edited.
    case processing(ProcessingError, address: String)
    /// Whoever asked has left.
    case cancelled

    public var description: String {
        switch self {
        case .invalidURL(let text): "“\(text.prefix(200))” is not a URL"
        case .loading(let error, let address): "\(address): \(error)"
        case .decoding(let error, let address): "\(address): \(error)"
        case .processing(let error, let address): "\(address): \(error)"
        case .cancelled: "the loading was cancelled"
        }
    }
}

// A stage that was cancelled is no fault of that stage: all three become `.cancelled`.
extension ImageError {
    init(_ error: LoadingError, _ source: ImageSource) {
        self = error == .cancelled ? .cancelled : .loading(error, address: source.address)
    }

    init(_ error: DecodingError, _ source: ImageSource) {
        self = error == .cancelled ? .cancelled : .decoding(error, address: source.address)
    }

    init(_ error: ProcessingError, _ source: ImageSource) {
        self = error == .cancelled ? .cancelled : .processing(error, address: source.address)
    }
}
