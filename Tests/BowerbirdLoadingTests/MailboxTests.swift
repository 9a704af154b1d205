import BowerbirdCore
import BowerbirdTestSupport
import Testing

@testable import BowerbirdLoading

/// All that has been heard, in order.
private struct News: Mergeable, Equatable {
    var heard: [Int]

    mutating func merge(newer: News) { heard += newer.heard }
}

private typealias NewsMailbox = Mailbox<News, String>

/// Every story of a mailbox up to a length, against what it should do.
@Suite
struct `A mailbox` {
    private enum Event: CaseIterable {
        case news, older, end, read, cancel
    }

    @Test(arguments: 1...7)
    func losesNothingKeepsTheOrderAndEndsOnce(length: Int) {
        var stories: [[Event]] = [[]]
        for _ in 0..<length { stories = stories.flatMap { story in Event.allCases.map { story + [$0] } } }
        for story in stories {
            let fault = Self.fault(of: story)
            #expect(fault == nil, "\(story)")
            if fault != nil { return }
        }
    }

    /// What goes wrong in a story; nil where nothing does.
    private static func fault(of story: [Event]) -> String? {
        var state = NewsMailbox.State<Int>()
        var expected: [Int] = []
        var (hasEnded, isClosed, hasOlder) = (false, false, false)
        var readers = 0
        for (step, event) in story.enumerated() {
            switch event {
            case .news where !hasEnded:
                state.receive(News(heard: [step]))
                if !isClosed { expected.append(step) }
            case .older where !hasEnded && !hasOlder:
                state.receive(older: News(heard: [-1]))
                hasOlder = true
                if !isClosed { expected.insert(-1, at: 0) }
            case .end where !hasEnded:
                state.outcome = "end"
                hasEnded = true
            case .read where state.reader == nil:
                readers += 1
                state.reader = readers
            case .cancel: state.isClosed = true
            default: continue
            }
            let wantsNil = state.isClosed
            guard let handover = state.takeHandover() else {
                if state.reader != nil, wantsNil || hasEnded || !expected.isEmpty { return "a reader waits in vain" }
                continue
            }
            guard handover.reader == readers, state.reader == nil else { return "another reader was called" }
            switch handover.delivery {
            case nil:
                if !wantsNil { return "it ended early" }
                isClosed = true
            case .update(let news):
                if news.heard != expected { return "\(news.heard) came instead of \(expected)" }
                expected = []
            case .finished:
                if !hasEnded || isClosed || !expected.isEmpty { return "an end too early or too late" }
                isClosed = true
            }
        }
        return nil
    }

    @Test(.timeLimit(.minutes(5)), arguments: 0..<100)
    func handsOverWhatComesFromOneThreadToAnother(_: Int) async {
        let mailbox = NewsMailbox()
        Task {
            for number in 0..<50 { mailbox.receive(News(heard: [number])) }
            mailbox.finish("end")
        }
        var heard: [Int] = []
        let outcome = await mailbox.outcome { heard += $0.heard }
        #expect(outcome == "end")
        #expect(heard == Array(0..<50))
    }

    @Test(.timeLimit(.minutes(5)), arguments: 0..<100)
    func letsAReaderGoWhoIsCancelled(_: Int) async {
        let mailbox = NewsMailbox()
        let reader = Task { await mailbox.outcome { _ in } }
        Task { mailbox.receive(News(heard: [1])) }
        reader.cancel()
        #expect(await reader.value == nil)
    }
}
