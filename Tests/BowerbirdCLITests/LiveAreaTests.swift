import Bowerbird
import Testing

@testable import BowerbirdCLI

@Suite struct LiveAreaTests {
    private let size = TerminalSize(columns: 50, rows: 4)
    private let start = ContinuousClock.now

    @Test func barsAreRedrawnInPlace() {
        var area = LiveArea()
        update(&area, 1)
        update(&area, 2)
        let screen = Screen(area.draw(on: size, at: start))
        #expect(screen.lines.map { $0.prefix(2) } == ["n1", "n2"])
        let again = area.draw(on: size, at: start)
        #expect(again.hasPrefix("\u{1B}[2A\r"))
        #expect(Screen(again).lines.count == 2)
    }

    @Test func theBarOfAnEndedTransferGoes() {
        var area = LiveArea()
        update(&area, 1)
        update(&area, 2)
        _ = area.draw(on: size, at: start)
        area.remove(1)
        let text = area.draw(on: size, at: start)
        #expect(Screen(text).lines.map { $0.prefix(2) } == ["n2"])
        #expect(text.hasSuffix("\u{1B}[J"))
    }

    @Test func erasingTakesAllOfThemOffOnce() {
        var area = LiveArea()
        let before = area.erase()
        update(&area, 1)
        _ = area.draw(on: size, at: start)
        let texts = [before, area.erase(), area.erase()]
        #expect(texts == ["", "\u{1B}[1A\r\u{1B}[J", ""])
    }

    @Test func noMoreBarsAreDrawnThanTheTerminalHasLines() {
        var area = LiveArea()
        for id in 1...9 { update(&area, id) }
        #expect(Screen(area.draw(on: size, at: start)).lines.count == 3)
    }

    @Test func drawingIsDueAtMostTwentyTimesASecond() {
        var area = LiveArea()
        let isDueAtFirst = update(&area, 1)
        _ = area.draw(on: size, at: start)
        let isDueSoon = update(&area, 1, after: .milliseconds(49))
        let isDueLater = update(&area, 1, after: .milliseconds(50))
        #expect(isDueAtFirst && !isDueSoon && isDueLater)
    }

    @Test func framesAreCountedOnTheConsole() {
        let recorder = ConsoleRecorder()
        let progress = TransferProgress(received: 6, total: 12)
        recorder.console(size).show(progress, of: 1, named: "bird.gif", counting: .frames)
        #expect(recorder.output.contains(" 50% of 12"))
    }

    @Test func linesAppearAboveTheBars() {
        let recorder = ConsoleRecorder()
        let console = recorder.console(size)
        console.show(TransferProgress(received: 1, total: 2), of: 1, named: "n1")
        console.print("one has arrived")
        console.printError("another has not")
        #expect(recorder.errors == "another has not\n")
        let drawn = recorder.output.components(of: "\u{1B}[1A\r\u{1B}[J")
        #expect(drawn.count == 3)
        #expect(drawn[1].hasPrefix("one has arrived\nn1"))
        #expect(drawn[2].hasPrefix("n1"))
    }

    @Test func withoutATerminalThereAreOnlyLines() {
        let recorder = ConsoleRecorder()
        let console = recorder.console(nil)
        console.show(TransferProgress(received: 1, total: 2), of: 1, named: "n1")
        console.print("one has arrived")
        #expect(recorder.output == "one has arrived\n")
    }

    @discardableResult
    private func update(_ area: inout LiveArea, _ id: Int, after duration: Duration = .zero) -> Bool {
        area.update(id, name: "n\(id)", TransferProgress(received: 1, total: 2), at: start + duration)
    }
}

/// The lines in what is written to a terminal.
private struct Screen {
    let lines: [Substring]

    init(_ text: String) {
        lines = text.split(separator: "\n").compactMap { line in
            let visible = line.drop { $0 != "n" }
            return visible.isEmpty ? nil : visible
        }
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] { split(separator: separator) }
}
