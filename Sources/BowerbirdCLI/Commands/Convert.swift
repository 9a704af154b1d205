import Bowerbird

/// `bowerbird convert`: an image as a file of another format, size or quality, edited on the way.
struct Convert: Command {
    let input: String
    let output: String
    let conversion: Conversion
    let cache: CacheChoice
    let printsJSON: Bool

    static let syntax = CommandSyntax(
        name: "convert", summary: "edit an image, or write it in another format or size", operands: "FILE|URL|-",
        usage: "FILE|URL|- -o FILE",
        options: [
            .outputFile,
            OptionSyntax(name: "--format", value: "F", help: "default: what the extension of FILE says"),
            OptionSyntax(name: "--resize", value: "W[xH]", help: "the room for the picture, in pixels"),
            OptionSyntax(name: "--mode", value: "MODE", help: "fit (into the room, the default), fill or exact"),
            OptionSyntax(name: "--enlarge", help: "make what is smaller larger; else it stays"),
        ] + EditOption.all.map(\.syntax) + [
            OptionSyntax(name: "--quality", value: "1-100", help: "of lossy formats; default: 85"),
            OptionSyntax(name: "--max-bytes", value: "N", help: "the best quality whose file is no larger"),
            OptionSyntax(name: "--max-size", value: "W[xH]", help: "smaller where it is larger, in its own colours"),
            OptionSyntax(name: "--lossless", help: "keep every pixel (WebP, AVIF, JPEG XL)"),
            OptionSyntax(name: "--effort", value: "0-100", help: "for a smaller file, in time; default: 50"),
            OptionSyntax(name: "--progressive", help: "a file that shows early (JPEG, JPEG XL)"),
            OptionSyntax(name: "--background", value: "#RRGGBB", help: "behind what is transparent; white"),
            OptionSyntax(name: "--keep-metadata", help: "EXIF, XMP, density and texts too"),
            OptionSyntax(name: "--first-frame", help: "a still, of an animation too"),
            OptionSyntax(name: "--page", value: "N", help: "that page of a document, or frame, from 1"),
            .json, .noCache, .cache,
        ],
        notes: """
            FILE is replaced where it is there, and is never half written. - reads standard
            input. An animation stays one where the format can; else its first frame is
            written, which is said on standard error.

            Edits follow each other in the order in which they are given, --resize among
            them; each may be given several times. An animation is edited frame by frame.
            The modes of --tint are those of CSS and of Porter and Duff: multiply, screen,
            overlay, softLight, sourceIn and so on.

            Without an edit the pixels are those of the file, bit for bit, in its own
            colour profile where the format can have one. With one they are sRGB, 8 bits
            deep. --mode fill gives the smallest picture that covers the room, and cuts
            nothing off; exact gives up the proportions. The picture comes upright, and
            its orientation with it.

            --max-bytes lowers the quality from the one that is asked for, and fails where
            the lowest is not enough, or the format has none. N may end in k or M.
            """)

