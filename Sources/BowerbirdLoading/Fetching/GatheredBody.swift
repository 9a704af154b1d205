import BowerbirdCore

/// The body of an answer as it comes, behind what an earlier answer brought of the same file.
struct GatheredBody: ~Copyable {
    private var buffer: DownloadBuffer
    /// A body that came in one piece, and is not copied.
    private var whole: EncodedImage?
    /// The length of the whole file; nil where nobody says.
    private(set) var expectedByteCount: Int?

    /// Room for a body of so many bytes, behind those of `start`.
    init(expectedByteCount rest: Int?, after start: EncodedImage? = nil) throws(LoadingError) {
        let begun = start?.count ?? 0
        let expected = rest.map { begun + min(max(0, $0), .max - begun) }
        var buffer = try DownloadBuffer(expectedByteCount: expected)
        if let start { try buffer.append(start) }
        self.buffer = buffer
        expectedByteCount = expected
    }

    /// Everything so far. Costs no copy.
    var data: EncodedImage { whole ?? buffer.snapshot() }

    /// Takes the body in, to its end.
    mutating func gather(
        _ body: DataResponse.Body, telling news: (ArrivedBytes) -> Void
    ) async throws(LoadingError) {
        switch body {
        case .complete(let data) where buffer.count == 0: whole = data
        case .complete(let data): try buffer.append(data)
        case .stream(let stream):
            while let chunk = try await stream.next() {
                try buffer.append(chunk)
                news(ArrivedBytes(data: buffer.snapshot(), total: expectedByteCount))
            }
        }
        if let expected = expectedByteCount, data.count < expected {
            throw .incomplete(received: data.count, expected: expected)
        }
    }
}
