import FoundationEssentials

extension HTTPLoader {
    /// A redirect's body is read, so that its connection can serve on, but for no longer than this.
    private static let redirectBodyLimit = 64 << 10

    /// Follows redirects here and not in libcurl, asking at each.
    func response(
        for request: DataRequest, asking handler: @escaping Configuration.RedirectHandler
    ) async throws(LoadingError) -> DataResponse {
        let trail = TransferTrail(reportingTo: request.onMetrics)
        defer { trail.close() }
        var request = request
        while true {
            request.onMetrics = trail.onMetrics
            let reader = try begin(request)
            trail.enter(reader.body)
            let head = try await reader.head()
            guard head.isRedirect else { return Self.response(head, from: reader) }
            guard trail.count <= configuration.maximumRedirects else { throw .tooManyRedirects }
            try await reader.skip(Self.redirectBodyLimit)
            request = try await Self.follow(HTTPRedirect(of: request, by: head), handler)
        }
    }

    private static func follow(
        _ redirect: HTTPRedirect, _ handler: Configuration.RedirectHandler
    ) async throws(LoadingError) -> DataRequest {
        guard let next = await handler(redirect) else { throw .redirectRefused(redirect.proposed.url) }
        return next
    }
}
