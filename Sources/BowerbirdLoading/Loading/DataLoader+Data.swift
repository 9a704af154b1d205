public import BowerbirdCore

extension DataLoader {
    /// The whole body, for whoever uses a loader by itself: nothing is cached or shared. `news` hears how much has
    /// arrived, on the caller's own executor. Throws `.cancelled` when the task is cancelled, and `.incomplete` for a
    /// body that ends early.
    public func data(
        for request: DataRequest, news: (TransferProgress) -> Void = { _ in }
    ) async throws(LoadingError) -> (data: EncodedImage, head: ResponseHead) {
        let response = try await response(for: request)
        return (try await response.gathered { news($0.progress) }, response.head)
    }
}

extension DataResponse {
    /// The whole body.
    func gathered(telling news: (ArrivedBytes) -> Void) async throws(LoadingError) -> EncodedImage {
        var gathered = try GatheredBody(expectedByteCount: head.expectedByteCount)
        try await gathered.gather(body, telling: news)
        return gathered.data
    }
}
