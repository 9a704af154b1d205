import Glibc
import Testing

@testable import GTKBridge

extension GTKTests {
    @Suite struct CallbackMeterTests {
        @Test func aSlowCallbackIsFoundAndNamed() throws {
            let button = Button("slow")
            button.onClicked { spendProcessorTime(.milliseconds(10)) }
            CallbackMeter.start()
            button.emit("clicked")
            let report = try #require(CallbackMeter.stop())
            #expect(report.longest?.kind == .signal)
            #expect(try #require(report.longest).duration >= .milliseconds(10))
            #expect(report.count == 1)
        }

        @Test func aCallbackInsideAnotherIsPartOfIt() throws {
            let (inner, outer) = (Button("inner"), Button("outer"))
            inner.onClicked { spendProcessorTime(.milliseconds(5)) }
            outer.onClicked { inner.emit("clicked") }
            CallbackMeter.start()
            outer.emit("clicked")
            let report = try #require(CallbackMeter.stop())
            #expect(report.count == 1)
            #expect(try #require(report.longest).duration >= .milliseconds(5))
        }

        @Test func theMeterIsOffUntilItIsStarted() {
            let button = Button("unmeasured")
            button.onClicked {}
            button.emit("clicked")
            #expect(CallbackMeter.report == nil)
            #expect(CallbackMeter.longest == nil)
        }

        @Test func waitingCostsNoProcessorTime() throws {
            let button = Button("waits")
            button.onClicked { _ = poll(nil, 0, 30) }
            CallbackMeter.start()
            button.emit("clicked")
            let longest = try #require(CallbackMeter.stop()?.longest)
            #expect(longest.duration < .milliseconds(20))
        }
    }
}
