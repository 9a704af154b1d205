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

    /// Whole bodies, strictly one after the other: the next is asked for when the one before has ended, well or not.
    /// `each` hears of every end, in order, with the index of the request; `news` of what arrives, as in
    /// `data(for:news:)`. When the task is cancelled, the one under way is given up, and nobody hears of it or of any
    /// other.
    public func dataInTurn(
        for requests: [DataRequest], news: (Int, TransferProgress) -> Void = { _, _ in },
        each: (Int, Result<(data: EncodedImage, head: ResponseHead), LoadingError>) -> Void
    ) async {
        for (index, request) in requests.enumerated() {
            let outcome: Result<(data: EncodedImage, head: ResponseHead), LoadingError>
            do throws(LoadingError) {
                outcome = .success(try await data(for: request) { news(index, $0) })
            } catch {
                outcome = .failure(error)
            }
            guard !Task.isCancelled else { return }
            each(index, outcome)
        }
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
