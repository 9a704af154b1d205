import Bowerbird
import Testing

@testable import BowerbirdCLI

@Suite struct ProgressBarTests {
    @Test func aBarShowsHowFarATransferIs() {
        #expect(bar(0, of: 3_100_000) == "beach.jpg             [>                     ]   0% of 3.1 MB")
        #expect(bar(1_400_000, of: 3_100_000) == "beach.jpg             [=========>            ]  45% of 3.1 MB")
        #expect(bar(3_100_000, of: 3_100_000) == "beach.jpg             [======================] 100% of 3.1 MB")
    }

    @Test func anUnknownTotalShowsWhatHasCome() {
        #expect(bar(1_400_000, of: nil) == "beach.jpg             1.4 MB")
    }

    @Test func framesAreCountedWithoutAUnit() {
        let some = TransferProgress(received: 6, total: 12)
        let bar = ProgressBar(name: "bird.gif", progress: some, unit: .frames)
        #expect(bar.text(width: 62) == "bird.gif              [===========>          ]  50% of 12")
    }

    @Test(arguments: [0, 1, 20, 40, 80, 200])
    func noLineIsWiderThanTheTerminal(_ width: Int) {
        for name in ["a", String(repeating: "long ", count: 30), String(repeating: "东方不败", count: 30)] {
            for total in [nil, 1, 999_999_999_999] {
                let progress = TransferProgress(received: 1, total: total)
                #expect(ProgressBar(name: name, progress: progress).text(width: width).columnCount <= width)
            }
        }
    }

    @Test func barsOfWideAndNarrowNamesBeginInTheSameColumn() {
        let columns = ["东方不败.jpg", "beach.jpg", "\u{1F600}.jpg"].map { name in
            bar(1, of: 2, name: name).prefix { $0 != "[" }.columnCount
        }
        #expect(columns == [22, 22, 22])
    }

    @Test func aNameCannotMoveTheCursor() {
        #expect(!bar(1, of: 2, name: "\u{1B}[2J\r\n").contains { $0 == "\u{1B}" || $0.isNewline })
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1234, "1.2 kB"), (9949, "9.9 kB"),
        (9950, "10 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (34_000_000, "34 MB"),
        (5_600_000_000, "5.6 GB"), (7_000_000_000_000, "7.0 TB"), (7_000_000_000_000_000, "7000 TB"),
    ])
    func byteCountsAreShort(_ count: Int, _ text: String) {
        #expect(Figures.bytes(count) == text)
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (3_214_555, "3,214,555")])
    func longNumbersAreGrouped(_ number: Int, _ text: String) {
        #expect(Figures.grouped(number) == text)
    }

    private func bar(_ received: Int, of total: Int?, name: String = "beach.jpg") -> String {
        ProgressBar(name: name, progress: TransferProgress(received: received, total: total)).text(width: 62)
    }
}
