import FoundationEssentials
import Testing

@testable import BowerbirdLoading

struct HostQueueTests {
    let a: TransferHost
    let b: TransferHost

    init() throws {
        a = TransferHost(of: try #require(URL(string: "http://a/1")))
        b = TransferHost(of: try #require(URL(string: "http://b/1")))
    }

    @Test func whatIsOverTheLimitWaitsAndComesInOrder() {
        var queue = HostQueue<Int>(limit: 2)
        let started = (1...5).filter { queue.enter($0, a) }
        let later = (1...6).map { _ in queue.leave(a) }
        #expect(started == [1, 2])
        #expect(later == [3, 4, 5, nil, nil, nil])
    }

    @Test func aPlaceThatWasLeftCanBeTakenAgain() {
        var queue = HostQueue<Int>(limit: 1)
        let outcomes = (1...3).map { _ in (queue.enter(0, a), queue.leave(a)) }
        #expect(outcomes.allSatisfy { $0.0 && $0.1 == nil })
    }

    @Test func hostsDoNotWaitForEachOther() {
        var queue = HostQueue<Int>(limit: 1)
        let entered = [queue.enter(1, a), queue.enter(2, a), queue.enter(3, b)]
        #expect(entered == [true, false, true])
        let left = [queue.leave(b), queue.leave(a)]
        #expect(left == [nil, 2])
    }

    @Test func aLimitBelowOneIsOne() {
        var queue = HostQueue<Int>(limit: -3)
        let entered = [queue.enter(1, a), queue.enter(2, a)]
        #expect(entered == [true, false])
    }

    @Test(arguments: [
        ("http://A:80/x", "http://a/y?z", true), ("https://a:443/", "https://a/", true),
        ("http://a/", "https://a/", false),
        ("http://a:1/", "http://a:2/", false),
    ])
    func aHostIsASchemeANameAndAPort(_ one: String, _ other: String, _ areSame: Bool) throws {
        let hosts = try [one, other].map { TransferHost(of: try #require(URL(string: $0))) }
        #expect((hosts[0] == hosts[1]) == areSame)
    }
}
