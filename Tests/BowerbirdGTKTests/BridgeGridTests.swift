import Testing

@testable import GTKBridge

extension GTKTests {
    @Suite struct GridViewTests {
        @Test func everyBindingEndsOnceWithTheSameCellAndIndex() async throws {
            let ledger = Ledger()
            let (window, scrolled) = Self.show(ledger.makeGrid(count: 600))
            try await MainLoop.pump { !ledger.bound.isEmpty && scrolled.vertical.upper > scrolled.vertical.pageSize }
            var frames = 0
            let counter = TickCallback(on: scrolled) { _ in
                frames += 1
                return true
            }
            for fraction in stride(from: 0, through: 1, by: 0.1) {
                scrolled.vertical.scroll(toFraction: fraction)
                let next = frames + 2
                try await MainLoop.pump { frames >= next && ledger.bound.values.contains(Int(fraction * 599)) }
            }
            withExtendedLifetime(counter) {}
            #expect(ledger.cellsMade < 400, "cells are used again")
            #expect(ledger.cellsMade < ledger.bindings)
            window.destroy()
            #expect(ledger.bound.isEmpty)
            #expect(ledger.mistakes == [])
            #expect(ledger.bindings == ledger.unbindings)
        }

        @Test func aGridThatIsTakenApartFreesItsCells() async throws {
            let ledger = Ledger()
            let (window, _) = Self.show(ledger.makeGrid(count: 30))
            try await MainLoop.pump { !ledger.bound.isEmpty }
            #expect(ledger.cellsAlive > 0)
            window.destroy()
            #expect(ledger.cellsAlive == 0)
        }

        @Test func anotherCountUnbindsWhatIsNoLongerThere() async throws {
            let ledger = Ledger()
            let grid = ledger.makeGrid(count: 50)
            let (window, _) = Self.show(grid)
            try await MainLoop.pump { ledger.bound.count == 50 }
            grid.count = 3
            #expect(grid.count == 3)
            try await MainLoop.pump { Set(ledger.bound.values) == [0, 1, 2] }
            grid.count = 0
            try await MainLoop.pump { ledger.bound.isEmpty }
            #expect(ledger.mistakes == [])
            window.destroy()
        }

        @Test func choosingAnItemTellsItsIndex() async throws {
            let ledger = Ledger()
            let grid = ledger.makeGrid(count: 20)
            let (window, _) = Self.show(grid)
            try await MainLoop.pump { ledger.bound.count == 20 }
            grid.emit("activate", [.uint(7)])
            #expect(ledger.activated == [7])
            window.destroy()
        }

        private static func show(_ grid: Widget) -> (Window, ScrolledWindow) {
            let window = Window(title: "grid", width: 400, height: 300)
            let scrolled = ScrolledWindow(child: grid)
            window.child = scrolled
            window.present()
            return (window, scrolled)
        }
    }
}

private final class Cell: Box {
    private let ledger: Ledger

    init(_ ledger: Ledger) {
        self.ledger = ledger
        super.init(.vertical)
        setSizeRequest(width: 60, height: 60)
        ledger.cellsAlive += 1
    }

    isolated deinit { ledger.cellsAlive -= 1 }
}

/// Keeps account of which cell is bound to what.
private final class Ledger {
    var bound: [ObjectIdentifier: Int] = [:]
    var mistakes: [String] = []
    var activated: [Int] = []
    var (cellsMade, cellsAlive, bindings, unbindings) = (0, 0, 0, 0)

    func makeGrid(count: Int) -> GridView<Cell> {
        GridView(
            count: count, columns: 2...6, makeCell: { self.makeCell() }, bind: { self.bind($0, $1) },
            unbind: { self.unbind($0, $1) }, activate: { self.activated.append($0) })
    }

    private func makeCell() -> Cell {
        cellsMade += 1
        return Cell(self)
    }

    private func bind(_ cell: Cell, _ index: Int) {
        bindings += 1
        let before = bound.updateValue(index, forKey: ObjectIdentifier(cell))
        if let before { mistakes.append("bound to \(index) while bound to \(before)") }
    }

    private func unbind(_ cell: Cell, _ index: Int) {
        unbindings += 1
        let before = bound.removeValue(forKey: ObjectIdentifier(cell))
        if before != index { mistakes.append("unbound from \(index) while bound to \(before ?? -1)") }
    }
}
