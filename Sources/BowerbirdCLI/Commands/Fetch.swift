import Bowerbird

/// `bowerbird fetch`: the original bytes of images into a folder.
struct Fetch: Command {
    let addresses: [String]
    let folder: String
    let cache: CacheChoice
    let printsJSON: Bool
    let isInOrder: Bool

    static let syntax = CommandSyntax(
        name: "fetch", summary: "load images and keep their original bytes as files", operands: "URL...",
        usage: "URL... -o DIR",
        options: [
            .output,
            OptionSyntax(
                name: "--in-order",
                help: "one after the other; success if at least one arrives"),
            .json, .noCache, .cache,
        ],
        notes: """
            Files are named after the last part of the address. A name that is taken gets a
            number, as in photo-2.jpg: nothing is ever overwritten. A name without an
            extension gets that of the format.
            """)

    init(_ arguments: ParsedArguments) throws(UsageError) {
        addresses = try arguments.inputs(Self.syntax)
        folder = try arguments.outputFolder(Self.syntax)
        cache = try CacheChoice(arguments, Self.syntax.name)
        printsJSON = arguments.contains("--json")
        isInOrder = arguments.contains("--in-order")
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitStatus {
        let folder = try context.openFolder(folder)
        let batch = Batch(
            context: context, printsJSON: printsJSON, concurrency: isInOrder ? 1 : context.concurrency)
        let successCount = await batch.run(addresses) { input throws(Failure) in
            try await fetch(input, into: folder, context)
        }
        let isSuccess = isInOrder ? successCount > 0 : successCount == addresses.count
        return isSuccess ? .success : .failure
    }

    private func fetch(
        _ input: BatchInput, into folder: OutputFolder, _ context: CommandContext
    ) async throws(Failure) -> Batch.Report {
        let start = ContinuousClock.now
        let source = try input.source()
        let result = try await context.data(of: source, input)
        let name = FileName(source.fileName, fallbackExtension: result.data.format?.fileExtensions.first)
        let file = try folder.write(result.data, as: name, of: source)
        return report(input, file, result, Figures.milliseconds(start.duration(to: .now)))
    }

    private func report(
        _ input: BatchInput, _ file: String, _ result: ImagePipeline.DataResult, _ milliseconds: Int
    ) -> Batch.Report {
        let format = result.data.format?.name ?? "unknown"
        let figures = "\(Figures.bytes(result.data.count)), \(milliseconds) ms"
        var json = JSONLine()
        json.add("url", input.text)
        json.add("file", file)
        json.add("bytes", result.data.count)
        json.add("format", format)
        json.add("origin", result.origin.rawValue)
        json.add("milliseconds", milliseconds)
        return Batch.Report(text: "\(file.printable): \(format) from \(result.origin.place), \(figures)", json: json)
    }
}

extension OutputFolder {
    func write(_ data: EncodedImage, as name: FileName, of source: ImageSource) throws(Failure) -> String {
        do { return try write(data, as: name) } catch { throw Failure(error, source.address) }
    }
}

extension CommandContext {
    func openFolder(_ path: String) throws(Failure) -> OutputFolder {
        do { return try OutputFolder(path, partialFiles) } catch { throw Failure(folder: error) }
    }

    /// The bytes of an image; a bar tells how far they are.
    func data(of source: ImageSource, _ input: BatchInput) async throws(Failure) -> ImagePipeline.DataResult {
        let name = source.displayName
        do {
            return try await pipeline.data(for: ImageRequest(source)) { progress in
                console.show(progress, of: input.index, named: name)
            }
        } catch {
            throw Failure(error)
        }
    }
}

extension ImageSource {
    /// For a bar.
    var displayName: String { fileName.isEmpty ? address : fileName }
}

extension ImageResponse.Origin {
    /// As a sentence says it.
    var place: String {
        switch self {
        case .memory: "memory"
        case .local: "this machine"
        case .disk: "the disk cache"
        case .network: "the network"
        }
    }
}
