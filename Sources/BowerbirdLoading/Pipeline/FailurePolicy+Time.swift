import BowerbirdCore
import FoundationEssentials

extension FailurePolicy {
    /// For how many seconds `error` is remembered; nil for not at all.
    func timeToLive(of error: ImageError) -> TimeInterval? {
        switch self {
        case .byReason: error.timeToLive
        case .session: error.isOfTheURL ? .infinity : nil
        case .off: nil
        }
    }
}

private let minute: TimeInterval = 60

extension ImageError {
    fileprivate var timeToLive: TimeInterval? {
        switch self {
        case .loading(.status(let status), _): Self.timeToLive(ofStatus: status)
        case .loading(.tooManyRedirects, _): minute
        case .decoding(let error, _): error.timeToLive
        case .loading, .invalidURL, .notCached, .failedBefore, .allFailed, .transform, .processing, .cancelled: nil
        }
    }

    private static func timeToLive(ofStatus status: Int) -> TimeInterval? {
        switch status {
        case 404, 410: 10 * minute
        // About who asks, or about the moment.
        case 401, 403, 407, 408, 425, 429: nil
        case 400..<500: minute
        default: nil
        }
    }

    /// Whether the same URL would fail for anybody who is online.
    fileprivate var isOfTheURL: Bool {
        switch self {
        case .loading(let error, _): error.isOfTheURL
        case .decoding(let error, _): error.timeToLive != nil
        case .invalidURL, .notCached, .failedBefore, .allFailed, .transform, .processing, .cancelled: false
        }
    }
}

extension LoadingError {
    fileprivate var isOfTheURL: Bool {
        switch self {
        case .status, .tooManyRedirects, .insecure, .mediaType, .invalidAnswer: true
        // Offline, in one way or another.
        case .hostNotFound, .cannotConnect, .connectionLost, .timedOut, .incomplete: false
        // Limits of the request, of the application, or of this machine.
        case .tooLarge, .outOfMemory, .refused, .redirectRefused, .plainHTTP, .rangeRefused, .cancelled: false
        // Found out without a transfer, and mended without another URL.
        case .unsupportedScheme, .invalidDataURL, .fileNotFound, .isDirectory, .permissionDenied, .file: false
        }
    }
}

extension DecodingError {
    fileprivate var timeToLive: TimeInterval? {
        switch self {
        case .corrupt, .unsupportedFormat: 60 * minute
        // Where a server names no length, a connection that breaks looks like the end of the file.
        case .empty, .truncated: minute
        // Limits of the request, or of this machine.
        case .tooLarge, .tooManyScans, .tooManyFrames, .tooMuchMetadata, .tooDeeplyNested, .tookTooLong: nil
        case .noSuchFrame, .outOfMemory, .cancelled: nil
        }
    }
}
