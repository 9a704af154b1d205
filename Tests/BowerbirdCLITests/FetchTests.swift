import BowerbirdTestSupport
import Foundation
import Testing

@Suite(Program.isBuilt) struct FetchTests {
    private let fixture: ProgramFixture

    init() throws { fixture = try ProgramFixture() }

    @Test func theOriginalBytesArriveAndTheSecondTimeFromTheDisk() async throws {
        let bytes = ProgramFixture.bytes(200_000)
        let url = fixture.serve("/photo.jpg", bytes)
        let first = try await fixture.fetch(url)
        #expect(first.status == 0 && first.errors == "")
        #expect(first.output.hasPrefix("\(fixture.out)/photo.jpg: JPEG from the network, 200 kB, "))
        let second = try await fixture.fetch(url)
        #expect(second.status == 0 && second.output.hasPrefix("\(fixture.out)/photo-2.jpg: JPEG from the disk cache, "))
        #expect(fixture.server.requests(for: "/photo.jpg").count == 1)
        #expect(try fixture.contents("photo.jpg") == bytes && fixture.contents("photo-2.jpg") == bytes)
    }

    @Test func withoutTheCacheEverythingComesFromTheNetwork() async throws {
        let url = fixture.serve("/photo.jpg")
        for _ in 1...2 { #expect(try await fixture.fetch("--no-cache", url).output.contains("from the network")) }
        #expect(!FileManager.default.fileExists(atPath: fixture.cache))
    }

    @Test func theCacheCanLieElsewhere() async throws {
        let url = fixture.serve("/photo.jpg")
        let other = fixture.directory.path + "/other"
        for place in ["network", "disk"] {
            #expect(try await fixture.fetch("--cache", other, url).output.contains("from the \(place)"))
        }
        #expect(FileManager.default.fileExists(atPath: other) && !FileManager.default.fileExists(atPath: fixture.cache))
    }

    @Test func everyReportInJSONIsOneObject() async throws {
        let good = fixture.serve("/photo")
        let bad = fixture.server.url("/missing").absoluteString
        let result = try await fixture.fetch("--json", "--in-order", good, bad)
        #expect(result.status == 0 && result.errorLines.count == 1)
        let objects = try result.outputLines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        try #require(objects.count == 2)
        #expect(objects[0]["url"] as? String == good && objects[0]["file"] as? String == fixture.out + "/photo.jpg")
        #expect(objects[0]["bytes"] as? Int == 2000 && objects[0]["format"] as? String == "JPEG")
        #expect(objects[0]["origin"] as? String == "network" && objects[0]["milliseconds"] is Int)
        #expect(objects[1]["url"] as? String == bad && objects[1]["kind"] as? String == "status")
        #expect(objects[1]["status"] as? Int == 404)
        let error = try #require(objects[1]["error"] as? [String: String])
        #expect(error["stage"] == "loading" && error["kind"] == "status" && error["message"]?.contains("404") == true)
    }

    @Test func equalNamesAreNumbered() async throws {
        let urls = (1...3).map { fixture.serve("/\($0)/photo.jpg", ProgramFixture.bytes(seed: UInt8($0))) }
        let result = try await fixture.program.run(["fetch", "-o", fixture.out, "--in-order"] + urls)
        #expect(result.status == 0)
        for (name, seed) in [("photo.jpg", 1), ("photo-2.jpg", 2), ("photo-3.jpg", 3)] as [(String, UInt8)] {
            #expect(try fixture.contents(name) == ProgramFixture.bytes(seed: seed))
        }
    }

    @Test func nonASCIINamesWorkWithoutALocale() async throws {
        var program = fixture.program
        program.environment["LANG"] = "C"
        program.environment["LC_ALL"] = "C"
        let encoded = "%E4%B8%9C%E6%96%B9%E4%B8%8D%E8%B4%A5"
        _ = fixture.serve("/\(encoded)%E3%80%80a%20b.jpg")
        let url = "http://127.0.0.1:\(fixture.server.port)/东方不败\u{3000}a%20b.jpg"
        let result = try await program.run("fetch", "-o", fixture.out + "/图", url)
        #expect(result.status == 0 && result.output.hasPrefix(fixture.out + "/图/东方不败\u{3000}a b.jpg: "))
        #expect(FileManager.default.fileExists(atPath: fixture.out + "/图/东方不败\u{3000}a b.jpg"))
    }

    @Test(arguments: [
        ("/..%2F..%2Fescaped.jpg", "_.._escaped.jpg"), ("/%2e%2e", "image.jpg"), ("/.profile", "profile.jpg"),
        ("/a%00b%0Ac.jpg", "a_b_c.jpg"), ("/-rf", "_rf.jpg"), ("/dir/?q=1", "dir.jpg"),
        ("/", "image.jpg"),
    ])
    func noNameLeavesTheFolder(_ target: String, _ name: String) async throws {
        // What the address becomes on its way is the loader's affair: the server gives the same for all.
        for sent in [target, "/", "/dir/", "/%2e%2e", "/.."] { _ = fixture.serve(sent) }
        let result = try await fixture.fetch("http://127.0.0.1:\(fixture.server.port)\(target)")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try fixture.written() == [name])
    }

