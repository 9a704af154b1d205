import Bowerbird

/// `bowerbird thumbnail`: small pictures of large ones.
struct Thumbnail: Command {
    let inputs: [String]
    let folder: String
    let size: PixelSize
    let scaleMode: ScaleMode
    let scaling: DecodingOptions.Scaling
    /// Nil chooses by the picture.
    let format: ImageFormat?
    let encoding: EncodingOptions
    let cache: CacheChoice
    let printsJSON: Bool

    static let syntax = CommandSyntax(
        name: "thumbnail", summary: "write small versions of images", operands: "FILE|URL...",
        usage: "FILE|URL... -o DIR --size W[xH]",
        options: [
            .output,
            OptionSyntax(name: "--size", value: "W[xH]", help: "the room for a picture, in pixels: 400 or 400x300"),
            OptionSyntax(name: "--fill", help: "cover that room rather than fit into it; nothing is cut off"),
            OptionSyntax(name: "--exact", help: "exactly that size, proportions given up"),
            OptionSyntax(name: "--fast", help: "a little softer, up to a third faster"),
            OptionSyntax(
                name: "--format", value: "jpeg|png", help: "default: PNG where there is transparency, else JPEG"),
            OptionSyntax(name: "--quality", value: "1-100", help: "of JPEG files; default: 85"),
            .json, .noCache, .cache,
        ],
        notes: """
            Files are named after the pictures. A name that is taken gets a number, as in
            photo-2.jpg: nothing is ever overwritten. A picture is never enlarged. What is
            wrong with a file that can be shown all the same is said on standard error.
            """)

    init(_ arguments: ParsedArguments) throws(UsageError) {
        inputs = try arguments.inputs(Self.syntax)
        folder = try arguments.outputFolder(Self.syntax)
        size = try arguments.thumbnailSize()
        scaleMode = try arguments.scaleMode()
        scaling = arguments.contains("--fast") ? .fast : .quality
        format = try arguments.thumbnailFormat()
        encoding = EncodingOptions(quality: try arguments.fraction("--quality", from: 1, Self.syntax) ?? 0.85)
        cache = try CacheChoice(arguments, Self.syntax.name)
        printsJSON = arguments.contains("--json")
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitStatus {
        let folder = try context.openFolder(folder)
        let batch = Batch(context: context, printsJSON: printsJSON, concurrency: context.concurrency)
        let successCount = await batch.run(inputs) { input throws(Failure) in
            try await make(input, into: folder, context)
        }
        return successCount == inputs.count ? .success : .failure
    }

    private func make(
        _ input: BatchInput, into folder: OutputFolder, _ context: CommandContext
    ) async throws(Failure) -> Batch.Report {
        let start = ContinuousClock.now
        let source = try input.source()
        let response = try await context.picture(request(for: source), input)
        for warning in response.image.warnings {
            context.console.printRemark("\(warning)", on: source.address)
        }
        let data = try encoded(response.image, source, context.codecs)
        let file = try folder.write(data, as: name(for: source, data.format), of: source)
        return report(input, file, data, response, Figures.milliseconds(start.duration(to: .now)))
    }

    private func request(for source: ImageSource) -> ImageRequest {
        var request = ImageRequest(source, targetSize: size, scaleMode: scaleMode, scaling: scaling)
        request.options.previews = .off
        return request
    }

    private func encoded(
        _ image: DecodedImage, _ source: ImageSource, _ codecs: CodecSet
    ) throws(Failure) -> EncodedImage {
        let format = format ?? (image.bitmap.isOpaque ? .jpeg : .png)
        do {
            return try codecs.encode(image.bitmap, as: format, encoding)
        } catch {
            throw Failure(error, source.address)
        }
    }

    private func name(for source: ImageSource, _ format: ImageFormat?) -> FileName {
        FileName(source.fileName, replacingExtensionBy: format?.fileExtensions.first ?? "")
    }

    private func report(
        _ input: BatchInput, _ file: String, _ data: EncodedImage, _ response: ImageResponse, _ milliseconds: Int
    ) -> Batch.Report {
        let size = response.image.size
        var json = JSONLine()
        json.add("url", input.text)
        json.add("file", file)
        json.add("width", size.width)
        json.add("height", size.height)
        json.add("bytes", data.count)
        json.add("format", data.format?.name ?? "unknown")
        json.add("origin", response.origin.rawValue)
        json.add("milliseconds", milliseconds)
        let full = response.image.header.size
        let sizes = "\(size.width) x \(size.height) of \(full.width) x \(full.height)"
        let text = "\(file.printable): \(sizes) from \(response.origin.place), \(milliseconds) ms"
        return Batch.Report(text: text, json: json)
    }
}

extension CommandContext {
    /// A picture, decoded straight to size; a bar tells how far its bytes are.
    fileprivate func picture(_ request: ImageRequest, _ input: BatchInput) async throws(Failure) -> ImageResponse {
        let name = request.source.displayName
        for await event in pipeline.task(for: request).events {
            switch event {
            case .progress(let progress): console.show(progress, of: input.index, named: name)
            case .preview, .cached: break
            case .finished(.success(let response)): return response
            case .finished(.failure(let error)): throw Failure(error)
            }
        }
        throw Failure(.cancelled)
    }
}

// The values of its options.
extension ParsedArguments {
    fileprivate func thumbnailSize() throws(UsageError) -> PixelSize {
        guard let size = try size("--size", Thumbnail.syntax) else {
            throw Thumbnail.syntax.problem("thumbnails of what size? Give --size 400 or 400x300")
        }
        return size
    }

    fileprivate func scaleMode() throws(UsageError) -> ScaleMode {
        switch (contains("--fill"), contains("--exact")) {
        case (true, true): throw Thumbnail.syntax.problem("--fill and --exact exclude each other")
        case (true, false): .fill
        case (false, true): .exact
        case (false, false): .fit
        }
    }

    fileprivate func thumbnailFormat() throws(UsageError) -> ImageFormat? {
        guard let name = self["--format"] else { return nil }
        let format = ImageFormat(named: name)
        guard format == .jpeg || format == .png else {
            throw Thumbnail.syntax.problem("--format is jpeg or png, not '\(name)'")
        }
        return format
    }
}