    init(_ arguments: ParsedArguments) throws(UsageError) {
        input = try arguments.input(Self.syntax)
        output = try arguments.outputFile(Self.syntax)
        conversion = try arguments.conversion(to: output)
        cache = try CacheChoice(arguments, Self.syntax.name)
        printsJSON = arguments.contains("--json")
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitStatus {
        let file = try context.openFile(output)
        return await context.runAlone(input, printsJSON: printsJSON) { input throws(Failure) in
            try await convert(input, into: file, context)
        }
    }

    private func convert(
        _ input: BatchInput, into file: OutputFile, _ context: CommandContext
    ) async throws(Failure) -> Batch.Report {
        let start = ContinuousClock.now
        let loaded = try await context.file(input)
        let result = try conversion.convert(loaded, context.codecs) { index, count in
            context.showFrames(index, of: count, input, loaded.source)
        }
        for remark in result.remarks { context.console.printRemark(remark, on: loaded.address) }
        try file.write(result.file, madeFrom: loaded.address)
        return report(input, result, Figures.milliseconds(start.duration(to: .now)))
    }

    private func report(_ input: BatchInput, _ result: Conversion.Result, _ milliseconds: Int) -> Batch.Report {
        var json = JSONLine()
        json.add("source", input.text)
        json.add("file", output)
        json.add("format", conversion.format.name)
        json.add("width", result.size.width)
        json.add("height", result.size.height)
        json.add("frames", result.frameCount)
        json.add("bytes", result.file.count)
        json.add("milliseconds", milliseconds)
        if !result.remarks.isEmpty { json.add("warnings", result.remarks) }
        let frames = result.frameCount > 1 ? ", \(Figures.count(result.frameCount, "frame"))" : ""
        let picture = "\(conversion.format), \(result.size.width) x \(result.size.height)\(frames)"
        let text = "\(output.printable): \(picture), \(Figures.bytes(result.file.count)), \(milliseconds) ms"
        return Batch.Report(text: text, json: json)
    }
}

extension CommandContext {
    fileprivate func openFile(_ path: String) throws(Failure) -> OutputFile {
        do { return try OutputFile(path, partialFiles) } catch { throw Failure(folder: error) }
    }
}

extension OutputFile {
    fileprivate func write(_ data: EncodedImage, madeFrom address: String) throws(Failure) {
        do { try write(data) } catch { throw Failure(error, address) }
    }
}

// The values of its options.
extension ParsedArguments {
    fileprivate func conversion(to output: String) throws(UsageError) -> Conversion {
        var conversion = Conversion(format: try outputFormat(output))
        let mode = try resizeMode()
        let edits = try edits(Convert.syntax) { text throws(UsageError) in
            let room = try size(text, "--resize", Convert.syntax)
            return Resize(room, mode: mode, allowsUpscaling: contains("--enlarge"))
        }
        conversion.set(edits)
        conversion.choice = try choice()
        conversion.keepsMetadata = contains("--keep-metadata")
        conversion.encoding = try encoding()
        conversion.bounds.maximumSize = try size("--max-size", Convert.syntax)
        conversion.bounds.maximumByteCount = try byteCount("--max-bytes", Convert.syntax)
        return conversion
    }

    private func outputFormat(_ output: String) throws(UsageError) -> ImageFormat {
        if let format = try format("--format", Convert.syntax) { return format }
        guard let format = ImageFormat(ofFileNamed: output) else {
            throw Convert.syntax.problem("which format is '\(output)' to have? Give --format F")
        }
        return format
    }

    private func resizeMode() throws(UsageError) -> ScaleMode {
        guard contains("--resize") || !contains("--mode") && !contains("--enlarge") else {
            throw Convert.syntax.problem("--mode and --enlarge need --resize")
        }
        guard let text = self["--mode"] else { return .fit }
        guard let mode = ScaleMode(rawValue: text) else {
            throw Convert.syntax.problem("--mode is fit, fill or exact, not '\(text)'")
        }
        return mode
    }

    private func choice() throws(UsageError) -> Conversion.Choice {
        let page = try integer("--page", in: 1...Int.max, Convert.syntax)
        switch (page, contains("--first-frame")) {
        case (_?, true): throw Convert.syntax.problem("--page and --first-frame exclude each other")
        case (let page?, false): return .page(page - 1)
        case (nil, let isFirst): return isFirst ? .first : .all
        }
    }

    private func encoding() throws(UsageError) -> EncodingOptions {
        var encoding = EncodingOptions()
        encoding.quality = try fraction("--quality", from: 1, Convert.syntax) ?? encoding.quality
        encoding.effort = try fraction("--effort", from: 0, Convert.syntax) ?? encoding.effort
        encoding.background = try color("--background", Convert.syntax) ?? encoding.background
        encoding.isLossless = contains("--lossless")
        encoding.isProgressive = contains("--progressive")
        return encoding
    }
}
