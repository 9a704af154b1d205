import Bowerbird

/// `bowerbird info`: what files say of their pictures. No pixel is decoded.
struct Info: Command {
    let inputs: [String]
    let cache: CacheChoice
    let printsJSON: Bool

    static let syntax = CommandSyntax(
        name: "info", summary: "tell what images are, without decoding them", operands: "FILE|URL|-...",
        usage: "FILE|URL|-...",
        options: [.json, .noCache, .cache],
        notes: """
            The format is read from the bytes, never from the name. Of an image that this
            build cannot decode, what is known is told. - is standard input.

            In JSON, width and height are those of the picture upright, and frames counts
            the frames of an animation or the pages of a document. Animations alone have
            loop, how often they are played (0: for ever), and delays_ms, how long each
            frame is shown: what asks for less than 11 ms gets 100, as in browsers.
            A failure has source and error, with its stage, kind and message.
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
        let file = try await context.file(input)
        let header = try header(of: file, context.codecs)
        var facts = ImageFacts(
            address: file.address, format: header?.format ?? file.data.format, header: header,
            byteCount: file.data.count, origin: file.origin)
        guard let header else { return facts }
        try Failure.decoding(file.address) { () throws(DecodingError) in
            try facts.addFrames(of: file.data, header, context.codecs)
        }
        facts.addMetadata(of: file.data, context.codecs)
        return facts
    }

    /// Nil for a format that this build knows by sight only.
    private func header(of file: InputFile, _ codecs: CodecSet) throws(Failure) -> ImageHeader? {
        do {
            return try codecs.header(of: file.data)
        } catch {
            if case .unsupportedFormat = error { return nil }
            throw Failure(error, file.address)
        }
    }
}

extension ImageFacts {
    fileprivate mutating func addFrames(
        of file: EncodedImage, _ header: ImageHeader, _ codecs: CodecSet
    ) throws(DecodingError) {
        let series = try PictureSeries(of: file, header, DecodingOptions(), codecs)
        frameCount = series.count
        animation = series.frames.map { Animation(loopCount: $0.loopCount, delays: $0.delays) }
    }

    /// Without it there is still a picture.
    fileprivate mutating func addMetadata(of file: EncodedImage, _ codecs: CodecSet) {
        do {
            metadata = try codecs.metadata(of: file)
        } catch {
            warnings.append("its metadata cannot be read: \(error)")
        }
    }
}
