import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite
struct `The name of an international host` {
    /// RFC 3492, section 7.1, in lower case as hosts are, without those that have no ASCII delimiter form of a host.
    static let samples = [
        ("egbpdaj6bu4bxfgehfvwxn", "ليهمابتكلموشعربي؟"),
        ("ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"),
        ("ihqwctvzc91f659drss3x8bo0yb", "他們爲什麽不說中文"),
        ("proprostnemluvesky-uyb24dma41a", "pročprostěnemluvíčesky"),
        ("4dbcagdahymbxekheh6e0a7fei0b", "למההםפשוטלאמדבריםעברית"),
        ("i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd", "यहलोगहिन्दीक्योंनहींबोलसकतेहैं"),
        ("n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa", "なぜみんな日本語を話してくれないのか"),
        ("b1abfaaepdrnnbgefbadotcwatmq2g4l", "почемужеонинеговорятпорусски"),
        ("porqunopuedensimplementehablarenespaol-fmd56a", "porquénopuedensimplementehablarenespañol"),
        ("tisaohkhngthchnitingvit-kjcr8268qyxafd2f1b9g", "tạisaohọkhôngthểchỉnóitiếngviệt"),
        ("3b-ww4c5e180e575a65lsy2b", "3年b組金八先生"),
        ("-with-super-monkeys-pc58ag80a8qai00g7n9n", "安室奈美恵-with-super-monkeys"),
        ("hello-another-way--fc4qua05auwb3674vfr0b", "hello-another-way-それぞれの場所"),
        ("2-u9tlzr9756bt3uc0v", "ひとつ屋根の下2"),
        ("majikoi5-783gue6qz075azm5e", "majiでkoiする5秒前"),
        ("de-jg4avhby1noc0d", "パフィーdeルンバ"),
        ("d9juau41awczczp", "そのスピードで"),
        ("bcher-kva", "bücher"),
    ]

    @Test(arguments: samples)
    func isTheSameHoweverItIsSpelt(encoded: String, readable: String) throws {
        let name = readable.lowercased()
        #expect(Punycode.readable("xn--" + encoded) == name)
        #expect(Punycode.readable("XN--" + encoded.uppercased() + ".Example:8080") == name + ".example:8080")
        let escaped = readable.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(Punycode.readable(escaped) == name)
    }

    @Test(arguments: [
        "xn--", "xn---", "xn--a", "xn--99999999", "xn--\u{7f}", "xn--ü", "xn--aaaaaaaaaaaaaaaaaaaaaaaa",
        "xn--zzzzzzzzzzzzzzzzzzzzzz", "xn---------", "xn--a-_", "a.xn--.b", "%", "%zz", "%ff",
    ])
    func staysAsItIsWhereItMakesNoSense(host: String) {
        let readable = Punycode.readable(host)
        #expect(readable == host || host.hasPrefix("xn--") && !readable.isEmpty)
        #expect(Punycode.readable(readable) == readable)
    }

    /// Otherwise whoever may choose a host could take another's place in the caches and among the failures.
    @Test(arguments: [
        "host.test%2Fbird", "host.test%3Fbird", "host.test%23", "me%40host.test", "host.test%3A80", "a%20b",
    ])
    func isNotThatOfAnotherWhereAnEscapeHidesItsEnd(host: String) {
        #expect(Punycode.readable(host) == host.lowercased())
    }

    @Test func surviveGarbage() {
        var random = SeededRandom(seed: 3)
        let letters = Array("abcxyz0189-.:%[]ü")
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<30, using: &random)
            let text = String((0..<count).compactMap { _ in letters.randomElement(using: &random) })
            _ = Punycode.readable("xn--" + text)
        }
    }

    @Test func isOneKeyInTheCaches() async throws {
        let fixture = PipelineFixture()
        let addresses = [
            "http://bücher.test:81/a%20b", "http://xn--bcher-kva.test:81/a%20b", "HTTP://B%C3%BCcher.test:81/a%20b",
        ]
        let requests = try addresses.map { ImageRequest(try ImageSource($0)) }
        let keys = Set(requests.map(fixture.pipeline.imageCacheKey) + [])
        #expect(keys.count == 1)
        #expect(Set(requests.map(fixture.pipeline.dataCacheKey)).count == 1)
        let other = ImageRequest(try ImageSource("http://bucher.test:81/a%20b"))
        #expect(!keys.contains(fixture.pipeline.imageCacheKey(for: other)))
    }
}
