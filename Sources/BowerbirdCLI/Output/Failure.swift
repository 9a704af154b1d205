import Bowerbird

/// Why one of the inputs came to nothing.
struct Failure: Error, Hashable {
    /// The URL or the file.
    let address: String
    /// What happened, and what to do where that is clear.
    let reason: String
    /// What the program was about.
    let stage: Stage
    /// A word for programs that does not change.
    let kind: String
    /// The HTTP status where that is the failure.
    var status: Int?

    /// What becomes of an input, one after the other.
    enum Stage: String, Sendable {
        case request, loading, decoding, processing, encoding, writing
    }

    /// For standard error.
    var line: String { "bowerbird: \(address.printable): \(reason.printable)" }

    /// For standard output.
    ///
    /// - Parameter input: The address as the user wrote it.
    func json(_ input: String) -> JSONLine {
        var line = JSONLine()
        line.add("source", input)
        line.add("url", input)
        line.add("error", error)
        line.add("kind", kind)
        if let status { line.add("status", status) }
        return line
    }

    private var error: JSONLine {
        var error = JSONLine()
        error.add("stage", stage.rawValue)
        error.add("kind", kind)
        error.add("message", reason)
        return error
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
            self.init(address: address, reason: "this is no URL", stage: .request, kind: "invalid-url")
        case .loading(let error, let address):
            let status: Int? = if case .status(let status) = error { status } else { nil }
            self.init(address: address, reason: error.reason, stage: .loading, kind: error.kind, status: status)
        case .decoding(let error, let address):
            self.init(error, address)
        case .processing(let error, let address):
            self.init(error, address)
        case .transform(let reason, let address):
            self.init(address: address, reason: reason, stage: .loading, kind: "not-transformed")
        case .notCached(let address):
            self.init(
                address: address, reason: "it is in no cache, and the network is off", stage: .loading,
                kind: "not-cached")
        case .failedBefore(let error): self.init(error)
        case .allFailed(let errors): self.init(errors.last ?? .cancelled)
        case .cancelled:
            self.init(address: "loading", reason: error.description, stage: .loading, kind: "cancelled")
        }
    }

    init(_ error: DecodingError, _ address: String) {
        self.init(address: address, reason: error.description, stage: .decoding, kind: error.kind)
    }

    init(_ error: ProcessingError, _ address: String) {
        self.init(address: address, reason: error.description, stage: .processing, kind: "editing-failed")
    }

    init(_ error: EncodingError, _ address: String) {
        self.init(address: address, reason: error.description, stage: .encoding, kind: error.kind)
    }

    init(_ error: OutputError, _ address: String) {
        self.init(address: address, reason: "\(error.path) \(error.reason)", stage: .writing, kind: "not-written")
    }

    init(folder error: OutputError) {
        self.init(address: error.path, reason: error.reason, stage: .writing, kind: "not-written")
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

extension EncodingError {
    fileprivate var kind: String {
        switch self {
        case .unsupportedFormat: "unsupported-format"
        case .tooLarge: "too-large-for-format"
        case .cannotAnimate: "cannot-animate"
        case .unreadableFrame: "unreadable-frame"
        case .cannotFit: "cannot-fit"
        case .cancelled: "cancelled"
        case .failed: "not-encoded"
        case .outOfMemory: "out-of-memory"
        }
    }
}
