import Bowerbird

/// Why one of the inputs came to nothing.
struct Failure: Error, Hashable {
    /// The URL or the file.
    let address: String
    /// What happened, and what to do where that is clear.
    let reason: String
    /// A word for programs that does not change.
    let kind: String
    /// The HTTP status where that is the failure.
    var status: Int?

    /// For standard error.
    var line: String { "bowerbird: \(address.printable): \(reason.printable)" }

    /// For standard output.
    ///
    /// - Parameter input: The address as the user wrote it.
    func json(_ input: String) -> JSONLine {
        var line = JSONLine()
        line.add("url", input)
        line.add("error", reason)
        line.add("kind", kind)
        if let status { line.add("status", status) }
        return line
    }
}

extension Failure {
    /// What `body` returns or throws, as a value.
    static func catching<Value>(_ body: () async throws(Failure) -> Value) async -> Result<Value, Failure> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }

    init(_ error: ImageError) {
        switch error {
        case .invalidURL(let text):
            let address = text.isEmpty ? "''" : String(text.prefix(200))
            self.init(address: address, reason: "this is no URL", kind: "invalid-url")
        case .loading(let error, let address):
            let status: Int? = if case .status(let status) = error { status } else { nil }
            self.init(address: address, reason: error.reason, kind: error.kind, status: status)
        case .decoding(let error, let address):
            self.init(address: address, reason: error.description, kind: error.kind)
        case .processing(let error, let address):
            self.init(address: address, reason: error.description, kind: "editing-failed")
        case .transform(let reason, let address): self.init(address: address, reason: reason, kind: "not-transformed")
        case .notCached(let address):
            self.init(address: address, reason: "it is in no cache, and the network is off", kind: "not-cached")
        case .failedBefore(let error): self.init(error)
        case .allFailed(let errors): self.init(errors.last ?? .cancelled)
        case .cancelled: self.init(address: "loading", reason: error.description, kind: "cancelled")
        }
    }

    init(_ error: DecodingError, _ address: String) {
        self.init(address: address, reason: error.description, kind: error.kind)
    }

    init(_ error: EncodingError, _ address: String) {
        self.init(address: address, reason: error.description, kind: "not-encoded")
    }

    init(_ error: OutputError, _ address: String) {
        self.init(address: address, reason: "\(error.path) \(error.reason)", kind: "not-written")
    }

    init(folder error: OutputError) {
        self.init(address: error.path, reason: error.reason, kind: "not-written")
    }
}

extension LoadingError {
    fileprivate var reason: String {
        switch self {
        case .isDirectory: "\(self); name the files in it instead"
        case .hostNotFound: "\(self); check its spelling and the network"
        case .status(401), .status(403): "\(self): it does not give this to everybody"
        case .status(404), .status(410): "\(self): there is nothing at this address"
        case .status(429), .status(500...): "\(self): it cannot do it now, try again later"
        case .unsupportedScheme: "\(self); http, https, file and data do load"
        default: description
        }
    }

    fileprivate var kind: String {
        switch self {
        case .unsupportedScheme: "unsupported-scheme"
        case .invalidDataURL: "invalid-data-url"
        case .fileNotFound: "file-not-found"
        case .isDirectory: "is-directory"
        case .permissionDenied: "permission-denied"
        case .file: "unreadable-file"
        case .hostNotFound: "host-not-found"
        case .cannotConnect: "cannot-connect"
        case .connectionLost: "connection-lost"
        case .timedOut: "timed-out"
        case .insecure: "insecure"
        case .tooManyRedirects: "too-many-redirects"
        case .redirectRefused: "redirect-refused"
        case .invalidAnswer: "invalid-answer"
        case .status: "status"
        case .mediaType: "wrong-media-type"
        case .refused: "refused"
        case .plainHTTP: "not-encrypted"
        case .rangeRefused, .incomplete: "incomplete"
        case .tooLarge: "too-large"
        case .outOfMemory: "out-of-memory"
        case .cancelled: "cancelled"
        }
    }
}

extension DecodingError {
    fileprivate var kind: String {
        switch self {
        case .empty: "empty"
        case .unsupportedFormat(nil, _): "not-an-image"
        case .unsupportedFormat: "unsupported-format"
        case .truncated: "truncated"
        case .corrupt: "corrupt"
        case .tooLarge: "too-many-pixels"
        case .tooManyScans: "too-many-scans"
        case .tooManyFrames: "too-many-frames"
        case .tooMuchMetadata: "too-much-metadata"
        case .tooDeeplyNested: "too-deeply-nested"
        case .tookTooLong: "took-too-long"
        case .noSuchFrame: "no-such-frame"
        case .outOfMemory: "out-of-memory"
        case .cancelled: "cancelled"
        }
    }
}
