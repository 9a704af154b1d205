import BowerbirdLoading
import FoundationEssentials
import Testing

@Suite
struct `Normalizing a URL` {
    static let host = "http://127.0.0.1:8080/"

    @Test(arguments: [
        ("东方不败.jpg", "%E4%B8%9C%E6%96%B9%E4%B8%8D%E8%B4%A5.jpg"),
        ("%E4%B8%9C%E6%96%B9%E4%B8%8D%E8%B4%A5.jpg", "%E4%B8%9C%E6%96%B9%E4%B8%8D%E8%B4%A5.jpg"),
        ("a\u{3000}b.jpg", "a%E3%80%80b.jpg"),
        ("a%E3%80%80b.jpg", "a%E3%80%80b.jpg"),
        ("a b.jpg", "a%20b.jpg"),
        ("a%20b.jpg", "a%20b.jpg"),
        ("a%2520b.jpg", "a%2520b.jpg"),
        ("东%20a b.jpg", "%E4%B8%9C%20a%20b.jpg"),
        ("100%.jpg", "100%25.jpg"),
        ("a|b[1].jpg?x=东&y=a b#f", "a%7Cb%5B1%5D.jpg?x=%E4%B8%9C&y=a%20b#f"),
    ])
    func encodesWhatMustBeAndLeavesTheRest(written: String, expected: String) {
        #expect(URLNormalizer.normalize(Self.host + written) == Self.host + expected)
        #expect(URLNormalizer.url(Self.host + written)?.absoluteString == Self.host + expected)
    }

    @Test(arguments: ["东 b%20%.jpg", "a%E3%80%80b", "[x]", "http://[::1]:80/[1]", "  http://h/x\n"])
    func twiceChangesNothing(text: String) {
        let once = URLNormalizer.normalize(text)
        #expect(URLNormalizer.normalize(once) == once)
    }

    @Test func keepsTheBracketsOfAnAddressAndEncodesOthers() {
        #expect(URLNormalizer.normalize("http://[::1]:80/a[1].jpg") == "http://[::1]:80/a%5B1%5D.jpg")
    }

    @Test(arguments: ["", "  ", "photo.jpg", "/a/b.jpg", "//host/x.jpg"])
    func aTextWithoutASchemeIsNoURL(text: String) {
        #expect(URLNormalizer.url(text) == nil)
    }
}

@Suite
struct `A source from what a person types` {
    @Test func anAddressIsAURLAndAnythingElseAFile() throws {
        guard case .url = try ImageSource("http://h/东.jpg") else { Issue.record("not a URL"); return }
        guard case .file("./a b.jpg") = try ImageSource("./a b.jpg") else { Issue.record("not a file"); return }
        guard case .file = try ImageSource("12:30.jpg") else { Issue.record("not a file"); return }
        #expect(throws: ImageError.invalidURL("")) { try ImageSource("") }
    }

    @Test(arguments: [
        ("http://h/%E4%B8%9C.jpg?x=1", "东.jpg"), ("http://h/a%2Fb.jpg", "a/b.jpg"), ("/tmp/x.png", "x.png"),
        ("http://h/", ""), ("data:,x", ""),
    ])
    func knowsTheNameOfItsFile(text: String, name: String) throws {
        #expect(try ImageSource(text).fileName == name)
    }
}
