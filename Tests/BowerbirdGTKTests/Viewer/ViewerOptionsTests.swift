import Bowerbird
import Testing

@testable import BowerbirdViewer

@Suite
nonisolated struct `The viewer's command line` {
    @Test func showsAGalleryOfWhatIsNamed() throws {
        let options = try ViewerOptions(arguments: ["a.jpg", "http://host.test/东.jpg"])
        #expect(options.pages == [.gallery])
        #expect(options.sources.map(\.fileName) == ["a.jpg", "东.jpg"])
        #expect(!options.endsByItself)
    }

    @Test func takesItsOptionsInAnyOrder() throws {
        let options = try ViewerOptions(
            arguments: ["--report", "x.png", "--page", "edited", "--record", "out", "--page", "sequence", "--index"])
        #expect(options.pages == [.edited, .sequence])
        #expect(options.recordFolder == "out")
        #expect(options.printsReport && options.writesIndex && options.endsByItself)
    }

    @Test func afterTwoDashesEverythingIsAPicture() throws {
        #expect(try ViewerOptions(arguments: ["--", "--report"]).sources.map(\.fileName) == ["--report"])
    }

    @Test(arguments: [
        ([], "no FILE or URL"), (["--page"], "wants a value"), (["--page", "x", "a"], "no page x"),
        (["--nonsense", "a"], "no option --nonsense"),
    ])
    func refusesWhatMakesNoSense(arguments: [String], reason: String) {
        let error = #expect(throws: UsageError.self) { try ViewerOptions(arguments: arguments) }
        #expect(error?.description.contains(reason) == true)
    }
}
