import GTKBridge
import XCTest

/// The main actor under GLib's main loop.
///
/// The one suite that is XCTest's: it runs on the process's main thread and inside no task, as a program's `main.swift`
/// does. Swift Testing has handed libdispatch's main queue to other threads by the time its tests run.
nonisolated final class BridgeMainActorTests: XCTestCase {
    func testWorkOfTheMainActorRunsUnderGLibsMainLoop() throws {
        try MainActor.assumeIsolated {
            let application = try Self.application()
            var order: [String] = []
            application.run { application in
                Task {
                    order.append("task")
                    let isMainThread = await Task.detached { Thread.isMainThread }.value
                    order.append(isMainThread ? "still on the main thread" : "came back from another thread")
                    XCTAssertTrue(Thread.isMainThread)
                    application.quit()
                }
                order.append("started")
            }
            XCTAssertEqual(order, ["started", "task", "came back from another thread"])
        }
    }

    func testALoopThatIsToldToQuitBeforeItRunsDoesNotRun() throws {
        try MainActor.assumeIsolated {
            try Self.application().run { $0.quit() }
        }
    }

    func testTheMeterCountsADrainOfTheMainQueueAsOneCallback() throws {
        try MainActor.assumeIsolated {
            let application = try Self.application()
            application.run { application in
                CallbackMeter.start()
                Task {
                    spendProcessorTime(.milliseconds(20))
                    application.quit()
                }
            }
            let report = try XCTUnwrap(CallbackMeter.stop())
            XCTAssertEqual(report.longest?.kind, .mainQueue)
            XCTAssertGreaterThanOrEqual(try XCTUnwrap(report.longest).duration, .milliseconds(20))
        }
    }

    @MainActor private static func application() throws -> Application {
        do {
            return try Application(id: "org.bowerbird.Tests")
        } catch ApplicationError.noDisplay {
            throw XCTSkip("no display: run under Xvfb")
        }
    }
}
