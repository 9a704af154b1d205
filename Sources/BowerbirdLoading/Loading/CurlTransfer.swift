import BowerbirdCore
import CCurl
import FoundationEssentials

/// One request on one easy handle. Only the loop's thread touches it, and libcurl calls back on that thread; the loop
/// keeps it while its handle is in use.
final class CurlTransfer {
    let order: TransferOrder
    let handle: CurlHandle
    /// The loop's, which notes here when libcurl first gets the word.
    var firstTurn = 0

    private enum Phase {
        case head
        case body(received: Int, expected: Int?)
        case refused(LoadingError)
    }
    private var phase = Phase.head
    private var headParser = HeadParser()
    /// Nil while the server owes nothing: before the request is sent, and while the reader is behind.
    private var lastSign: Milliseconds?
    private var hasNews = false
    private var byteLimit: Int
    private let beginning: ContinuousClock.Instant?

    init(_ order: TransferOrder, on handle: CurlHandle) {
        self.order = order
        self.handle = handle
        byteLimit = order.request.maximumByteCount
        beginning = order.request.onMetrics == nil ? nil : .now
        handle.begin(self, order.request)
    }
}

/// What the loop asks.
extension CurlTransfer {
    /// The reader has taken what was there.
    func resume() -> CURLcode {
        lastSign = Monotonic.now
        return unsafe curl_easy_pause(handle.easy, CURLPAUSE_CONT)
    }

    /// Wakes the reader where something has come. Late, so that a small answer wakes it once.
    func announce() {
        guard hasNews else { return }
        hasNews = false
        order.body.wakeReaders()
    }

    /// How much longer the server may be silent; nil where it owes nothing.
    func silenceLeft(of timeout: Milliseconds, now: Milliseconds) -> Milliseconds? {
        lastSign.map { $0 + timeout - now }
    }

    func silence(of timeout: Duration) -> LoadingError {
        .timedOut("nothing came from \(effectiveURL?.host() ?? "it") for \(timeout)")
    }

    /// Why it did not end well; nil where it did.
    func failure(for result: CURLcode) -> LoadingError? {
        if result == CURLE_OK { _ = passHead() }
        if case .refused(let error) = phase { return error }
        if result == CURLE_OK { return nil }
        return LoadingError(result, self)
    }

    /// To be called once, at the end. A handle that libcurl has not taken up tells about the transfer before.
    func reportMetrics(isTakenUp: Bool) {
        guard let report = order.request.onMetrics, let beginning else { return }
        var metrics = isTakenUp ? TransferMetrics(of: handle) : TransferMetrics()
        // libcurl looks at its clock only when something happens, so it would not know of a long silence before the end.
        metrics.total = max(metrics.firstByte, ContinuousClock.now - beginning)
        report(metrics)
    }

    /// How much of the body came, of how much.
    var progress: (received: Int, expected: Int?) {
        guard case .body(let received, let expected) = phase else { return (0, nil) }
        return (received, expected)
    }

    /// The address of the last redirect, or the request's.
    var effectiveURL: URL? { handle.effectiveURL(from: order.request.url) }

    func message(for result: CURLcode) -> String { handle.message(for: result) }
}

/// What libcurl brings.
extension CurlTransfer {
    func beginWaiting() { lastSign = Monotonic.now }

    func receive(line: UnsafeRawBufferPointer) {
        lastSign = Monotonic.now
        guard case .head = phase else { return }
        unsafe headParser.receive(line)
    }

    /// How many bytes were taken, or what libcurl has for "later" and "never".
    func receive(body bytes: UnsafeRawBufferPointer) -> Int {
        guard passHead(), case .body(let received, let expected) = phase else { return Self.refusal }
        guard bytes.count <= byteLimit - received else { return refuse(tooLarge) }
        switch unsafe order.body.receive(bytes) {
        case .taken: break
        case .full: return pause()
        case .abandoned: return refuse(.cancelled)
        }
        lastSign = Monotonic.now
        hasNews = true
        phase = .body(received: received + bytes.count, expected: expected)
        return bytes.count
    }

    private static let refusal = Int(CURL_WRITEFUNC_ERROR)

    private var tooLarge: LoadingError { .tooLarge(maximumByteCount: order.request.maximumByteCount) }

    private func refuse(_ error: LoadingError) -> Int {
        phase = .refused(error)
        return Self.refusal
    }

    /// libcurl brings the same bytes again when it goes on.
    private func pause() -> Int {
        lastSign = nil
        return Int(CURL_WRITEFUNC_PAUSE)
    }

    /// Hands over the head at the first byte of the body, or at the end: only then have all redirects been followed.
    private func passHead() -> Bool {
        guard case .head = phase else { return true }
        let head = head(from: headParser)
        if let error = refusal(of: head) {
            phase = .refused(error)
            return false
        }
        phase = .body(received: 0, expected: head.expectedByteCount)
        if isHandedOver(head) { byteLimit = .max }
        order.body.receive(head)
        hasNews = true
        return true
    }

    private func head(from parser: HeadParser) -> ResponseHead {
        let fields = parser.fields
        return ResponseHead(
            url: effectiveURL ?? order.request.url, status: handle.number(CURLINFO_RESPONSE_CODE), headers: fields,
            expectedByteCount: expectedByteCount(fields))
    }

    /// Of a 304 libcurl does not believe the length that its head may name.
    private func expectedByteCount(_ fields: [String: String]) -> Int? {
        let length = handle.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        return length >= 0 && !fields.saysContentIsEncoded ? length : nil
    }

    /// A redirect that somebody else follows: its body is not what was asked for, so no limit counts for it.
    private func isHandedOver(_ head: ResponseHead) -> Bool { !handle.followsRedirects && head.isRedirect }

    private func refusal(of head: ResponseHead) -> LoadingError? {
        if isHandedOver(head) { return nil }
        if let status = head.status, !order.request.acceptsAnyStatus, !(200...299).contains(status) {
            return .status(status)
        }
        return (head.expectedByteCount ?? 0) > order.request.maximumByteCount ? tooLarge : nil
    }
}
