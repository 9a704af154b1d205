import BowerbirdCore
import Testing

@testable import BowerbirdLoading

/// One option: how it is set to either of two values, and how what was settled reads.
struct OptionRow: Sendable, CustomTestStringConvertible {
    let name: String
    let set: @Sendable (inout RequestOptions, _ isFirst: Bool) -> Void
    let read: @Sendable (SettledOptions) -> String
    let inherited: String

    var testDescription: String { name }

    init<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<RequestOptions, Value?> & Sendable,
        _ settled: any KeyPath<SettledOptions, Value> & Sendable, _ first: Value, _ second: Value, default value: Value
    ) {
        self.name = name
        set = { options, isFirst in options[keyPath: path] = isFirst ? first : second }
        read = { "\($0[keyPath: settled])" }
        inherited = "\(value)"
    }
}

@Suite
struct `The options of a request` {
    static let rows: [OptionRow] = [
        OptionRow("cachePolicy", \.cachePolicy, \.cachePolicy, .reload, .cacheOnly, default: .cacheFirst),
        OptionRow("freshness", \.freshness, \.freshness, .http, .keepFor(.seconds(1)), default: .keep),
        OptionRow("priority", \.priority, \.priority, .high, .low, default: .normal),
        OptionRow("previews", \.previews, \.previews, .off, .whileLoading, default: .whileLoading),
        OptionRow("retry", \.retry, \.retry, .backoff(), .backoff(maximumAttempts: 9), default: .never),
        OptionRow("ignoresFailureList", \.ignoresFailureList, \.ignoresFailureList, true, false, default: false),
        OptionRow("plainHTTP", \.plainHTTP, \.plainHTTP, .refuse, .allow, default: .warn),
        OptionRow(
            "allowsInvalidCertificate", \.allowsInvalidCertificate, \.allowsInvalidCertificate, true, false,
            default: false),
        OptionRow("usesCookies", \.usesCookies, \.usesCookies, true, false, default: false),
        OptionRow("maximumByteCount", \.maximumByteCount, \.maximumByteCount, 1, 2, default: 512 << 20),
        OptionRow(
            "limits", \.limits, \.limits, DecodingLimits(maximumPixelCount: 1), DecodingLimits(maximumPixelCount: 2),
            default: DecodingLimits()),
        OptionRow("diskContent", \.diskContent, \.diskContent, .processed(.png), .both(.jpeg), default: .original),
    ]

    @Test(arguments: rows)
    func areThoseOfThePipelineWhereTheyAreNilAndElseItsOwn(_ row: OptionRow) {
        let nothing = RequestOptions()
        var (first, second) = (nothing, nothing)
        row.set(&first, true)
        row.set(&second, false)
        #expect(row.read(SettledOptions(nothing, nothing)) == row.inherited)
        let firstText = row.read(SettledOptions(first, nothing))
        #expect(firstText != row.read(SettledOptions(second, nothing)))
        #expect(row.read(SettledOptions(nothing, first)) == firstText)
        #expect(row.read(SettledOptions(first, second)) == firstText)
    }

    @Test func areAllInThisTableButForThoseBelow() {
        let names = Mirror(reflecting: RequestOptions()).children.compactMap(\.label)
        #expect(Set(names) == Set(Self.rows.map(\.name) + ["keyRules", "transform", "keeping"]))
    }

    @Test func settleTheRulesForKeysAndTheTransform() {
        var (own, common) = (RequestOptions(), RequestOptions())
        common.keyRules = KeyRule.signedURLs
        common.transform = DataTransform(name: "common") { $0 }
        #expect(SettledOptions(own, common).keyRules.count == 3)
        #expect(SettledOptions(own, common).transform?.name == "common")
        own.keyRules = []
        own.transform = DataTransform(name: "own") { $0 }
        #expect(SettledOptions(own, common).keyRules.isEmpty)
        #expect(SettledOptions(own, common).transform?.name == "own")
        #expect(SettledOptions(RequestOptions(), RequestOptions()).keyRules.isEmpty)
    }

    @Test func settleTheExpiryAndTheTagsEachByItself() {
        var (own, common) = (RequestOptions(), RequestOptions())
        #expect(SettledOptions(own, common).expiry == nil)
        #expect(SettledOptions(own, common).tags == [])
        common.expiry = .never
        common.tags = ["common"]
        #expect(SettledOptions(own, common).expiry == .never)
        #expect(SettledOptions(own, common).tags == ["common"])
        own.expiry = .sinceStored(.seconds(1))
        #expect(SettledOptions(own, common).expiry == .sinceStored(.seconds(1)))
        #expect(SettledOptions(own, common).tags == ["common"])
        own.expiry = nil
        own.tags = []
        #expect(SettledOptions(own, common).expiry == .never)
        #expect(SettledOptions(own, common).tags == [])
        #expect(SettledOptions(own, RequestOptions()).expiry == nil)
    }

    @Test func haveNoPreviewsOfWhatMustBeTransformedFirst() {
        var own = RequestOptions()
        own.previews = .whileLoading
        own.transform = DataTransform(name: "own") { $0 }
        #expect(SettledOptions(own, RequestOptions()).previews == .off)
    }
}
