import Testing

@testable import BowerbirdCLI

@Suite struct FileNameTests {
    @Test(arguments: [
        ("photo.jpg", "photo.jpg"), ("东方不败.jpg", "东方不败.jpg"), ("a\u{3000}b.png", "a\u{3000}b.png"),
        ("photo", "photo.webp"), ("photo.", "photo.webp"), ("IMG.2024", "IMG.2024.webp"),
        ("archive.tar.gz", "archive.tar.gz"), ("what a. long story", "what a. long story.webp"),
        ("show.php", "show.php"),
    ])
    func anOrdinaryNameIsKeptAndGetsAnExtensionWhereItHasNone(_ given: String, _ expected: String) {
        #expect(name(given) == expected)
    }

    @Test(arguments: [
        ("", "image.webp"), (".", "image.webp"), ("..", "image.webp"), ("...", "image.webp"), (" . ", "image.webp"),
        ("../../etc/passwd", "_.._etc_passwd.webp"), ("/etc/passwd", "_etc_passwd.webp"), ("a/b.jpg", "a_b.jpg"),
        (".bashrc", "bashrc.webp"), (" ..hidden.jpg", "hidden.jpg"), ("-rf.jpg", "_rf.jpg"),
        ("a\u{0}b.jpg", "a_b.jpg"), ("a\nb\u{1B}[2J.jpg", "a_b_[2J.jpg"), ("a\u{202E}gpj.exe", "a_gpj.exe"),
        ("a\u{2028}b.jpg", "a_b.jpg"), (".jpg", "jpg.webp"),
    ])
    func aHostileNameIsMadeHarmless(_ given: String, _ expected: String) {
        #expect(name(given) == expected)
    }

    @Test func withoutAKnownFormatThereIsNoExtension() {
        #expect(FileName("", fallbackExtension: nil).numbered(1) == "image")
    }

    @Test func numbersStandBeforeTheExtension() {
        let name = FileName("photo.jpg", fallbackExtension: nil)
        #expect([1, 2, 10].map(name.numbered) == ["photo.jpg", "photo-2.jpg", "photo-10.jpg"])
    }

    @Test(arguments: ["a", "é", "败", "👨‍👩‍👧‍👦"])
    func aLongNameIsCutAtACharacterAndKeepsItsExtension(_ character: Character) {
        let name = FileName(String(repeating: character, count: 300) + ".jpg", fallbackExtension: nil)
        for number in [1, 12] {
            let text = name.numbered(number)
            let ending = number == 1 ? ".jpg" : "-12.jpg"
            #expect(text.utf8.count <= 255 && text.utf8.count > 255 - String(character).utf8.count)
            #expect(text.hasSuffix(ending) && text.dropLast(ending.count).allSatisfy { $0 == character })
        }
    }

    @Test func aSingleEndlessCharacterIsNoName() {
        let accents = "a" + String(repeating: "\u{301}", count: 400)
        #expect(name(accents) == "image.webp")
    }

    @Test func everyNameOfAnyScalarsIsOneVisibleComponent() {
        let scalars = (0..<0x3000 as Range<UInt32>).compactMap(Unicode.Scalar.init)
        for scalar in scalars {
            let text = name("\(scalar)")
            #expect(!text.contains("/") && !text.hasPrefix(".") && !text.hasPrefix("-") && !text.isEmpty)
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
        }
    }

    @Test(arguments: [
        ("photo.png", "photo.jpg"), ("photo", "photo.jpg"), ("IMG.2024", "IMG.2024.jpg"), ("", "image.jpg"),
        ("../x.tiff", "_x.jpg"),
    ])
    func aThumbnailHasTheExtensionOfItsOwnFormat(_ given: String, _ expected: String) {
        #expect(FileName(given, replacingExtensionBy: "jpg").numbered(1) == expected)
    }

    private func name(_ given: String) -> String { FileName(given, fallbackExtension: "webp").numbered(1) }
}
