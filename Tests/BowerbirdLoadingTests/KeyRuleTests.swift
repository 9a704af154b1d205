import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Testing

private let host = "https://pictures.example/"
private let amazon =
    "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKID%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
    + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbcc"
private let olderAmazon = "AWSAccessKeyId=AKID&Signature=NpgCjnDzrM%2BWFzoENXmpNDUsSn8%3D&Expires=1175139620"
private let google =
    "X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=a%40b&X-Goog-Date=20181026T181309Z&X-Goog-Expires=900"
    + "&X-Goog-SignedHeaders=host&X-Goog-Signature=247a2a"
private let olderGoogle = "GoogleAccessId=a@b.iam.gserviceaccount.com&Expires=1388534400&Signature=sig%3D"
private let cloudFront = "Expires=1357034400&Signature=nitfHRCrtziwO2HwPfWw~yYDhUF5EwRunQA-j19DzZr&Key-Pair-Id=K2JC"

/// `{"Statement":[{"Resource":"*","Condition":{"DateLessThan":{"AWS:EpochTime":1357034400}}}]}`
private let policy =
    "eyJTdGF0ZW1lbnQiOlt7IlJlc291cmNlIjoiKiIsIkNvbmRpdGlvbiI6eyJEYXRlTGVzc1RoYW4iOnsiQVdTOkVwb2NoVGltZSI6MTM1NzAzNDQwMH19fV19"
private let cloudFrontByPolicy = "Policy=\(policy)&Signature=a~b&Key-Pair-Id=K2JC&Hash-Algorithm=SHA256"

private let signatures = [amazon, olderAmazon, google, olderGoogle, cloudFront, cloudFrontByPolicy]

@Suite
struct `A signed URL` {
    @Test(arguments: signatures)
    func hasTheKeyOfTheUnsignedOne(signature: String) {
        let rules = KeyRule.signedURLs
        #expect(rules.key(for: "\(host)a.jpg?\(signature)") == "\(host)a.jpg")
        #expect(
            rules.key(for: "\(host)a.jpg?\(signature)#part?X-Amz-Signature=1") == "\(host)a.jpg#part?X-Amz-Signature=1")
        #expect(rules.key(for: "\(host)a.jpg?w=%31&\(signature)&&h=+2") == "\(host)a.jpg?w=%31&&h=+2")
        #expect(rules.key(for: "\(host)a.jpg?versionId=3&\(signature)") == "\(host)a.jpg?versionId=3")
    }

    @Test(arguments: [
        (amazon, 1_369_353_600 + 86_400), (olderAmazon, 1_175_139_620), (google, 1_540_577_589 + 900),
        (olderGoogle, 1_388_534_400), (cloudFront, 1_357_034_400), (cloudFrontByPolicy, 1_357_034_400),
    ])
    func saysWhenItEnds(signature: String, seconds: TimeInterval) {
        let expiry = KeyRule.signedURLs.expiry(of: "\(host)a.jpg?w=1&\(signature)#x")
        #expect(expiry == Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: [
        (KeyRule.amazonS3, [amazon, olderAmazon]), (.googleCloudStorage, [google, olderGoogle]),
        (.cloudFront, [cloudFront, cloudFrontByPolicy]),
    ])
    func isTheBusinessOfItsOwnRule(rule: KeyRule, own: [String]) {
        for signature in signatures {
            let url = "\(host)a.jpg?\(signature)"
            #expect((rule.key(for: url) == url) != own.contains(signature))
            #expect((rule.expiry(of: url) == nil) != own.contains(signature))
        }
    }

    @Test(arguments: [
        "", "?", "#", "http://h", "http://h/?", "http://h/?#", "http://h/a?&&", "http://h/a?w=1&w=2#f?g",
        // Some items of a signature are none.
        "http://h/a?Expires=1&Signature=2", "http://h/a?X-Amz-Date=20130524T000000Z", "http://h/a?Key-Pair-Id=1",
        "http://h/a?AWSAccessKeyId=1&Signature=2", "http://h/a?GoogleAccessId=1&Expires=2",
        "http://h/a?x-amz-signature=1", "http://h/a#?X-Amz-Signature=1", "http://h/X-Amz-Signature=1",
        "http://h/a?b=X-Amz-Signature", "http://h/a?X-Amz-Signature%3D1", "东 ?%zz=%",
    ])
    func isTheSameWhereItIsNotSigned(url: String) {
        #expect(KeyRule.signedURLs.key(for: url) == url)
        #expect(KeyRule.signedURLs.expiry(of: url) == nil)
    }

    @Test(arguments: [
        "X-Amz-Signature=1", "X-Amz-Signature=1&X-Amz-Date=20130524T000000Z",
        "X-Amz-Signature=1&X-Amz-Expires=60", "X-Amz-Signature=1&X-Amz-Date=20130524T000000&X-Amz-Expires=60",
        "X-Amz-Signature=1&X-Amz-Date=20131324T000000Z&X-Amz-Expires=60",
        "X-Amz-Signature=1&X-Amz-Date=20130524T240000Z&X-Amz-Expires=60",
        "X-Amz-Signature=1&X-Amz-Date=2013-5-4T000000Z&X-Amz-Expires=60",
        "X-Amz-Signature=1&X-Amz-Date=20130524T000000Z&X-Amz-Expires=-1",
        "Signature=1&Key-Pair-Id=2", "Signature=1&Key-Pair-Id=2&Expires=soon", "Signature=1&Key-Pair-Id=2&Expires=",
        "Signature=1&Key-Pair-Id=2&Expires=999999999999", "Signature=1&Key-Pair-Id=2&Policy=%%%",
        "Signature=1&Key-Pair-Id=2&Policy=e30_", "Signature=1&Key-Pair-Id=2&Policy=bm90IEpTT04_",
    ])
    func thatDoesNotSayItsEndHasNone(signature: String) {
        let url = "\(host)a.jpg?\(signature)"
        #expect(KeyRule.signedURLs.expiry(of: url) == nil)
        #expect(KeyRule.signedURLs.key(for: url) == "\(host)a.jpg")
    }

    /// `{"Statement":[{"Condition":{"DateLessThan":{"AWS:EpochTime":1}}}]}` and some more spaces, for the padding.
    @Test func mayHaveAPolicyWithTheLettersThatCloudFrontReplaces() throws {
        for spaces in 0..<3 {
            let pad = String(repeating: " ", count: spaces)
            let json =
                #"{"Statement":[{"Resource":"???>>>~~","Condition":{"DateLessThan":{"AWS:EpochTime":1}}}]}"# + pad
            let base64 = Data(json.utf8).base64EncodedString()
            let policy = String(base64.map { $0 == "+" ? "-" : $0 == "=" ? "_" : $0 == "/" ? "~" : $0 })
            let url = "\(host)a.jpg?Policy=\(policy)&Signature=1&Key-Pair-Id=2"
            #expect(KeyRule.cloudFront.expiry(of: url) == Date(timeIntervalSince1970: 1))
        }
    }
}

