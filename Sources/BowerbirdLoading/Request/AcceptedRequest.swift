import BowerbirdCore
import FoundationEssentials

/// A request as a pipeline took it in: its options settled, with the identity that its source had at that moment and a
/// place in the order of asking.
///
/// The identity of a file changes when the file does. Taken anew at each stage, it could be that of the next file by the
/// time the picture of this one is stored.
struct AcceptedRequest: Sendable {
    private(set) var request: ImageRequest
    private(set) var options: SettledOptions
    /// For the transfer, should one be needed.
    private(set) var ticket: WorkQueue.Ticket
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

    /// The same wish for its first source alone, and then for each of the alternatives. What names the picture of the
    /// first, or proves to its server who asks, is not for those.
    func candidates(_ common: RequestOptions) -> [AcceptedRequest] {
        var first = request
        first.alternatives = []
        let others = request.alternatives.map { source in
            var other = first
            other.source = source
            other.cacheKey = nil
            if source.url.map({ TransferHost(of: $0) }) != host { other.removeProofs() }
            return other
        }
        return ([first] + others).map { AcceptedRequest($0, common, priority.lane, ticket) }
    }

    /// The same for a transfer of its own beside the one that it may have.
    func with(ticket: WorkQueue.Ticket) -> AcceptedRequest {
        var copy = self
        copy.ticket = ticket
        return copy
    }

    /// The same without a look at the disk, which has nothing good.
    var withoutDisk: AcceptedRequest {
        var copy = self
        copy.options.cachePolicy.disk = .off
        return copy
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

    /// Under which the finished picture is kept on disk; nil where it is not, or would be the original itself. What had
    /// to be transformed, as by decryption, is never written down.
    var resultKey: CacheKey? {
        guard let format = options.diskContent.processedFormat, isChanged, !isIntermediate, options.transform == nil
        else { return nil }
        return CacheKey(DiskKey(imageKey.text).hexadecimal + " \(format.name) " + source, source: source)
    }

    /// Whether the disk is given the file; always where it is not given the finished picture instead.
    var keepsOriginal: Bool { options.diskContent.keepsOriginal || !isChanged || options.transform != nil }

    /// Under which the beginning of a file is kept whose transfer was cut.
    var partialKey: CacheKey { transferKey([:]) }

    var host: TransferHost? { request.source.url.map { TransferHost(of: $0) } }
    var hostName: String { request.source.url?.host()?.lowercased() ?? "" }

    /// Whether the request says itself who asks.
    var hasOwnAuthorization: Bool { request.headers.keys.contains { $0.lowercased() == "authorization" } }

    /// Under which one transfer serves several askers: the same source, asked for in the same way with headers that may
    /// change the answer.
    func transferKey(_ conditions: [String: String]) -> CacheKey {
        CacheKey(.joining([source, request.answerChangingHeaders, conditions.sortedText, options.transferText]))
    }

    /// Under which the bytes are looked for, in caches and beyond, once for several askers.
    var originalKey: CacheKey {
        let ways = "\(policy.disk)\(policy.network)\(options.freshness)\(options.ignoresFailureList)\(keepsOriginal)"
        return CacheKey(.joining([transferKey([:]).text, ways]))
    }

    /// Under which one decoding and editing serves several askers.
    var workKey: CacheKey {
        let limits = options.limits == DecodingLimits() ? "" : "\(options.limits)"
        let content = "\(options.diskContent)\(policy.memory.reads)\(options.previews)\(limits)"
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

extension SettledOptions {
    /// What changes how a transfer goes, or whether it succeeds: who differs in this does not share one.
    fileprivate var transferText: String {
        let retry = retry == .never ? "" : "\(retry)"
        return "\(allowsInvalidCertificate)\(usesCookies)\(plainHTTP == .refuse)\(maximumByteCount)\(retry)"
    }
}

extension ImageRequest {
    /// Without what is for one server only.
    fileprivate mutating func removeProofs() {
        headers = headers.filter { !["authorization", "cookie"].contains($0.key.lowercased()) }
    }

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
