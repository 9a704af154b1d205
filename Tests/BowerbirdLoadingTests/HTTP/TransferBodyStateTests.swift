import FoundationEssentials
import Testing

@testable import BowerbirdLoading

struct TransferBodyStateTests {
    let head: ResponseHead
    var state = TransferBodyState()

    init() throws { head = ResponseHead(url: try #require(URL(string: "http://a/")), status: 200) }

    @Test mutating func aReaderThatComesEarlyWaitsUntilSomethingComes() {
        #expect(headOutcome() == .wait)
        #expect(state.isReaderWaiting)
        state.receive(head)
        #expect(!state.isReaderWaiting)
        #expect(headOutcome() == .value)
        #expect(bytesOutcome() == .wait)
        #expect(receive(3) == .taken)
        #expect(!state.isReaderWaiting)
        #expect(bytesOutcome() == .value)
    }

    @Test mutating func whatIsUnreadIsTakenAtOnceAndInOrder() throws {
        #expect([receive(2), receive(3)] == [.taken, .taken])
        let (taken, resumes) = state.takeBytes()
        guard case .value(let bytes) = taken else { return #expect(Bool(false)) }
        #expect(bytes == [0, 1, 0, 1, 2])
        #expect(!resumes)
    }

    @Test mutating func aFullBufferTakesNothingMoreUntilItIsRead() {
        #expect(receive(TransferBodyState.highWaterMark - 1) == .taken)
        #expect(receive(16 << 10) == .taken)
        #expect(receive(1) == .full)
        #expect(state.isPaused)
        #expect(takeResumes())
        #expect(!state.isPaused)
        #expect(receive(1) == .taken)
        #expect(!takeResumes())
    }

    @Test mutating func theEndComesAfterTheBytes() {
        #expect(receive(1) == .taken)
        state.end(nil)
        #expect(bytesOutcome() == .value)
        #expect(bytesOutcome() == .end)
        #expect(bytesOutcome() == .end)
    }

    @Test mutating func aFailureComesAfterTheBytesAndStays() {
        state.receive(head)
        #expect(receive(1) == .taken)
        state.end(.connectionLost("x"))
        #expect(headOutcome() == .value)
        #expect(bytesOutcome() == .value)
        #expect(bytesOutcome() == .failed(.connectionLost("x")))
        #expect(bytesOutcome() == .failed(.connectionLost("x")))
    }

    @Test mutating func aFailureBeforeTheHeadIsTheAnswerToBoth() {
        state.end(.status(404))
        #expect(headOutcome() == .failed(.status(404)))
        #expect(bytesOutcome() == .failed(.status(404)))
    }

    @Test mutating func onlyTheFirstEndCounts() {
        state.end(.status(404))
        state.end(nil)
        #expect(bytesOutcome() == .failed(.status(404)))
    }

    @Test mutating func abandoningARunningTransferStopsItOnceAndForgetsItsBytes() {
        #expect(receive(5) == .taken)
        #expect(abandon())
        #expect(!abandon())
        #expect(state.unread.isEmpty)
        #expect(receive(1) == .abandoned)
        state.end(nil)
        #expect(bytesOutcome() == .failed(.cancelled))
        #expect(headOutcome() == .failed(.cancelled))
    }

    @Test mutating func aWaitingReaderIsCalledWhenTheTransferIsAbandoned() {
        #expect(bytesOutcome() == .wait)
        #expect(abandon())
        #expect(!state.isReaderWaiting)
    }

    @Test mutating func anEndedTransferNeedsNoStopping() {
        #expect(receive(1) == .taken)
        state.end(nil)
        #expect(!abandon())
        #expect(bytesOutcome() == .failed(.cancelled))
    }

    @Test mutating func anAbandonedTransferMustNotBegin() {
        let began = state.begin()
        #expect(began && state.isUnderWay)
        state = TransferBodyState()
        #expect(abandon())
        let beganLate = state.begin()
        #expect(!beganLate && !state.isUnderWay)
    }

    private enum Outcome: Equatable { case value, end, wait, failed(LoadingError) }

    private mutating func headOutcome() -> Outcome {
        switch state.takeHead() {
        case .value: .value
        case .failed(let error): .failed(error)
        case .wait: .wait
        }
    }

    private mutating func bytesOutcome() -> Outcome {
        switch state.takeBytes().taken {
        case .value(let bytes): bytes == nil ? .end : .value
        case .failed(let error): .failed(error)
        case .wait: .wait
        }
    }

    private mutating func takeResumes() -> Bool { state.takeBytes().resumes }
    private mutating func abandon() -> Bool { state.abandon() }

    private mutating func receive(_ count: Int) -> TransferBodyState.Reception {
        (0..<count).map { UInt8(truncatingIfNeeded: $0) }.withUnsafeBytes { state.receive($0) }
    }
}
