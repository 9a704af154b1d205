import BowerbirdCore

/// A request as far as it takes to look into the memory.
struct RememberedRequest {
    let request: ImageRequest
    let options: SettledOptions
    let source: String
    let imageKey: CacheKey

    init(_ request: ImageRequest, _ common: RequestOptions) {
        self.request = request
        options = SettledOptions(request.options, common)
        source = Self.identity(of: request, options.keyRules)
        imageKey = Self.imageKey(request, source, options)
    }

    private static func identity(of request: ImageRequest, _ rules: [KeyRule]) -> String {
        // No URL has a space.
        if let key = request.cacheKey { return "named " + key }
        let text = request.sourceText ?? request.source.key
        guard !rules.isEmpty, request.source.isRemote else { return text }
        return rules.key(for: text)
    }

    /// Size and edits first, which say themselves where they end; the rest of the text is the source.
    static func imageKey(_ request: ImageRequest, _ source: String, _ options: SettledOptions) -> CacheKey {
        var text = request.edits.text
        text.append("\n")
        if let size = request.targetSize {
            text += "\(request.scaleMode.rawValue) \(size.width)x\(size.height) \(request.scaling.rawValue)"
            if request.allowsUpscaling { text += " larger" }
        }
        text.append("\n")
        if request.page != 0 { text += "page \(request.page) " }
        if request.firstFrameOnly { text += "first frame" }
        text += options.trustText
        text.append("\n")
        if !request.headers.isEmpty { text += .joining([request.answerChangingHeaders]) }
        if let transform = options.transform { text += .joining(["", transform.name]) }
        text.append("\n")
        text += source
        return CacheKey(text, source: source)
    }
}
