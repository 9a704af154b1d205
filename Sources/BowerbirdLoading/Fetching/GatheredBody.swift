import BowerbirdCore

/// The body of an answer as it comes, behind what an earlier answer brought of the same file.
struct GatheredBody: ~Copyable {
    private var buffer: DownloadBuffer
    /// A body that came in one piece, and is not copied.
    private var whole: EncodedImage?
    /// The length of the whole file; nil where nobody says.
    private(set) var expectedByteCount: Int?
    private let maximumByteCount: Int

    /// Room for a file of so many bytes that begins with those of `start`. One that is longer than the maximum is
    /// refused: here where the length is known, else when it shows.
    init(
        expectedByteCount: Int?, after start: EncodedImage? = nil, maximumByteCount: Int = .max
    ) throws(LoadingError) {
        let expected = expectedByteCount.map { max(0, $0) }
        if let expected, expected > maximumByteCount { throw .tooLarge(maximumByteCount: maximumByteCount) }
        var buffer = try DownloadBuffer(expectedByteCount: expected)
        if let start { try buffer.append(start) }
        self.buffer = buffer
        self.expectedByteCount = expected
        self.maximumByteCount = maximumByteCount
    }

    /// Everything so far. Costs no copy.
    var data: EncodedImage { whole ?? buffer.snapshot() }

    /// Takes the body in, to its end.
    mutating func gather(
        _ body: DataResponse.Body, telling news: (ArrivedBytes) -> Void
    ) async throws(LoadingError) {
        if buffer.count > 0 { tell(news) }
        switch body {
        case .complete(let data):
            try makeSureOfRoom(for: data.count)
            if buffer.count == 0 { whole = data } else { try buffer.append(data) }
        case .stream(let stream):
            while let chunk = try await stream.next() {
                try makeSureOfRoom(for: chunk.count)
                try buffer.append(chunk)
                tell(news)
            }
        }
        if let expected = expectedByteCount, data.count < expected {
            throw .incomplete(received: data.count, expected: expected)
        }
    }

    private func tell(_ news: (ArrivedBytes) -> Void) {
        news(ArrivedBytes(data: buffer.snapshot(), total: expectedByteCount))
    }

    private func makeSureOfRoom(for count: Int) throws(LoadingError) {
        guard count <= maximumByteCount - buffer.count else { throw .tooLarge(maximumByteCount: maximumByteCount) }
    }
}
