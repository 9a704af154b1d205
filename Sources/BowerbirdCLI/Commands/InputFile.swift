import Bowerbird

/// The bytes of an input, which may be standard input.
struct InputFile: Sendable {
    let source: ImageSource
    let data: EncodedImage
    let origin: ImageResponse.Origin

    /// How messages call it.
    var address: String { source.address }
}

extension CommandContext {
    /// A bar tells how far the bytes are. `-` is standard input.
    func file(_ input: BatchInput) async throws(Failure) -> InputFile {
        let source = input.text == "-" ? .data(try StandardInput.read(), name: "-") : try input.source()
        let result = try await data(of: source, input)
        return InputFile(source: source, data: result.data, origin: result.origin)
    }

    /// A command of one input: reports like any other.
    func runAlone(
        _ input: String, printsJSON: Bool,
        _ work: @escaping @Sendable (BatchInput) async throws(Failure) -> Batch.Report
    ) async -> ExitStatus {
        let batch = Batch(context: self, printsJSON: printsJSON, concurrency: 1)
        return await batch.run([input], work) == 1 ? .success : .failure
    }

    /// A bar for the frames of an input, of which `done` are there.
    func showFrames(_ done: Int, of count: Int, _ input: BatchInput, _ source: ImageSource) {
        let progress = TransferProgress(received: done, total: count)
        console.show(progress, of: input.index, named: source.displayName, counting: .frames)
    }
}

extension Failure {
    /// What `body` returns; what it throws, as a failure of this input.
    static func decoding<Value>(
        _ address: String, _ body: () throws(DecodingError) -> Value
    ) throws(Failure) -> Value {
        do { return try body() } catch { throw Failure(error, address) }
    }

    /// What `body` returns; what it throws, as a failure of this input.
    static func encoding<Value>(
        _ address: String, _ body: () throws(EncodingError) -> Value
    ) throws(Failure) -> Value {
        do { return try body() } catch { throw Failure(error, address) }
    }
}
