import Bowerbird
import BowerbirdTestSupport
import Foundation
import Testing

@testable import BowerbirdViewer
@testable import GTKBridge

extension GTKTests {
    @Suite(.timeLimit(.minutes(5))) struct ViewerWindowTests {
        let folder: TemporaryDirectory

        init() throws { folder = try TemporaryDirectory() }

        @Test(.enabled("no xdotool: it clicks and types", { Pointer.isAvailable }))
        func aClickOpensAPictureLargeAndEscapeGoesBack() async throws {
            let viewer = try makeViewer()
            viewer.start()
            let gallery = try #require(viewer.pages.first as? GalleryPage)
            try await MainLoop.pump { gallery.log.isComplete && viewer.window.isMapped }
            try await Pointer.act("mousemove", "--window", windowID(viewer), "140", "100", "click", "1")
            try await MainLoop.pump { gallery.isShowingLarge }
            try await Pointer.act("key", "Escape")
            try await MainLoop.pump { !gallery.isShowingLarge }
            #expect(viewer.status == 0)
            viewer.window.destroy()
        }

        @Test func aScreenshotIsWrittenWhenEverythingIsLoadedAndTheViewerEnds() async throws {
            let path = folder.path + "/window.png"
            let viewer = try makeViewer { $0.screenshotPath = path }
            viewer.start()
            try await MainLoop.pump { !viewer.window.isMapped && FileManager.default.fileExists(atPath: path) }
            let picture = try decoded(path)
            #expect(picture.size.width >= 1000 && picture.size.height >= 600)
            #expect(viewer.status == 0)
        }

        @Test func aRecordingHasAStripAPageAndAContactSheet() async throws {
            let viewer = try makeViewer { options in
                options.recordFolder = folder.path
                options.writesIndex = true
                options.pages = [.gallery, .edited, .sequence]
            }
            viewer.start()
            let names = ["gallery.png", "edited.png", "sequence.png", "contact-sheet.png", "index.html"]
            try await MainLoop.pump { !viewer.window.isMapped && exist(names) }
            let sheet = try decoded(folder.path + "/contact-sheet.png")
            let strips = try names.prefix(3).map { try decoded("\(folder.path)/\($0)").size.height }
            #expect(sheet.size.height == strips.reduce(0, +))
        }

        @Test func aPictureThatDoesNotComeMakesTheStatusOne() async throws {
            let viewer = try makeViewer { options in
                options.sources.append(.file(folder.path + "/none.png"))
                options.screenshotPath = folder.path + "/window.png"
            }
            viewer.start()
            try await MainLoop.pump { viewer.status == 1 }
            try await MainLoop.pump { !viewer.window.isMapped }
        }

        /// A viewer of three red pictures.
        private func makeViewer(_ configure: (inout ViewerOptions) -> Void = { _ in }) throws -> Viewer {
            var options = ViewerOptions()
            options.pages = [.gallery]
            options.cacheFolder = folder.path + "/cache"
            for index in 0..<3 {
                _ = try folder.write(try redPicture(), to: "\(index).png")
                options.sources.append(.file("\(folder.path)/\(index).png"))
            }
            configure(&options)
            return Viewer(options, try Application(id: "org.bowerbird.Tests"))
        }

        private func redPicture() throws -> [UInt8] {
            let file = try #require(
                EncodedImage(SolidImage.file(Color(red: 255, green: 0, blue: 0), width: 90, height: 60)))
            var codecs = CodecSet.builtIn
            codecs.add(SolidDecoder())
            let bitmap = try file.withBytes { bytes throws(DecodingError) in try codecs.decode(bytes).bitmap }
            let png = try codecs.encode(bitmap, as: .png)
            return png.withBytes { bytes in
                var copy: [UInt8] = []
                for offset in 0..<bytes.byteCount { copy.append(bytes.byte(at: offset) ?? 0) }
                return copy
            }
        }

        private func decoded(_ path: String) throws -> DecodedImage {
            let file = try #require(EncodedImage([UInt8](Data(contentsOf: URL(filePath: path)))))
            return try file.withBytes { bytes throws(DecodingError) in try CodecSet.builtIn.decode(bytes) }
        }

        private func exist(_ names: [String]) -> Bool {
            names.allSatisfy { FileManager.default.fileExists(atPath: "\(folder.path)/\($0)") }
        }

        private func windowID(_ viewer: Viewer) async throws -> String {
            try await Pointer.act("search", "--onlyvisible", "--name", "^\(viewer.window.title)$")
        }
    }
}

/// A real pointer and a real keyboard, through xdotool.
private enum Pointer {
    nonisolated static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/xdotool")

    /// Runs xdotool while the main loop turns, and returns the first line of what it says.
    @discardableResult
    static func act(_ arguments: String...) async throws -> String {
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/xdotool")
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        try await MainLoop.pump { !process.isRunning }
        try #require(process.terminationStatus == 0, "xdotool \(arguments) failed")
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return text.split(separator: "\n").last.map(String.init) ?? ""
    }
}
