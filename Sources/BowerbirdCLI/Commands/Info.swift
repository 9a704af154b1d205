import Bowerbird

/// `bowerbird info`: what files say of their pictures. No pixel is decoded.
struct Info: Command {
    let inputs: [String]
    let cache: CacheChoice
    let printsJSON: Bool

    static let syntax = CommandSyntax(
        name: "info", summary: "tell what images are, without decoding them", operands: "FILE|URL...",
        usage: "FILE|URL...",
        options: [.json, .noCache, .cache],
        notes: """
            The format is read from the bytes, never from the name. Of an image that this
            build cannot decode, what is known is told.
            """)

    init(_ arguments: ParsedArguments) throws(UsageError) {
        inputs = try arguments.inputs(Self.syntax)
        cache = try CacheChoice(arguments, Self.syntax.name)
        printsJSON = arguments.contains("--json")
    }

    func run(in context: CommandContext) async -> ExitStatus {
        let batch = Batch(
            context: context, printsJSON: printsJSON, keepsOrder: true, concurrency: context.concurrency)
        let successCount = await batch.run(inputs) { input throws(Failure) in
            let facts = try await facts(of: input, context)
            return Batch.Report(text: facts.text, json: facts.json(input.text))
        }
        return successCount == inputs.count ? .success : .failure
    }

    private func facts(of input: BatchInput, _ context: CommandContext) async throws(Failure) -> ImageFacts {
        let source = try input.source()
        let result = try await context.data(of: source, input)
        let header = try header(of: result.data, source.address, context.codecs)
        return ImageFacts(
            address: source.address, format: header?.format ?? result.data.format, header: header,
            byteCount: result.data.count, origin: result.origin)
    }

    /// Nil for a format that this build knows by sight only.
    private func header(
        of data: EncodedImage, _ address: String, _ codecs: CodecSet
    ) throws(Failure) -> ImageHeader? {
        do {
            return try data.withBytes { bytes throws(DecodingError) in try codecs.header(of: bytes) }
        } catch {
            if case .unsupportedFormat = error { return nil }
            throw Failure(error, address)
        }
    }
}
