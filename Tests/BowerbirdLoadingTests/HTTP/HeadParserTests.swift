import Testing

@testable import BowerbirdLoading

struct HeadParserTests {
    @Test func namesAreLowerCasedAndValuesTrimmed() {
        let fields = parsed("HTTP/1.1 200 OK", "Content-TYPE: \t image/png ", "ETag:\"a:b\"")
        #expect(fields == ["content-type": "image/png", "etag": "\"a:b\""])
    }

    @Test func onlyTheLastAnswerCounts() {
        #expect(parsed("HTTP/1.1 302 Found", "Location: /b", "", "HTTP/2 200", "Age: 1") == ["age": "1"])
    }

    @Test func fieldsOfTheSameNameAreJoined() {
        #expect(parsed("HTTP/1.1 200 OK", "Vary: Accept", "vary: Cookie") == ["vary": "Accept, Cookie"])
    }

    @Test(arguments: ["", ":", "no colon", "\u{0}", ": value only", "Name:"])
    func brokenLinesDoNoHarm(_ line: String) {
        #expect(parsed("HTTP/1.1 200 OK", line, "Age: 1")["age"] == "1")
    }

    @Test(arguments: [("gzip", true), ("Identity", false), ("br, gzip", true)])
    func anEncodingOtherThanIdentityIsSeen(_ encoding: String, _ isEncoded: Bool) {
        #expect(parsed("Content-Encoding: \(encoding)").saysContentIsEncoded == isEncoded)
        #expect(!parsed("Age: 1").saysContentIsEncoded)
    }

    private func parsed(_ lines: String...) -> [String: String] { parser(lines).fields }
    private func parser(_ lines: String...) -> HeadParser { parser(lines) }

    private func parser(_ lines: [String]) -> HeadParser {
        var parser = HeadParser()
        for line in lines { [UInt8]("\(line)\r\n".utf8).withUnsafeBytes { parser.receive($0) } }
        return parser
    }
}
