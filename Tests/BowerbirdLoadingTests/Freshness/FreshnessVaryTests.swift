import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite
struct `An answer that varies` {
    @Test(arguments: [
        ("Accept", ["Accept": "image/webp"], ["accept": "image/webp"], true),
        ("Accept", ["Accept": "image/webp"], ["Accept": " image/webp\t"], true),
        ("Accept", ["Accept": "image/webp"], ["Accept": "image/avif"], false),
        ("Accept", ["Accept": "image/webp"], [:], false), ("Accept", [:], ["Accept": "image/webp"], false),
        ("Accept", [:], ["Accept": ""], false), ("Accept-Encoding", [:], [:], true),
        ("accept , , COOKIE", ["Accept": "a", "Cookie": "b"], ["Accept": "a", "Cookie": "b"], true),
        ("accept , , COOKIE", ["Accept": "a", "Cookie": "b"], ["Accept": "a", "Cookie": "c"], false),
        ("Accept, accept", ["Accept": "a"], ["Accept": "a"], true),
        ("Accept", ["accept": "b", "Accept": "a"], ["ACCEPT": "a", "accept": "b"], true),
        ("Accept", ["accept": "b", "Accept": "a"], ["Accept": "a"], false),
        ("Accept", ["Accept": "a", "X": "1"], ["Accept": "a", "X": "2"], true),
        ("*", [:], [:], false), ("Accept, *", ["Accept": "a"], ["Accept": "a"], false), ("", [:], ["X": "1"], true),
        ("not a name", [:], [:], false), ("a:b", [:], [:], false),
    ])
    func answersOnlyRequestsThatAreAlikeInWhatItVariesOn(
        vary: String, first: [String: String], second: [String: String], isAnswer: Bool
    ) {
        let answer = freshness(
            ["vary": vary, "cache-control": "max-age=60, stale-if-error=60", "etag": "\"1\""], askedWith: first)
        #expect(answer.decision(for: second, at: receipt) == (isAnswer ? .use : .fetch))
        #expect(answer.decision(for: second, at: receipt + 60) == (isAnswer ? .revalidate : .fetch))
    }

    @Test func onEverythingIsNotKeptAndNeverSubstitutes() {
        let answer = freshness(["vary": "*", "cache-control": "max-age=60"])
        #expect(!answer.isStorable)
        #expect(!answer.maySubstituteFailure(at: receipt))
    }

    @Test func keepsNoPassword() {
        let answer = freshness(["vary": "Authorization"], askedWith: ["Authorization": "Basic c2VjcmV0"])
        #expect(!"\(answer)".contains("c2VjcmV0"))
        #expect(answer.matches(["authorization": "Basic c2VjcmV0"]))
    }
}

@Suite
struct `Asking whether an answer holds` {
    @Test(arguments: [
        (["etag": "\"a,b\""], ["If-None-Match": "\"a,b\""]), (["etag": "W/\"a\""], ["If-None-Match": "W/\"a\""]),
        (["etag": "bare"], ["If-None-Match": "bare"]),
        (["etag": "\"\"", "last-modified": At.receipt], ["If-None-Match": "\"\"", "If-Modified-Since": At.receipt]),
        (["last-modified": "Sunday, 06-Nov-94 08:49:37 GMT"], ["If-Modified-Since": "Sunday, 06-Nov-94 08:49:37 GMT"]),
        // What no server can make anything of, or more than it should.
        (["etag": "\"a\", \"b\""], [:]), (["etag": "\"a"], [:]), (["etag": "a\""], [:]), (["etag": "a, b"], [:]),
        (["etag": ""], [:]), (["etag": "W/"], [:]), (["etag": "\"a\"\r\nX: y"], [:]), (["last-modified": "0"], [:]),
        (["last-modified": "\(At.receipt), \(At.receipt)"], [:]), ([:], [:]),
    ])
    func isDoneWithWhatTheServerGave(headers: [String: String], expected: [String: String]) {
        let answer = freshness(headers)
        #expect(answer.conditionalHeaders == expected)
        #expect(answer.decision(for: [:], at: receipt + 1e6) == (expected.isEmpty ? .fetch : .revalidate))
    }

    @Test func makesTheAnswerFreshAgain() {
        let old = freshness(["cache-control": "max-age=60", "etag": "\"1\"", "date": At.receipt, "age": "30"])
        let renewed = old.renewed(by: [:], at: receipt + 1000)
        #expect(renewed.receivedAt == receipt + 1000)
        #expect(renewed.decision(for: [:], at: receipt + 1059) == .use)
        #expect(renewed.decision(for: [:], at: receipt + 1060) == .revalidate)
    }

    @Test func takesOverWhatTheServerSaysAnew() {
        let old = freshness(["cache-control": "max-age=60", "expires": At.minuteAfter])
        let renewed = old.renewed(by: ["cache-control": "max-age=10", "age": "4", "server": "x"], at: receipt)
        #expect(renewed.headers == ["cache-control": "max-age=10", "age": "4", "expires": At.minuteAfter])
        #expect(renewed.decision(for: [:], at: receipt + 5) == .use)
        #expect(renewed.decision(for: [:], at: receipt + 6) == .fetch)
    }

    @Test func leavesTheValidatorsAndTheVariantThoseOfTheBytes() {
        let old = freshness(
            ["etag": "\"1\"", "last-modified": At.receipt, "vary": "Accept"], askedWith: ["Accept": "a"])
        let renewed = old.renewed(
            by: ["etag": "\"2\"", "last-modified": At.hourAfter, "vary": "*"], at: receipt)
        #expect(renewed.conditionalHeaders == old.conditionalHeaders)
        #expect(renewed.hasValidators(of: old))
        #expect(renewed.matches(["Accept": "a"]))
        #expect(!renewed.hasValidators(of: nil))
        #expect(!renewed.hasValidators(of: freshness(["etag": "\"2\"", "last-modified": At.receipt])))
        #expect(!renewed.hasValidators(of: freshness(["etag": "\"1\""])))
    }
}
