import CGTK
import Testing

@testable import GTKBridge

extension GTKTests {
    @Suite struct SignalTests {
        @Test func aHandlerIsCalledForEachEmission() {
            let button = Button("press")
            var clicks = 0
            button.onClicked { clicks += 1 }
            button.emit("clicked")
            button.emit("clicked")
            #expect(clicks == 2)
        }

        @Test func disconnectingReleasesTheHandlerAndSilencesIt() {
            let button = Button("press")
            let canary = Canary()
            let token = button.connect("clicked") { [kept = canary.keep()] _ in kept.touch() }
            button.emit("clicked")
            token.disconnect()
            button.emit("clicked")
            #expect(canary.touches == 1)
            #expect(canary.isReleased)
            token.disconnect()
        }

        @Test func anObjectThatIsGoneHasReleasedItsHandlers() {
            let canary = Canary()
            var button: Button? = Button("press")
            let token = button?.connect("clicked") { [kept = canary.keep()] _ in kept.touch() }
            #expect(!canary.isReleased)
            button = nil
            #expect(canary.isReleased)
            token?.disconnect()
        }

        @Test func aHandlerMayDisconnectItselfWhileItRuns() {
            let button = Button("press")
            let canary = Canary()
            var token: SignalToken?
            token = button.connect("clicked") { [kept = canary.keep()] _ in
                token?.disconnect()
                kept.touch()
            }
            button.emit("clicked")
            button.emit("clicked")
            #expect(canary.touches == 1)
            #expect(canary.isReleased)
        }

        @Test func aSignalThatDoesNotExistReleasesItsHandlerAtOnce() {
            let canary = Canary()
            Button("press").connect("no-such-signal") { [kept = canary.keep()] _ in kept.touch() }
            #expect(canary.isReleased)
        }

        @Test func argumentsOutOfRangeOrOfAnotherTypeAreZero() throws {
            let label = Label("text")
            var seen: (count: Int, far: Double, negative: Int)?
            label.connect("copy-clipboard") { seen = ($0.count, $0.double(7), $0.int(-3)) }
            label.emit("copy-clipboard")
            let (count, far, negative) = try #require(seen)
            #expect(count == 0 && far == 0 && negative == 0)
        }

        @Test func aKeyReachesItsHandlerAndTheAnswerGoesBack() {
            var pressed: KeyPress?
            let controller = KeyController { press in
                pressed = press
                return press.key == .escape
            }
            #expect(controller.emit("key-pressed", press(.escape, .control)))
            #expect(pressed == KeyPress(key: .escape, modifiers: .control))
            #expect(!controller.emit("key-pressed", press(Key("a"), [])))
            #expect(pressed?.key.value == 0x61)
        }

        @Test func aClickTellsWhereAndHowOften() {
            var click: ClickGesture.Click?
            let gesture = ClickGesture { click = $0 }
            gesture.emit("pressed", [.int(2), .double(30.5), .double(7)])
            #expect(click == ClickGesture.Click(count: 2, x: 30.5, y: 7))
        }

        @Test func theWheelTellsHowFarAndTheAnswerGoesBack() {
            var distance: Double?
            let controller = ScrollController { _, vertical in
                distance = vertical
                return vertical > 0
            }
            #expect(controller.emit("scroll", [.double(0), .double(1.5)]))
            #expect(distance == 1.5)
            #expect(!controller.emit("scroll", [.double(0), .double(-1)]))
        }

        private func press(_ key: Key, _ modifiers: Modifiers) -> [GValue] {
            [.uint(key.value), .uint(0), .modifiers(modifiers)]
        }
    }
}

/// Knows whether what it gave out is still kept.
final class Canary {
    final class Kept {
        let canary: Canary
        init(_ canary: Canary) { self.canary = canary }
        func touch() { canary.touches += 1 }
    }

    private(set) var touches = 0
    private weak var kept: Kept?

    var isReleased: Bool { kept == nil }

    func keep() -> Kept {
        let kept = Kept(self)
        self.kept = kept
        return kept
    }
}
