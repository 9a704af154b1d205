import Testing

@testable import GTKBridge

extension GTKTests {
    @Suite struct WidgetTests {
        @Test func aStackShowsThePageThatIsNamedAndIgnoresOthers() {
            let stack = Stack()
            let (first, second) = (Label("first"), Label("second"))
            stack.add(first, name: "first")
            stack.add(second, name: "second", title: "Second")
            #expect(stack.visiblePage === first)
            stack.visibleName = "second"
            #expect(stack.visiblePage === second)
            stack.visibleName = "third"
            #expect(stack.visibleName == "second")
        }

        @Test func aProgressBarShowsOnlyFractionsThatAre() {
            let bar = ProgressBar()
            for (given, shown) in [(0.25, 0.25), (-1, 0), (7, 1), (.nan, 0), (.infinity, 1)] {
                bar.fraction = given
                #expect(bar.fraction == shown)
            }
            bar.text = "3 of 9"
            #expect(bar.text == "3 of 9")
        }

        @Test func layoutValuesComeBackAsTheyWereSet() {
            let label = Label("text")
            label.horizontalAlignment = .center
            label.verticalAlignment = .end
            label.expandsHorizontally = true
            label.ellipsis = .middle
            label.isVisible = false
            label.tooltip = "tip"
            #expect(label.horizontalAlignment == .center && label.verticalAlignment == .end)
            #expect(label.expandsHorizontally && !label.expandsVertically)
            #expect(label.ellipsis == .middle && !label.isVisible && label.tooltip == "tip")
        }

        @Test func marginsAndRequestsTakeRoom() async throws {
            let window = Window(title: "room", width: 10, height: 10)
            let label = Label("")
            label.setMargins(20)
            label.setSizeRequest(width: 100, height: 50)
            window.child = label
            window.present()
            try await MainLoop.pump { label.isMapped && label.width > 0 }
            #expect(label.width >= 100 && label.height >= 50)
            #expect(window.width >= 140 && window.height >= 90)
            window.destroy()
        }

        @Test func whatIsOnTopOfAnOverlayIsFreedWhenItIsTakenOff() {
            let overlay = Overlay(child: Label("below"))
            weak var badge: Label?
            let destroyed = Canary()
            do {
                let label = Label("on top")
                label.onDestroy { [kept = destroyed.keep()] in kept.touch() }
                overlay.addOverlay(label)
                badge = label
            }
            #expect(badge != nil)
            if let label = badge { overlay.removeOverlay(label) }
            #expect(badge == nil)
            #expect(destroyed.touches == 1 && destroyed.isReleased)
        }

        @Test func aBoxKeepsItsChildrenAndGivesThemBack() {
            let box = Box(.horizontal, spacing: 4)
            weak var weakLabel: Label?
            do {
                let label = Label("child")
                box.append(label)
                weakLabel = label
            }
            #expect(weakLabel != nil)
            if let label = weakLabel { box.remove(label) }
            #expect(weakLabel == nil)
        }

        @Test func mappingIsTold() async throws {
            let window = Window(title: "map", width: 50, height: 50)
            let stack = Stack()
            let (first, second) = (Label("first"), Label("second"))
            var events: [String] = []
            second.onMap { events.append("map") }
            second.onUnmap { events.append("unmap") }
            stack.add(first, name: "first")
            stack.add(second, name: "second")
            window.child = stack
            window.present()
            try await MainLoop.pump { first.isMapped }
            #expect(events == [])
            stack.visibleName = "second"
            stack.visibleName = "first"
            #expect(events == ["map", "unmap"])
            window.destroy()
        }
    }
}
