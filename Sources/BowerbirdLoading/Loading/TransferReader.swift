/// The reader's end of a transfer. Letting go of it stops the transfer; it keeps the loop's thread alive.
final class TransferReader: Sendable {
    let body = TransferBody()
    private let multi: CurlMulti

    init(of request: DataRequest, on multi: CurlMulti) {
        self.multi = multi
        multi.start(TransferOrder(request, into: body))
    }

    deinit { abandon() }

    func head() async throws(LoadingError) -> ResponseHead {
        try await taken { body in body.takeHead() }
    }

    func next() async throws(LoadingError) -> [UInt8]? {
        try await taken { [multi] body in
            let (taken, resumes) = body.takeBytes()
            if resumes { multi.resume(body) }
            return taken
        }
    }

    /// Reads and forgets what is left, or so much of it.
    func skip(_ limit: Int) async throws(LoadingError) {
        var count = 0
        while count < limit, let bytes = try await next() { count += bytes.count }
    }

    private func taken<Value>(
        _ take: (TransferBody) -> TransferBodyState.Taken<Value>
    ) async throws(LoadingError) -> Value {
        while true {
            if Task.isCancelled { abandon() }
            switch take(body) {
            case .value(let value): return value
            case .failed(let error): throw error
            case .wait: await news()
            }
        }
    }

    private func news() async {
        await withTaskCancellationHandler {
            await body.news()
        } onCancel: {
            abandon()
        }
    }

    private func abandon() {
        if body.abandon() { multi.cancel(body) }
    }
}
