public import FoundationEssentials

/// Whether a transfer that failed is tried again, and when. A pure rule: the clock and the dice are the caller's.
public enum RetryPolicy: Hashable, Sendable {
    /// One failure is one request. The default.
    case never
    /// After faults that pass: a connection that broke or could not be made, a name that was not found, silence, a body
    /// that ended early, and the statuses 408, 429 and those from 500 on but for 501 and 505.
    ///
    /// The wait is random, up to `base`, then to twice that, and so on up to `maximum`: clients that failed together do
    /// not come back together. A server that says when (`Retry-After`) is not asked before.
    ///
    /// - Parameters:
    ///   - maximumAttempts: How often the request is sent in all.
    ///   - budget: Nothing is tried again that would begin later than this after the first attempt.
    case backoff(
        maximumAttempts: Int = 3, base: Duration = .milliseconds(500), maximum: Duration = .seconds(30),
        budget: Duration = .seconds(60))

    /// How long to wait before the next attempt; nil when there is to be none.
    ///
    /// - Parameters:
    ///   - error: Why the last attempt failed. Being cancelled is never a reason to go on.
    ///   - retryAfter: What the server said; see `wait(saidBy:at:)`. It counts where the server answered with a status.
    ///   - attempt: How many attempts there were, from 1 on.
    ///   - spent: The time since the first attempt began.
    ///   - random: From 0 to less than 1, evenly.
    public func delay(
        after error: LoadingError, retryAfter: Duration? = nil, attempt: Int, spent: Duration, random: Double
    ) -> Duration? {
        guard case .backoff(let maximumAttempts, let base, let maximum, let budget) = self,
            error.mayPass, attempt < maximumAttempts
        else { return nil }
        var wait = Self.longestWait(base, maximum, attempt) * min(max(0, random), 1)
        if case .status = error, let retryAfter { wait = max(wait, retryAfter / .seconds(1)) }
        guard spent / .seconds(1) + wait <= budget / .seconds(1) else { return nil }
        return .seconds(wait)
    }

    /// `base` doubled with each attempt, in seconds and never negative. A `Duration` would trap where it overflows.
    private static func longestWait(_ base: Duration, _ maximum: Duration, _ attempt: Int) -> Double {
        let doublings = min(max(1, attempt), 100) - 1
        let growing = Double(sign: .plus, exponent: doublings, significand: base / .seconds(1))
        return max(0, min(growing, maximum / .seconds(1)))
    }

    /// What the value of a `Retry-After` field means at `date`: a number of seconds, or a time, which is no wait when it
    /// has passed. Nil where it is neither.
    public static func wait(saidBy retryAfter: String, at date: Date) -> Duration? {
        if let time = HTTPField.date(retryAfter) {
            let seconds = time.timeIntervalSince(date)
            return .seconds(min(max(0, seconds), Double(HTTPField.maximumSeconds)))
        }
        return HTTPField.members(of: retryAfter).first.flatMap { HTTPField.seconds($0) }.map { .seconds($0) }
    }
}

extension LoadingError {
    /// Whether the same request may succeed a little later.
    fileprivate var mayPass: Bool {
        switch self {
        case .timedOut, .connectionLost, .cannotConnect, .hostNotFound, .incomplete: true
        case .status(408), .status(429): true
        case .status(501), .status(505): false
        case .status(let status): (500..<600).contains(status)
        case .unsupportedScheme, .invalidDataURL, .fileNotFound, .isDirectory, .permissionDenied, .file, .insecure,
            .tooManyRedirects, .tooLarge, .outOfMemory, .mediaType, .refused, .plainHTTP, .rangeRefused,
            .redirectRefused, .invalidAnswer, .cancelled:
            false
        }
    }
}
