public import BowerbirdCore
import FoundationEssentials

/// Why a request gave no picture. Each stage has its own error; the address says of which file or URL it speaks.
public indirect enum ImageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no address, or it is none even after normalising, or longer than 64 KB.
    case invalidURL(String)
    /// No cache has it, and the request allows nothing else (`CachePolicy.cacheOnly`).
    case notCached(address: String)
    /// It failed a short time ago, for this reason, and was not asked for again. See `FailurePolicy`.
    case failedBefore(ImageError)
    /// The bytes did not come.
    case loading(LoadingError, address: String)
    /// The bytes came, and the request's `DataTransform` could do nothing with them. The reason is the transform's own.
    case transform(String, address: String)
    /// The bytes came and are no picture that can be shown.
    case decoding(DecodingError, address: String)
    /// The picture could not be edited.
    case processing(ProcessingError, address: String)
    /// The source failed and all its alternatives too, each for its own reason, in order.
    case allFailed([ImageError])
    /// Whoever asked has left.
    case cancelled

    public var description: String {
        switch self {
        case .invalidURL(let text): Self.invalid(text)
        case .notCached(let address): "\(address): it is in no cache, and the network was not to be asked"
        case .failedBefore(let error): "\(error) (it failed before, and was not asked for again)"
        case .loading(let error, let address): "\(address): \(error)"
        case .transform(let reason, let address): "\(address): its bytes cannot be transformed: \(reason)"
        case .decoding(let error, let address): "\(address): \(error)"
        case .processing(let error, let address): "\(address): \(error)"
        case .allFailed(let errors): errors.map(\.description).joined(separator: "; ")
        case .cancelled: "the loading was cancelled"
        }
    }

    private static func invalid(_ text: String) -> String {
        if text.isEmpty { return "there is no address" }
        guard text.utf8.count > AddressCheck.maximumByteCount else {
            return "“\(text.prefix(200))” is not a URL\(fault(of: text))"
        }
        return
            "the address that begins with “\(text.prefix(80))” is \(text.utf8.count) bytes long, which no server takes"
    }

    private static func fault(of text: String) -> String {
        guard let url = URL(string: text) else { return "" }
        guard let scheme = url.scheme else { return ": it has no scheme, as in “https:”" }
        let isRemote = ["http", "https"].contains(scheme.lowercased())
        return isRemote && url.host()?.isEmpty != false ? ": it names no host" : ""
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

    /// Whether the bytes of the file are to blame, and not a limit of the request or of this machine.
    var isFaultOfFile: Bool {
        switch self {
        case .transform: true
        case .decoding(.empty, _), .decoding(.unsupportedFormat, _), .decoding(.truncated, _), .decoding(.corrupt, _):
            true
        default: false
        }
    }

    /// What `body` returns or throws, as a value.
    static func catching<Value>(
        _ body: () async throws(ImageError) -> Value
    ) async -> Result<Value, ImageError> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
