import BowerbirdCore
import FoundationEssentials

/// A request as a pipeline took it in: its options settled, with the identity that its source had at that moment and a
/// place in the order of asking.
///
/// The identity of a file changes when the file does. Taken anew at each stage, it could be that of the next file by the
/// time the picture of this one is stored.
struct AcceptedRequest: Sendable {
    private(set) var request: ImageRequest
    let options: SettledOptions
    /// For the transfer, should one be needed.
    let ticket: WorkQueue.Ticket
    /// The identity of the source.
    let source: String
    /// Under which the finished picture is kept in memory.
    private(set) var imageKey: CacheKey
    let priority: WorkPriority
    /// Whether the picture that was asked for is another than the file's.
    private let isChanged: Bool
    /// Whether it was not asked for itself, but is what an edit begins with.
    private(set) var isIntermediate = false

    init(
        _ request: ImageRequest, _ common: RequestOptions, _ lane: WorkPriority.Lane = .ordinary,
        _ ticket: WorkQueue.Ticket = 0
    ) {
        self.request = request
        self.ticket = ticket
        options = SettledOptions(request.options, common)
        priority = WorkPriority(options.priority, lane: lane)
        source = Self.identity(of: request, options.keyRules)
        imageKey = Self.imageKey(request, source, options.transform)
        isChanged = request.targetSize != nil || !request.processors.isEmpty
    }

    /// The same wish for the picture of another source.
    func with(_ source: ImageSource, _ common: RequestOptions) -> AcceptedRequest {
        var request = request
        request.source = source
        request.alternatives = []
        return AcceptedRequest(request, common, priority.lane, ticket)
    }

    /// The request for the picture that the last processor is given; nil where there is none.
    var withoutLastProcessor: AcceptedRequest? {
        guard !request.processors.isEmpty else { return nil }
        var copy = self
        copy.request.processors.removeLast()
        copy.imageKey = Self.imageKey(copy.request, source, options.transform)
        copy.isIntermediate = true
        return copy
    }

    var isRemote: Bool { request.source.isRemote }
    var policy: CachePolicy { options.cachePolicy }
    var decodingOptions: DecodingOptions { request.decodingOptions(options.limits) }

    private static func identity(of request: ImageRequest, _ rules: [KeyRule]) -> String {
        // No URL has a space.
        if let key = request.cacheKey { return "named " + key }
        let text = request.sourceText ?? request.source.key
        guard request.source.isRemote else { return text }
        return rules.lazy.map { $0.key(for: text) }.first { $0 != text } ?? text
    }
}

// The identities of a request, from the coarsest to the finest.
extension AcceptedRequest {
    /// Under which the original bytes are kept on disk. Credentials are in it as a digest: they are not written down.
    var diskKey: CacheKey {
        let headers = request.answerChangingHeaders
        return CacheKey(headers.isEmpty ? source : source + " " + DiskKey(headers).hexadecimal, source: source)
    }

    /// Under which the finished picture is kept on disk; nil where it is not, or would be the original itself.
    var resultKey: CacheKey? {
        guard let format = options.diskContent.processedFormat, isChanged, !isIntermediate else { return nil }
        return CacheKey(DiskKey(imageKey.text).hexadecimal + " \(format.name) " + source, source: source)
    }

    /// Whether the disk is given the file; always where that is the finished picture.
    var keepsOriginal: Bool { options.diskContent.keepsOriginal || !isChanged }

    /// Under which the beginning of a file is kept whose transfer was cut.
    var partialKey: CacheKey { transferKey([:]) }

    var host: TransferHost? { request.source.url.map { TransferHost(of: $0) } }
    var hostName: String { request.source.url?.host()?.lowercased() ?? "" }

    /// Whether the request says itself who asks.
    var hasOwnAuthorization: Bool { request.headers.keys.contains { $0.lowercased() == "authorization" } }

    /// Under which one transfer serves several askers: the same source, asked for in the same way with headers that may
    /// change the answer.
    func transferKey(_ conditions: [String: String]) -> CacheKey {
        let security = "\(options.allowsInvalidCertificate)\(options.usesCookies)"
        return CacheKey(.joining([source, request.answerChangingHeaders, conditions.sortedText, security]))
    }

    /// Under which the bytes are looked for, in caches and beyond, once for several askers.
    var originalKey: CacheKey {
        let ways = "\(policy.disk)\(policy.network)\(options.freshness)\(options.ignoresFailureList)\(keepsOriginal)"
        return CacheKey(.joining([transferKey([:]).text, ways]))
    }

    /// Under which one decoding and editing serves several askers.
    var workKey: CacheKey {
        let content = "\(options.diskContent)\(policy.memory.reads)\(options.previews)"
        return CacheKey(.joining([imageKey.text, originalKey.text, content] + request.alternatives.map(\.key)))
    }

    /// Size and edits first, which say themselves where they end; the rest of the text is the source.
    private static func imageKey(_ request: ImageRequest, _ source: String, _ transform: DataTransform?) -> CacheKey {
        var text = request.edits.text
        text.append("\n")
        if let size = request.targetSize {
            text += "\(request.scaleMode.rawValue) \(size.width)x\(size.height) \(request.scaling.rawValue)"
        }
        text.append("\n")
        if request.firstFrameOnly { text += "first frame" }
        text.append("\n")
        if !request.headers.isEmpty { text += .joining([request.answerChangingHeaders]) }
        if let transform { text += .joining(["", transform.name]) }
        text.append("\n")
        text += source
        return CacheKey(text, source: source)
    }
}

extension ImageRequest {
    fileprivate var answerChangingHeaders: String {
        guard !headers.isEmpty else { return "" }
        let names: Set = ["authorization", "cookie", "accept", "range"]
        return headers.filter { names.contains($0.key.lowercased()) }.sortedText
    }
}

extension [String: String] {
    fileprivate var sortedText: String {
        isEmpty ? "" : .joining(map { String.joining([$0.key.lowercased(), $0.value]) }.sorted())
    }
}

extension String {
    /// The parts one behind the other, each after its length, so that no text of a part can pass for a part of its own.
    fileprivate static func joining(_ parts: [String]) -> String {
        parts.map { "\($0.utf8.count):\($0)" }.joined()
    }
}
