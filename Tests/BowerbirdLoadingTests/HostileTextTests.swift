import BowerbirdCore
import BowerbirdLoading
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `Text that means no harm or all of it` {
    static let texts = [
        "http://[", "http://]", "http://[]", "http://[::1", "http://a:99999/", "http://a:-1/", "http://a:b/",
        "http://:80/",
        "http://", "http:///", "http:/a", "http:a", "http:", ":", "://", "http://%", "http://%zz/", "http://a%00b/",
        "http://a/\0b", "\0", "http://a/\u{0}\u{1}\u{7F}", "http://a b/", "http://a\u{202E}gpj.exe/",
        "http://user:pa ss@h/",
        "http://@/", "http://a@b@c/", "http://a/#b#c", "http://a/?b?c", "http://a/%", "http://a/%2", "http://a/%2g",
        "http://a/\u{301}", "http://a/e\u{301}", "#\u{301}", "http://a#\u{301}/b", "\r\n", "\u{FEFF}http://a/", "data:",
        "data:,", "data:;base64,%%%", "file:", "file://", "file:///", "file:///%00", "file://h/x", "file:%", "x://",
        "http://a/" + String(repeating: "\u{3000}", count: 300_000), String(repeating: "%", count: 1_000_000),
        "http://" + String(repeating: "[", count: 100_000), String(repeating: "a", count: 1_000_000) + "://",
        "data:," + String(repeating: "/", count: 1_000_000),
    ]

    @Test(arguments: texts.indices)
    func isNormalizedOnceAndForAll(index: Int) {
        let once = URLNormalizer.normalize(Self.texts[index])
        #expect(URLNormalizer.normalize(once) == once)
        #expect(once.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    }

    /// Whatever it is taken for, asking for it gives a picture or an error.
    @Test(arguments: texts.indices)
    func givesAnErrorAndNothingWorse(index: Int) async {
        let fixture = PipelineFixture()
        await #expect(throws: ImageError.self) {
            _ = try await fixture.pipeline.image(for: ImageRequest(try ImageSource(Self.texts[index])))
        }
    }

    @Test func withASecondNumberSignIsAnAddress() {
        #expect(URLNormalizer.normalize("http://h/a#b#c") == "http://h/a#b%23c")
        #expect(URLNormalizer.url("http://h/a#b#c") != nil)
    }

    @Test(arguments: ["\nhttp://h/x", "\t http://h/x", "\r\nhttp://h/x "])
    func mayHaveBeenCopiedWithTheSpaceAroundIt(text: String) throws {
        guard case .url(let url) = try ImageSource(text) else { Issue.record("it is taken for a file"); return }
        #expect(url.absoluteString == "http://h/x")
    }
}
