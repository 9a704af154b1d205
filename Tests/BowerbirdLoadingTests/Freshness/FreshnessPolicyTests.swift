import BowerbirdCore
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

@Suite
struct `A freshness policy` {
    /// What the entry came with; nil for none of HTTP.
    private static let fresh = ["cache-control": "max-age=60", "etag": "\"1\""]
    private static let stale = ["cache-control": "max-age=0", "etag": "\"1\""]
    private static let staleWithoutValidator = ["cache-control": "max-age=0"]
    private static let immutable = ["cache-control": "max-age=60, immutable", "etag": "\"1\""]
    private static let short = ["cache-control": "max-age=0, stale-while-revalidate=60", "etag": "\"1\""]
    private static let unstorable = ["cache-control": "no-store", "etag": "\"1\""]

    @Test(
        arguments: [
            (FreshnessPolicy.keep, fresh, 0, Freshness.Decision.use, Freshness.Decision.revalidate),
            (.keep, stale, 1e9, .use, .revalidate), (.keep, staleWithoutValidator, 1e9, .use, .fetch),
            (.keep, immutable, 0, .use, .revalidate), (.keep, nil, 1e9, .use, .fetch),
            (.keep, unstorable, 1e9, .use, .revalidate),
            (.keepFor(.seconds(10)), stale, 9, .use, .revalidate),
            (.keepFor(.seconds(10)), fresh, 10, .revalidate, .revalidate),
            (.keepFor(.seconds(10)), fresh, -10, .revalidate, .revalidate),
            (.keepFor(.seconds(10)), nil, 9, .use, .fetch), (.keepFor(.seconds(10)), nil, 10, .fetch, .fetch),
            (.keepFor(.zero), fresh, 0, .revalidate, .revalidate),
            (.keepFor(.seconds(-1)), fresh, 0, .revalidate, .revalidate),
            (.http, fresh, 59, .use, .revalidate), (.http, fresh, 60, .revalidate, .revalidate),
            (.http, staleWithoutValidator, 0, .fetch, .fetch), (.http, short, 0, .useAndRevalidate, .revalidate),
            (.http, immutable, 59, .use, .use), (.http, immutable, 60, .revalidate, .revalidate),
            (.http, unstorable, 0, .fetch, .fetch), (.http, nil, 1e9, .use, .fetch),
        ] as [(FreshnessPolicy, [String: String]?, TimeInterval, Freshness.Decision, Freshness.Decision)])
    func saysWhetherToAsk(
        policy: FreshnessPolicy, headers: [String: String]?, age: TimeInterval, usually: Freshness.Decision,
        refreshing: Freshness.Decision
    ) throws {
        let entry = try Self.entry(headers.map { freshness($0) })
        #expect(decision(policy, entry, age: age) == usually)
        #expect(decision(policy, entry, age: age, isRefreshing: true) == refreshing)
    }

    @Test func countsItsOwnAgeFromTheLastConfirmation() throws {
        let policy = FreshnessPolicy.keepFor(.seconds(10))
        let old = freshness(Self.stale)
        #expect(decision(policy, try Self.entry(old), age: 1009) == .revalidate)
        let renewed = old.renewed(by: [:], at: receipt + 1000)
        #expect(decision(policy, try Self.entry(renewed), age: 1009) == .use)
    }

    /// A 304 to another variant's date would be a lie.
    @Test func neverAsksWithTheValidatorsOfAnotherVariant() throws {
        let entry = try Self.entry(freshness(["vary": "Accept", "etag": "\"1\""], askedWith: ["Accept": "a"]))
        for policy in [FreshnessPolicy.keep, .keepFor(.seconds(10)), .http] {
            #expect(decision(policy, entry, age: 0, isRefreshing: true) == .fetch)
        }
        #expect(decision(.keep, entry, age: 0) == .use)
        #expect(decision(.keepFor(.zero), entry, age: 0) == .fetch)
        #expect(decision(.http, entry, age: 0) == .fetch)
    }

    private func decision(
        _ policy: FreshnessPolicy, _ entry: CacheEntry, age: TimeInterval, isRefreshing: Bool = false
    ) -> Freshness.Decision {
        policy.decision(for: entry, requestHeaders: [:], isRefreshing: isRefreshing, at: receipt + age)
    }

    private static func entry(_ freshness: Freshness?) throws -> CacheEntry {
        let data = try #require(EncodedImage([1, 2, 3]))
        return CacheEntry(data: data, url: "http://h/", storedAt: receipt, freshness: freshness)
    }
}
