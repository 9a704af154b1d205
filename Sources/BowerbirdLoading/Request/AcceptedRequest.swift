import BowerbirdCore
import FoundationEssentials

/// A request as a pipeline took it in: its options settled, with the identities that it had at that moment and a place
/// in the order of asking.
///
/// The identity of a file changes when the file does. Taken anew at each stage, it could be that of the next file by the
/// time the picture of this one is stored. An object, because a request is large and every stage holds it.
final class AcceptedRequest: Sendable {
    let request: ImageRequest
    let options: SettledOptions
    /// For the transfer, should one be needed.
    let ticket: WorkQueue.Ticket
    let priority: WorkPriority
    /// Whether it was not asked for itself, but is what an edit begins with.
    let isIntermediate: Bool
    /// Whether the picture that was asked for is another than the file's.
    let isChanged: Bool

    // The identities of a request, from the coarsest to the finest.

    /// Of the source.
    let source: String
    /// Under which the original bytes are kept on disk. Credentials are in it as a digest: they are not written down.
    let diskKey: CacheKey
    /// Under which the beginning of a file is kept whose transfer was cut: what may change the answer, and how it is
    /// asked for.
    let partialKey: CacheKey
    /// Under which the bytes are looked for, in caches and beyond, once for several askers.
    let originalKey: CacheKey
    /// Under which the finished picture is kept in memory.
    let imageKey: CacheKey

    convenience init(
        _ request: ImageRequest, _ common: RequestOptions, _ lane: WorkPriority.Lane = .ordinary,
        _ ticket: WorkQueue.Ticket = 0
    ) {
        self.init(RememberedRequest(request, common), lane, ticket)
    }

    init(_ known: RememberedRequest, _ lane: WorkPriority.Lane, _ ticket: WorkQueue.Ticket) {
        request = known.request.unfolded
        options = known.options
        source = known.source
        imageKey = known.imageKey
        self.ticket = ticket
        priority = WorkPriority(options.priority, lane: lane)
        isIntermediate = false
        isChanged = request.targetSize != nil || !request.processors.isEmpty || request.page != 0
        let headers = request.answerChangingHeaders
        let kind = headers + options.trustText
        diskKey = CacheKey(kind.isEmpty ? source : source + " " + DiskKey(kind).hexadecimal, source: source)
        partialKey = CacheKey("\(options.transferText) \(headers.utf8.count):\(headers)\(source)")
        originalKey = CacheKey(options.searchText(isChanged: isChanged) + partialKey.text)
    }

    /// A request that was accepted before, with something else in it.
    private init(
        _ other: AcceptedRequest, request: ImageRequest? = nil, options: SettledOptions? = nil,
        ticket: WorkQueue.Ticket? = nil, isIntermediate: Bool? = nil
    ) {
        self.request = request ?? other.request
        self.options = options ?? other.options
        self.ticket = ticket ?? other.ticket
        self.isIntermediate = isIntermediate ?? other.isIntermediate
        priority = other.priority
        isChanged = other.isChanged
        source = other.source
        diskKey = other.diskKey
        partialKey = other.partialKey
        originalKey = CacheKey(self.options.searchText(isChanged: isChanged) + partialKey.text)
        imageKey = RememberedRequest.imageKey(self.request, source, self.options)
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
    func with(ticket: WorkQueue.Ticket) -> AcceptedRequest { AcceptedRequest(self, ticket: ticket) }

    /// The request for the picture that the last processor is given; nil where there is none. The first may leave to the
    /// decoder what that does several times faster.
    var withoutLastProcessor: AcceptedRequest? {
        var input = request
        guard let last = input.processors.popLast() else { return nil }
        if input.processors.isEmpty, input.targetSize == nil, let target = last.decodingTarget {
            input.targetSize = target.size
            input.scaleMode = target.scaleMode
            input.allowsUpscaling = false
        }
        return AcceptedRequest(self, request: input, isIntermediate: true)
    }
}

extension AcceptedRequest {
    /// Under which the finished picture is kept on disk; nil where it is not, or would be the original itself. What had
    /// to be transformed, as by decryption, is never written down.
    var resultKey: CacheKey? {
        guard options.diskContent.keepsProcessed, isChanged, !isIntermediate, options.transform == nil else {
            return nil
        }
        let format = options.diskContent.formatText
        return CacheKey(DiskKey(imageKey.text).hexadecimal + " \(format) " + source, source: source)
    }

    /// Under which one transfer serves several askers: the same source, asked for in the same way with headers that may
    /// change the answer.
    func transferKey(_ conditions: [String: String]) -> CacheKey {
        conditions.isEmpty ? partialKey : CacheKey("\(conditions.sortedText) " + partialKey.text)
    }

    /// Under which one decoding and editing serves several askers.
    var workKey: CacheKey {
        var text = options.pictureText
        for source in request.alternatives { text += .joining([source.key]) }
        text += " \(originalKey.text.utf8.count):"
        text += originalKey.text
        text += imageKey.text
        return CacheKey(text)
    }

    var isRemote: Bool { request.source.isRemote }
    var policy: CachePolicy { options.cachePolicy }
    var decodingOptions: DecodingOptions { request.decodingOptions(options.limits) }
    /// Whether the disk is given the file.
    var keepsOriginal: Bool { options.keepsOriginal(isChanged: isChanged) }

    var host: TransferHost? { request.source.url.map { TransferHost(of: $0) } }
    var hostName: String { request.source.url?.host()?.lowercased() ?? "" }

    /// Whether the request says itself who asks.
    var hasOwnAuthorization: Bool { request.headers.keys.contains { $0.lowercased() == "authorization" } }
}
