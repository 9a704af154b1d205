import Testing

@testable import GTKBridge

extension GTKTests {
    @Suite struct CanvasTests {
        @Test func aCanvasLivesInItsWindowThoughNobodyHoldsItAndGoesWithIt() async throws {
            let log = Log()
            weak var canvas: FlagCanvas?
            let window = Window(title: "canvas", width: 200, height: 100)
            window.child = {
                let made = FlagCanvas(log)
                canvas = made
                return made
            }()
            #expect(canvas != nil)
            #expect(window.child === canvas)
            window.present()
            try await MainLoop.pump { log.events.contains("draw") }
            window.close()
            try await MainLoop.pump { canvas == nil }
            #expect(log.events.filter { $0 != "draw" } == ["enter", "map", "resize", "unmap", "leave", "deinit"])
        }

        @Test func aCanvasThatSwiftHoldsOutlivesItsWindowAndIsTold() async throws {
            let log = Log()
            let canvas = FlagCanvas(log)
            let window = Window(title: "canvas", width: 200, height: 100)
            window.child = canvas
            window.present()
            try await MainLoop.pump { canvas.isMapped }
            window.destroy()
            #expect(log.events.last == "leave")
            #expect(!canvas.isInWindow)
            #expect(window.child == nil)
            #expect(canvas.tooltip == nil, "the widget is still whole")
        }

        @Test func aCanvasMovesFromOneWindowToAnother() {
            let (first, second) = (Window(title: "first"), Window(title: "second"))
            let log = Log()
            first.child = FlagCanvas(log)
            let canvas = first.child
            first.child = nil
            second.child = canvas
            #expect(second.child === canvas)
            first.destroy()
            second.destroy()
            #expect(log.events == ["enter", "leave", "enter", "leave"])
        }

        @Test func aCanvasThatWasNeverShownIsFreed() {
            let log = Log()
            _ = FlagCanvas(log)
            #expect(log.events == ["deinit"])
        }

        @Test func drawingAgainIsAskedFor() async throws {
            let log = Log()
            let canvas = FlagCanvas(log)
            let window = Window(title: "canvas", width: 200, height: 100)
            window.child = canvas
            window.present()
            try await MainLoop.pump { log.events.contains("draw") }
            let before = log.events.count { $0 == "draw" }
            canvas.queueDraw()
            try await MainLoop.pump { log.events.count { $0 == "draw" } > before }
            window.destroy()
        }

        @Test func theSizeThatACanvasMeasuresIsTheLeastItGets() async throws {
            let canvas = FlagCanvas(Log())
            let window = Window(title: "canvas", width: 10, height: 10)
            window.child = canvas
            window.present()
            try await MainLoop.pump { canvas.isMapped && canvas.width > 0 }
            #expect(canvas.width >= 64)
            #expect(canvas.height >= 32)
            window.destroy()
        }
    }

    @Suite struct WindowTests {
        @Test func aWindowLivesWhileItIsOpen() {
            weak var window: Window?
            var closings = 0
            window = {
                let window = Window(title: "open")
                window.onClosed { closings += 1 }
                return window
            }()
            #expect(window != nil)
            window?.destroy()
            #expect(window == nil)
            #expect(closings == 1)
        }

        @Test func aCloseRequestMayBeRefused() async throws {
            let window = Window(title: "stays")
            var (asked, closed) = (0, 0)
            window.onCloseRequest {
                asked += 1
                return asked > 1
            }
            window.onClosed { closed += 1 }
            window.present()
            window.close()
            try await MainLoop.pump { asked == 1 }
            #expect(closed == 0)
            window.close()
            try await MainLoop.pump { closed == 1 }
            window.destroy()
            #expect(closed == 1)
        }

        @Test func whatIsInsideIsToldWhenTheWindowIsTakenApart() {
            let window = Window(title: "box")
            var destroyed: [String] = []
            window.child = {
                let box = Box(.vertical)
                let label = Label("inside")
                label.onDestroy { destroyed.append("label") }
                box.append(label)
                box.onDestroy { destroyed.append("box") }
                return box
            }()
            window.destroy()
            #expect(destroyed == ["label", "box"])
        }
    }
}

private final class Log {
    var events: [String] = []
}

private final class FlagCanvas: Canvas {
    private let log: Log

    init(_ log: Log) {
        self.log = log
        super.init()
    }

    isolated deinit { log.events.append("deinit") }

    override func draw(_ snapshot: Snapshot, width: Int, height: Int) { log.events.append("draw") }
    override func measure(_ axis: Axis) -> (minimum: Int, natural: Int) {
        axis == .horizontal ? (64, 64) : (32, 32)
    }
    override func didResize(width: Int, height: Int) {
        guard log.events.last != "resize" else { return }
        log.events.append("resize")
    }
    override func didMap() { log.events.append("map") }
    override func didUnmap() { log.events.append("unmap") }
    override func didEnterWindow() { log.events.append("enter") }
    override func didLeaveWindow() { log.events.append("leave") }
}
