import Testing

@testable import GTKBridge

extension GTKTests {
    @Suite struct TickCallbackTests {
        @Test func framesComeInOrderUntilTheHandlerHasEnough() async throws {
            let (window, label) = Self.show()
            var times: [Int64] = []
            let canary = Canary()
            let tick = TickCallback(on: label) { [kept = canary.keep()] time in
                kept.touch()
                times.append(time)
                return times.count < 3
            }
            try await MainLoop.pump { times.count == 3 }
            #expect(times == times.sorted() && Set(times).count == 3)
            #expect(canary.isReleased)
            withExtendedLifetime(tick) { window.destroy() }
        }

        @Test func lettingGoEndsTheTicks() async throws {
            let (window, label) = Self.show()
            let canary = Canary()
            var tick: TickCallback? = TickCallback(on: label) { [kept = canary.keep()] _ in
                kept.touch()
                return true
            }
            try await MainLoop.pump { canary.touches > 1 }
            #expect(tick != nil)
            tick = nil
            #expect(canary.isReleased)
            window.destroy()
        }

        @Test func aWidgetThatIsGoneEndsTheTicks() async throws {
            var (window, label): (Window, Label?) = Self.show()
            let canary = Canary()
            let tick = TickCallback(on: try #require(label)) { [kept = canary.keep()] _ in
                kept.touch()
                return true
            }
            try await MainLoop.pump { canary.touches > 0 }
            label = nil
            window.destroy()
            #expect(canary.isReleased)
            withExtendedLifetime(tick) { window = Window(title: "another") }
            window.destroy()
        }

        private static func show() -> (Window, Label) {
            let window = Window(title: "tick", width: 100, height: 50)
            let label = Label("tick")
            window.child = label
            window.present()
            return (window, label)
        }
    }
}
