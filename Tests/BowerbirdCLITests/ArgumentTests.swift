import Bowerbird
import Testing

@testable import BowerbirdCLI

@Suite struct ArgumentTests {
    @Test func fetchReadsItsOptionsWhereverTheyStand() throws {
        let spellings = [
            "fetch a b -o out --json", "fetch -o out a --json b", "fetch --output=out a b --json",
            "fetch -oout --json -- a b", "fetch -o else a b --output out --json",
        ]
        for spelling in spellings {
            guard case .fetch(let fetch) = try parse(spelling) else { throw Unexpected() }
            #expect(fetch.addresses == ["a", "b"], "\(spelling)")
            #expect(fetch.folder == "out", "\(spelling)")
            #expect(fetch.printsJSON && !fetch.isInOrder && fetch.cache == .standard, "\(spelling)")
        }
    }

    @Test func fetchKnowsOrderAndCache() throws {
        guard case .fetch(let fetch) = try parse("fetch a -o out --in-order --cache c") else { throw Unexpected() }
        #expect(fetch.isInOrder && fetch.cache == .folder("c") && !fetch.printsJSON)
        guard case .fetch(let other) = try parse("fetch a -o out --no-cache") else { throw Unexpected() }
        #expect(other.cache == .none)
    }

    @Test func wordsBehindTwoDashesAreNoOptions() throws {
        guard case .fetch(let fetch) = try parse("fetch -o out -- -o --help") else { throw Unexpected() }
        #expect(fetch.addresses == ["-o", "--help"])
    }

    @Test(arguments: [
        ("--size 400", PixelSize(width: 400, height: 400)), ("--size 400x300", PixelSize(width: 400, height: 300)),
        ("--size=1X65535", PixelSize(width: 1, height: 65_535)),
    ])
    func aSizeIsOneNumberOrTwo(_ option: String, _ size: PixelSize) throws {
        #expect(try thumbnail(option).size == size)
    }

    @Test func thumbnailHasDefaults() throws {
        let thumbnail = try thumbnail("--size 9")
        #expect(thumbnail.scaleMode == .fit && thumbnail.scaling == .quality)
        #expect(thumbnail.format == nil && thumbnail.encoding.quality == 0.85)
    }

    @Test func thumbnailReadsAllItsOptions() throws {
        let fast = try thumbnail("--size 9 --fill --fast --format PNG --quality 1")
        #expect(fast.scaleMode == .fill && fast.scaling == .fast)
        #expect(fast.format == .png && fast.encoding.quality == 0.01)
        #expect(try thumbnail("--size 9 --exact --format jpg").scaleMode == .exact)
        #expect(try thumbnail("--size 9 --exact --format jpg").format == .jpeg)
    }

    @Test(arguments: [
        "", "bogus", "--bogus", "help bogus", "fetch", "fetch a", "fetch -o out", "fetch a -o",
        "fetch a -o out --size 4", "fetch a -o out -x", "fetch a -o out --json=yes", "fetch a -o out --cache",
        "fetch a -o out --cache=", "fetch a -o out --no-cache --cache c", "info", "info --in-order a",
        "thumbnail a -o out", "thumbnail -o out --size 4", "thumbnail a --size 4", "thumbnail a -o out --size 0",
        "thumbnail a -o out --size 65536", "thumbnail a -o out --size -4", "thumbnail a -o out --size 4x",
        "thumbnail a -o out --size x4", "thumbnail a -o out --size 4x4x4", "thumbnail a -o out --size big",
        "thumbnail a -o out --size 99999999999999999999", "thumbnail a -o out --size 4 --fill --exact",
        "thumbnail a -o out --size 4 --format gif", "thumbnail a -o out --size 4 --quality 0",
        "convert a", "convert -o b.png", "convert a b -o c.png", "convert a -o b", "convert a -o b.doc",
        "convert a -o b.png --format doc", "convert a -o b.png --mode fit", "convert a -o b.png --enlarge",
        "convert a -o b.png --resize 0", "convert a -o b.png --resize 4 --mode crop", "convert a -o b.png --quality 0",
        "convert a -o b.png --effort 101", "convert a -o b.png --effort -1", "convert a -o b.png --page 0",
        "convert a -o b.png --page 1 --first-frame", "convert a -o b.png --background red",
        "convert a -o b.png --background #12345", "convert a -o b.png --background #+12345", "frames a",
        "convert a -o b.png --max-bytes 0", "convert a -o b.png --max-bytes k", "convert a -o b.png --max-bytes 1T",
        "convert a -o b.png --max-bytes 99999999999999999999", "convert a -o b.png --max-bytes 9999999999999999k",
        "convert a -o b.png --max-size 0", "frames -o out", "frames a b -o out", "formats a", "formats --cache c",
        "thumbnail a -o out --size 4 --quality 101", "thumbnail a -o out --size 4 --quality good",
    ])
    func whatMakesNoSenseIsOneLineAndAHint(_ line: String) {
        let error = #expect(throws: UsageError.self) { _ = try parse(line) }
        let lines = error?.description.split(separator: "\n") ?? []
        #expect(lines.count == 2 && lines[0].hasPrefix("bowerbird: ") && lines[1].hasPrefix("Try 'bowerbird help"))
    }