@Suite
struct `A key rule` {
    @Test(arguments: [
        ("http://h/a?utm=1&w=2&Utm=3#utm=4", "http://h/a?w=2&Utm=3#utm=4"), ("http://h/a?utm", "http://h/a"),
        ("http://h/a?%75tm=1&w=%32", "http://h/a?w=%32"), ("http://h/a?w=utm", "http://h/a?w=utm"),
        ("http://h/a?b%20c=1", "http://h/a"), ("http://h/a?&utm=1", "http://h/a?"), ("http://h/a?", "http://h/a?"),
        ("http://h/utm=1", "http://h/utm=1"), ("", ""),
    ])
    func leavesOutTheItemsThatAreNamed(url: String, key: String) {
        let rule = KeyRule.ignoringQueryItems(["utm", "b c"])
        #expect(rule.key(for: url) == key)
        #expect(rule.expiry(of: url) == nil)
    }

    @Test func mayBeOnesOwn() {
        let rule = KeyRule.custom("short", key: { String($0.prefix(3)) }, expiry: { _ in receipt })
        #expect(rule.name == "short")
        #expect(rule.key(for: "abcdef") == "abc")
        #expect(rule.expiry(of: "") == receipt)
        #expect([KeyRule.ignoringQueryItems(["x"]), rule].key(for: "a?x=1&y") == "a?y")
        #expect([KeyRule.amazonS3, rule].expiry(of: "") == receipt)
        #expect([KeyRule]().key(for: "a") == "a")
    }

    @Test func standsAnyText() {
        var random = SeededRandom(seed: 3)
        let parts = [
            "?", "&", "=", "#", "%", "%41", "X-Amz-Signature", "Signature", "Expires", "9", "é", "\u{0}", "-",
            "Key-Pair-Id", "Policy",
        ]
        for _ in 0..<5000 {
            let url = (0..<Int.random(in: 0...20, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }
            .joined()
            let key = KeyRule.signedURLs.key(for: url)
            #expect(KeyRule.signedURLs.key(for: key) == key)
            _ = KeyRule.signedURLs.expiry(of: url)
        }
    }
}
