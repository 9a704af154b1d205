import Bowerbird

/// `bowerbird formats`: what this build reads and writes.
struct Formats: Command {
    let printsJSON: Bool

    var cache: CacheChoice { .none }

    static let syntax = CommandSyntax(
        name: "formats", summary: "list what this build reads and writes", operands: "", usage: "",
        options: [.json],
        notes: """
            Whether a format is read and written is settled when the program is built.
            """)

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.operands.isEmpty else { throw Self.syntax.problem("formats takes no inputs") }
        printsJSON = arguments.contains("--json")
    }

    func run(in context: CommandContext) async -> ExitStatus {
        let rows = ImageFormat.known.map { FormatFacts($0, context.codecs) }
        if !printsJSON { context.console.print(FormatFacts.heading) }
        for row in rows { context.console.print(printsJSON ? row.json.text : row.text) }
        return .success
    }
}

/// What a build can do with a format.
struct FormatFacts: Hashable, Sendable {
    let format: ImageFormat
    let isRead: Bool
    let isWritten: Bool
    let isWrittenAnimated: Bool

    /// Tries: an encoder alone knows whether it can animate.
    init(_ format: ImageFormat, _ codecs: CodecSet) {
        self.format = format
        isRead = codecs.decoder(for: format) != nil
        isWritten = codecs.encoder(for: format) != nil
        isWrittenAnimated = (try? codecs.encode(Blinking(), as: format)) != nil
    }

    static let heading = row("format", "read", "written", "animated", "extensions")

    var text: String {
        Self.row(
            format.name, isRead.answer, isWritten.answer, isWrittenAnimated.answer,
            format.fileExtensions.joined(separator: ", "))
    }

    var json: JSONLine {
        var json = JSONLine()
        json.add("format", format.name)
        json.add("mediaType", format.mediaType)
        json.add("extensions", format.fileExtensions)
        json.add("read", isRead)
        json.add("written", isWritten)
        json.add("animated", isWrittenAnimated)
        return json
    }

    private static func row(_ cells: String...) -> String {
        zip(cells, [10, 6, 9, 10, 0]).map { $0.padded(to: $1) }.joined()
    }
}

extension Bool {
    fileprivate var answer: String { self ? "yes" : "no" }
}

/// The smallest of animations.
private struct Blinking: FrameSource {
    let size = PixelSize(width: 16, height: 16)
    let delays: [Duration] = [.milliseconds(100), .milliseconds(100)]
    let loopCount = LoopCount.forever

    func frame(at index: Int) throws(DecodingError) -> Bitmap {
        guard let pixels = PixelBuffer(size: size, format: .rgba8Straight) else { throw .outOfMemory(size) }
        return pixels.freeze()
    }
}