    @Test func theHintNamesTheCommandThatWasMeant() {
        let error = #expect(throws: UsageError.self) { _ = try parse("info --bogus") }
        #expect(error == UsageError(problem: "there is no option '--bogus'", command: "info"))
    }

    @Test func aHostileWordCannotWriteToTheTerminal() {
        let error = #expect(throws: UsageError.self) { _ = try CommandLineRequest(["\u{1B}[2J\n"]) }
        #expect(error?.description.contains("\u{1B}") == false)
    }

    @Test(arguments: [
        ("help", "Commands:"), ("--help", "Commands:"), ("-h", "Commands:"), ("help fetch", "--in-order"),
        ("fetch --help", "--in-order"), ("info -h", "--json"), ("thumbnail a --size big --help", "--quality"),
        ("--version", "bowerbird 0.1.0"), ("help convert", "--resize"), ("help frames", "frames.json"),
    ])
    func helpAndVersionAreShown(_ line: String, _ part: String) throws {
        guard case .show(let text) = try parse(line) else { throw Unexpected() }
        #expect(text.contains(part))
    }

    @Test func helpFitsATerminalOfEightyColumns() {
        let pages = [HelpPage.allCommands] + CommandLineRequest.syntaxes.map(HelpPage.page)
        let tooLong = pages.flatMap { $0.split(separator: "\n") }.filter { $0.count > 80 }
        #expect(tooLong == [])
    }

    @Test func convertHasDefaults() throws {
        let conversion = try conversion("")
        #expect(conversion.format == .webP && conversion.targetSize == nil && conversion.choice == .all)
        #expect(conversion.encoding == EncodingOptions() && !conversion.keepsMetadata)
    }

    @Test func convertReadsAllItsOptions() throws {
        let some = try conversion("--format avif --resize 40x30 --mode fill --enlarge --page 2 --keep-metadata")
        #expect(some.format == .avif && some.targetSize == PixelSize(width: 40, height: 30))
        #expect(some.scaleMode == .fill && some.allowsUpscaling && some.choice == .page(1) && some.keepsMetadata)
        #expect(try conversion("--max-size 40x30").bounds.maximumSize == PixelSize(width: 40, height: 30))
        let others = try conversion("--quality 1 --effort 0 --background 0080ff --lossless --progressive --first-frame")
        #expect(others.encoding.quality == 0.01 && others.encoding.effort == 0 && others.choice == .first)
        #expect(others.encoding.background == Color(red: 0, green: 128, blue: 255))
        #expect(others.encoding.isLossless && others.encoding.isProgressive)
    }

    @Test(arguments: [("1", 1), ("20000", 20_000), ("20k", 20_000), ("3M", 3_000_000), ("3m", 3_000_000)])
    func bytesMayHaveAUnit(_ text: String, _ count: Int) throws {
        #expect(try conversion("--max-bytes \(text)").bounds.maximumByteCount == count)
    }

    private struct Unexpected: Error {}

    private func parse(_ line: String) throws(UsageError) -> CommandLineRequest {
        try CommandLineRequest(line.split(separator: " ").map(String.init))
    }

    private func conversion(_ options: String) throws -> Conversion {
        guard case .convert(let convert) = try parse("convert a -o b.webp " + options) else { throw Unexpected() }
        return convert.conversion
    }

    private func thumbnail(_ options: String) throws -> Thumbnail {
        guard case .thumbnail(let thumbnail) = try parse("thumbnail a -o out " + options) else { throw Unexpected() }
        return thumbnail
    }
}