    @Test func inOrderFailuresAreSkippedAndOneArrivalIsEnough() async throws {
        let bad = fixture.server.url("/missing").absoluteString
        let good = fixture.serve("/a.jpg")
        let result = try await fixture.fetch("--in-order", bad, good, bad)
        #expect(result.status == 0 && result.errorLines.count == 2 && result.outputLines.count == 1)
        let nothing = try await fixture.fetch("--in-order", bad, bad)
        #expect(nothing.status == 1 && nothing.errorLines.count == 2 && nothing.output == "")
    }

    @Test func inOrderTheNextBeginsWhenTheLastHasEnded() async throws {
        let gate = LocalServer.Gate()
        let bytes = ProgramFixture.bytes()
        fixture.server.script("/1.jpg", .gated([Array(bytes[..<9]), Array(bytes[9...])], by: [gate]))
        let urls = [fixture.server.url("/1.jpg").absoluteString, fixture.serve("/2.jpg")]
        let running = try fixture.program.start(["fetch", "-o", fixture.out, "--in-order"] + urls)
        await gate.reached()
        #expect(fixture.server.requests(for: "/2.jpg").isEmpty)
        gate.open()
        let result = try await running.result()
        #expect(result.outputLines.map { $0.hasPrefix(fixture.out + "/1.jpg") } == [true, false])
    }

    @Test func aLocalFileAndADataURLAreFetchedToo() async throws {
        let file = try fixture.directory.write(ProgramFixture.bytes(), to: "mine.jpg").path
        let result = try await fixture.fetch(file, "data:image/gif;base64,R0lGODlhAQABAAAAACw=")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try fixture.written() == ["image.gif", "mine.jpg"])
        #expect(result.outputLines.allSatisfy { $0.contains("from this machine") })
    }

    @Test func aTerminalShowsBars() async throws {
        let url = fixture.serve("/photo.jpg", ProgramFixture.bytes(300_000))
        let result = try await onTerminal(columns: 80, "xterm", url)
        #expect(result.status == 0)
        #expect(result.output.contains("% of 300 kB\u{1B}[K"))
        #expect(result.output.contains("\u{1B}[J\(fixture.out)/photo.jpg: JPEG from the network"))
    }

    @Test(arguments: [(80, "dumb"), (39, "xterm")])
    func aTerminalThatCannotShowBarsGetsLines(_ columns: Int, _ type: String) async throws {
        let url = fixture.serve("/photo.jpg", ProgramFixture.bytes(300_000))
        let result = try await onTerminal(columns: columns, type, url)
        #expect(result.output.hasPrefix("\(fixture.out)/photo.jpg: JPEG"))
        #expect(!result.output.contains("\u{1B}"))
    }

    @Test func anInterruptEndsAtOnceAndLeavesNoPartialFile() async throws {
        let gate = LocalServer.Gate()
        let bytes = ProgramFixture.bytes()
        fixture.server.script("/1.jpg", .gated([Array(bytes[..<9]), Array(bytes[9...])], by: [gate]))
        let url = fixture.server.url("/1.jpg").absoluteString
        let running = try fixture.program.start(["fetch", "-o", fixture.out, url])
        await gate.reached()
        running.send(SIGINT)
        let result = try await running.result()
        #expect(result.status == 130 && result.output == "" && result.errors == "")
        #expect(try fixture.written() == [])
    }

    @Test func aReaderWhoLeavesEndsItQuietly() async throws {
        let url = fixture.serve("/photo.jpg")
        var program = fixture.program
        program.wrapper = ["bash", "-c", #""$@" | true; exit "${PIPESTATUS[0]}""#, "bash"]
        // `true` may read nothing for as long as it lives: enough lines are written that one comes after its end.
        let result = try await program.run(["fetch", "-o", fixture.out] + Array(repeating: url, count: 400))
        #expect(result.status == 141 && result.errors == "")
    }

    private func onTerminal(columns: Int, _ type: String, _ url: String) async throws -> Program.Result {
        var program = fixture.program
        program.environment["TERM"] = type
        let script = #"c="stty cols \#(columns) rows 24; $(printf '%q ' "$@")"; script -qec "$c" /dev/null"#
        program.wrapper = ["bash", "-c", script, "bash"]
        return try await program.run("fetch", "-o", fixture.out, url)
    }
}
