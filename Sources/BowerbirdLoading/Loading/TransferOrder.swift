/// A request on its way to the loop.
struct TransferOrder: Sendable {
    let request: DataRequest
    let body: TransferBody
    /// Found once, by whoever asks: taking an address apart is spared the loop.
    let host: TransferHost

    init(_ request: DataRequest, into body: TransferBody) {
        self.request = request
        self.body = body
        host = TransferHost(of: request.url)
    }
}
