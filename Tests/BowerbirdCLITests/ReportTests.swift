import Bowerbird
import Foundation
import Testing

@testable import BowerbirdCLI

@Suite struct ReportTests {
    @Test(arguments: [
        "plain", "\"quoted\" \\ back", "line\nbreak\r\ttab", "\u{0}\u{1B}[2J\u{7F}\u{85}\u{2028}", "东方不败 \u{1F600}",
    ])
    func anyTextComesBackFromJSONAndStaysOnOneLine(_ text: String) throws {
        var line = JSONLine()
        line.add("text", text)
        line.add("number", -7)
        line.add("truth", true)
        #expect(!line.text.unicodeScalars.contains { $0.isControl })
        let object = try JSONSerialization.jsonObject(with: Data(line.text.utf8)) as? [String: Any]
        #expect(object?["text"] as? String == text)
        #expect(object?["number"] as? Int == -7)
        #expect(object?["truth"] as? Bool == true)
    }

    @Test func membersKeepTheirOrder() {
        var line = JSONLine()
        #expect(line.text == "{}")
        line.add("b", 1)
        line.add("a", "x")
        #expect(line.text == #"{"b":1,"a":"x"}"#)
    }

    @Test func aFailureIsOneLineWithAddressAndAdvice() {
        let failure = Failure(.loading(.hostNotFound("no\nhost"), address: "http://no\nhost/\u{1B}[2J"))
        #expect(failure.line.hasPrefix("bowerbird: http://no\u{FFFD}host/\u{FFFD}[2J: there is no host"))
        #expect(failure.line.hasSuffix("check its spelling and the network"))
        #expect(!failure.line.contains { $0.isNewline })
    }

    @Test func aFailureInJSONHasAKindForPrograms() {
        let failure = Failure(.loading(.status(404), address: "http://host/a b"))
        let text = failure.json("http://host/a%20b").text
        #expect(text.hasPrefix(#"{"source":"http://host/a%20b","url":"http://host/a%20b","error":{"stage":"loading","#))
        #expect(text.contains(#""kind":"status","message":"the server answered with status 404"#))
        #expect(text.hasSuffix(#"},"kind":"status","status":404}"#))
    }

    @Test func theFactsOfATurnedPictureShowBothSizes() {
        let header = ImageHeader(
            format: .jpeg, storedSize: PixelSize(width: 4000, height: 3000), orientation: .rightTop, isProgressive: true
        )
        let facts = ImageFacts(
            address: "a.jpg", format: .jpeg, header: header, byteCount: 3_214_555, origin: .network)
        #expect(
            facts.text == """
                a.jpg
                  format    JPEG, progressive
                  size      3000 x 4000 pixels
                  stored    4000 x 3000, to be turned (orientation 6)
                  depth     8 bits a component
                  alpha     no
                  profile   not specified
                  bytes     3,214,555
                  from      the network
                """)
        #expect(facts.json("a").text.contains(#""width":3000,"height":4000,"storedWidth":4000,"storedHeight":3000"#))
    }

    @Test func ofAFormatThatCannotBeDecodedWhatIsKnownIsTold() {
        let facts = ImageFacts(address: "a", format: .heif, header: nil, byteCount: 9, origin: .local)
        #expect(facts.text.contains("HEIF, which this build cannot decode"))
        let json =
            #"{"source":"a","url":"a","format":"HEIF","mediaType":"image/heif","decodable":false,"bytes":9,"origin":"local"}"#
        #expect(facts.json("a").text == json)
    }
}
