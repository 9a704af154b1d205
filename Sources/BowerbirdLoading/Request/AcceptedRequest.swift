import BowerbirdCore

/// A request as a pipeline took it in, with the identity that its source had at that moment and a place in the order of
/// asking.
///
/// The identity of a file changes when the file does. Taken anew at each stage, it could be that of the next file by the
/// time the picture of this one is stored.
struct AcceptedRequest: Sendable {
    let request: ImageRequest
    /// For the transfer, should one be needed.
    let ticket: WorkQueue.Ticket
    private let source: String

    init(_ request: ImageRequest, _ ticket: WorkQueue.Ticket) {
        self.request = request
        self.ticket = ticket
        source = request.source.key
    }
}

// The identities of a request, from the coarsest to the finest.
extension AcceptedRequest {
    /// Under which the original bytes are kept on disk. Credentials are in it as a digest: they are not written down.
    var diskKey: CacheKey {
        let headers = answerChangingHeaders
        return CacheKey(headers.isEmpty ? source : source + " " + DiskKey(headers).hexadecimal)
    }

    /// Under which one transfer serves several askers: the same source, asked for with headers that may change the
    /// answer.
    var transferKey: CacheKey { CacheKey(.joining([source, answerChangingHeaders])) }

    /// Under which the finished picture is kept in memory.
    var imageKey: CacheKey { CacheKey(.joining([source, answerChangingHeaders, size] + edits)) }

    /// Under which one decoding and editing serves several askers.
    var workKey: CacheKey {
        let previews = request.wantsPreviews ? "with previews" : "without previews"
        return CacheKey(.joining([source, answerChangingHeaders, size, previews] + edits))
    }

    private var size: String {
        guard let size = request.targetSize else { return "" }
        return "\(request.scaleMode.rawValue) \(size.width)x\(size.height) \(request.scaling.rawValue)"
    }

    private var edits: [String] { request.processors.map(\.cacheKey) }

    private var answerChangingHeaders: String {
        guard !request.headers.isEmpty else { return "" }
        let names: Set = ["authorization", "cookie", "accept"]
        let fields = request.headers.map { [$0.key.lowercased(), $0.value] }.filter { names.contains($0[0]) }
        return .joining(fields.map(String.joining).sorted())
    }
}

extension String {
    /// The parts one behind the other, each after its length, so that no text of a part can pass for a part of its own.
    fileprivate static func joining(_ parts: [String]) -> String {
        parts.map { "\($0.utf8.count):\($0)" }.joined()
    }
}
