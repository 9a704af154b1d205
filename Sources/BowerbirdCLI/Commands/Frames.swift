import Bowerbird

/// `bowerbird frames`: the frames of an animation, or the pages of a document, as PNG files. Never more than one of them
/// is in memory.
struct Frames: Command {
    let input: String
    let folder: String
    let cache: CacheChoice
    let printsJSON: Bool

    static let syntax = CommandSyntax(
        name: "frames", summary: "write the frames of an animation as PNG files", operands: "FILE|URL|-",
        usage: "FILE|URL|- -o DIR",
        options: [.output, .json, .noCache, .cache],
        notes: """
            Each frame is written as it is seen, with what earlier ones left, bit for bit:
            frame-0001.png, frame-0002.png and so on. frames.json lists them, with their
            delays in milliseconds and how often they are played (0: for ever). A still
            gives one; a document gives one a page, without delays. Files of these names
            are replaced. Of a damaged file, what comes before the damage is written.
            """)

    init(_ arguments: ParsedArguments) throws(UsageError) {
        input = try arguments.input(Self.syntax)
        folder = try arguments.outputFolder(Self.syntax)
        cache = try CacheChoice(arguments, Self.syntax.name)
        printsJSON = arguments.contains("--json")
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitStatus {
        let folder = try context.openFolder(folder)
        return await context.runAlone(input, printsJSON: printsJSON) { input throws(Failure) in
            try await export(input, into: folder, context)
        }
    }

    private func export(
        _ input: BatchInput, into folder: OutputFolder, _ context: CommandContext
    ) async throws(Failure) -> Batch.Report {
        let start = ContinuousClock.now
        let loaded = try await context.file(input)
        let series = try Failure.decoding(loaded.address) { () throws(DecodingError) in
            let header = try context.codecs.header(of: loaded.data)
            return try PictureSeries(of: loaded.data, header, .exact(header, for: .png), context.codecs)
        }
        var list = FrameList(source: input.text, series)
        var fault: Failure?
        do {
            for index in 0..<series.count {
                try write(index, of: series, loaded.address, into: folder, &list, context)
                context.showFrames(index + 1, of: series.count, input, loaded.source)
            }
        } catch {
            fault = error
        }
        if !list.isEmpty { try folder.write(list, of: loaded.address) }
        if let fault { throw fault }
        return report(input, list, Figures.milliseconds(start.duration(to: .now)))
    }

    private func write(
        _ index: Int, of series: PictureSeries, _ address: String, into folder: OutputFolder, _ list: inout FrameList,
        _ context: CommandContext
    ) throws(Failure) {
        let picture = try Failure.decoding(address) { () throws(DecodingError) in try series.picture(at: index) }
        for warning in picture.warnings { context.console.printRemark("\(warning)", on: address) }
        var encoding = EncodingOptions()
        encoding.profile = picture.profile
        let file = try Failure.encoding(address) { () throws(EncodingError) in
            try context.codecs.encode(picture.bitmap, as: .png, encoding)
        }
        let name = FrameList.fileName(index)
        try folder.replace(name, with: file, madeFrom: address)
        list.add(name, picture.bitmap.size, byteCount: file.count)
    }

    private func report(_ input: BatchInput, _ list: FrameList, _ milliseconds: Int) -> Batch.Report {
        var json = JSONLine()
        json.add("source", input.text)
        json.add("folder", folder)
        json.add("format", list.header.format.name)
        json.add("width", list.size.width)
        json.add("height", list.size.height)
        json.add("frames", list.count)
        json.add("bytes", list.byteCount)
        json.add("milliseconds", milliseconds)
        let picture = "\(Figures.count(list.count, list.noun)) of \(list.header.format)"
        let size = "\(list.size.width) x \(list.size.height)"
        let text =
            "\(folder.printable): \(picture), \(size), \(Figures.bytes(list.byteCount)), \(milliseconds) ms"
        return Batch.Report(text: text, json: json)
    }
}

extension OutputFolder {
    fileprivate func write(_ list: FrameList, of address: String) throws(Failure) {
        guard let data = EncodedImage(Array((list.json.text + "\n").utf8)) else {
            throw Failure(.outOfMemory, address)
        }
        try replace(FrameList.name, with: data, madeFrom: address)
    }

    fileprivate func replace(_ name: String, with data: EncodedImage, madeFrom address: String) throws(Failure) {
        do { try replace(name, with: data) } catch { throw Failure(error, address) }
    }
}
