import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Glibc
import Testing

@testable import BowerbirdLoading

/// One request never gets the picture of another, however their texts are chosen.
@Suite(.timeLimit(.minutes(5)))
struct `The identity of a request` {
    @Test func isTheRequestsOwnWhateverStandsInNamesEditsAndHeaders() async throws {
        let requests = try Self.lookalikes()
        for (index, first) in requests.enumerated() {
            for second in requests[(index + 1)...] {
                let fixture = PipelineFixture()
                _ = try await fixture.pipeline.image(for: first)
                #expect(
                    fixture.pipeline.cachedImage(for: second) == nil,
                    "\(Self.summary(first)) answers \(Self.summary(second))")
            }
        }
    }

    /// All different, and alike once their parts are written one after the other.
    private static func lookalikes() throws -> [ImageRequest] {
        let picture = try #require(EncodedImage(SolidImage.file()))
        let make = { (name: String, edits: [String], size: Int?) in
            ImageRequest(
                .data(picture, name: name), processors: edits.map { RecordingProcessor($0) },
                targetSize: size.map { PixelSize(width: $0, height: $0) })
        }
        return [
            make("x", [], nil), make("x|edit", [], nil), make("x", ["edit"], nil), make("x", [""], nil),
            make("x", ["a|b"], nil), make("x", ["a", "b"], nil), make("x|a", ["b"], nil), make("x", [], 3),
            make("x|fit 3x3 quality", [], nil), make("x", ["fit 3x3 quality"], nil), make("x|", [], nil),
        ]
    }

    private static func summary(_ request: ImageRequest) -> String {
        "\(request.source.address) \(request.processors.map(\.cacheKey)) \(request.targetSize?.description ?? "")"
    }

    @Test func anEditIsNotTakenForTheWishToHaveNoPreviews() async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        var edited = try fixture.request(
            .gate(gate), .chunk(SolidImage.file()), processors: [RecordingProcessor("no previews")])
        // Where one ends before the other begins, memory must not answer it.
        edited.options.cachePolicy = CachePolicy(memory: .off)
        var plain = edited
        plain.processors = []
        plain.options.previews = .off
        let tasks = [fixture.pipeline.task(for: edited), fixture.pipeline.task(for: plain)]
        await gate.waitForArrivals()
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(fixture.decoder.decodeCount == 2)
    }

    @Test func aHeaderIsNotTakenForTwo() async throws {
        let fixture = PipelineFixture()
        let gate = Gate()
        var one = try fixture.request(.gate(gate), .chunk(SolidImage.file()))
        one.headers = ["Authorization": "a|cookie: b"]
        var two = one
        two.headers = ["Authorization": "a", "Cookie": "b"]
        let tasks = [fixture.pipeline.task(for: one), fixture.pipeline.task(for: two)]
        await gate.waitForArrivals()
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(fixture.loader.requests.count == 2)
    }

    @Test func namedBytesAreNotTakenForAnAddress() async throws {
        let fixture = PipelineFixture()
        let picture = try #require(EncodedImage(SolidImage.file()))
        _ = try await fixture.pipeline.image(for: ImageRequest(.data(picture, name: "x")))
        let url = try #require(URL(string: "data-named:x"))
        #expect(fixture.pipeline.cachedImage(for: ImageRequest(url: url)) == nil)
    }

    @Test func dataURLsThatDifferInCaseAreTwo() async throws {
        let fixture = PipelineFixture()
        let urls = ["data:,AB://c", "data:,ab://c"]
        fixture.loader.setScript([.chunk(SolidImage.file(.black))], for: urls[0])
        fixture.loader.setScript([.chunk(SolidImage.file(.white))], for: urls[1])
        _ = try await fixture.pipeline.image(for: ImageRequest(try ImageSource(urls[0])))
        #expect(fixture.pipeline.cachedImage(for: ImageRequest(try ImageSource(urls[1]))) == nil)
    }

    @Test func fileNamesThatAreNoTextAreTwo() async throws {
        let fixture = PipelineFixture()
        let urls = ["file:///none/%FF.jpg", "file:///none/%FE.jpg"]
        for url in urls { fixture.loader.setScript([.chunk(SolidImage.file())], for: url) }
        _ = try await fixture.pipeline.image(for: ImageRequest(try ImageSource(urls[0])))
        #expect(fixture.pipeline.cachedImage(for: ImageRequest(try ImageSource(urls[1]))) == nil)
    }

    /// Host names and schemes have no case, and a fragment never reaches the server.
    @Test func addressesThatMeanTheSameAreOne() async throws {
        let fixture = PipelineFixture()
        fixture.loader.setScript([.chunk(SolidImage.file())], for: "http://u@host.test/A")
        _ = try await fixture.pipeline.image(for: ImageRequest(try ImageSource("http://u@host.test/A")))
        for (text, isSame) in [
            ("HTTP://u@Host.Test/A", true), ("http://u@host.test/A#top", true), ("http://host.test/A", false),
            ("http://U@host.test/A", false), ("http://u@host.test/a", false), ("http://u@host.test/A?", false),
        ] {
            #expect(
                (fixture.pipeline.cachedImage(for: ImageRequest(try ImageSource(text))) != nil) == isSame, "\(text)")
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `A picture that was loaded with credentials` {
    @Test(arguments: ["Authorization", "Cookie", "accept"])
    func isNotShownToWhoHasOthers(header: String) async throws {
        let fixture = PipelineFixture()
        var mine = try fixture.request(.chunk(SolidImage.file(.black)))
        mine.headers = [header: "mine"]
        _ = try await fixture.pipeline.image(for: mine)
        for value in ["yours", nil] {
            var yours = try fixture.request(.chunk(SolidImage.file(.white)))
            yours.headers = value.map { [header: $0] } ?? [:]
            let response = try await fixture.pipeline.response(for: yours)
            #expect(response.origin == .network)
            #expect(response.image.bitmap.withRow(0) { $0.byte(at: 0) } == 255)
        }
        #expect(fixture.pipeline.cachedImage(for: mine) != nil)
    }

    @Test func isFoundAgainWithTheSameOnesAndTheyAreNotWrittenDown() async throws {
        let fixture = PipelineFixture()
        var request = try fixture.request(.chunk(SolidImage.file()))
        request.headers = ["Authorization": "Bearer secret"]
        _ = try await fixture.pipeline.image(for: request)
        fixture.images.removeAll()
        #expect(try await fixture.pipeline.response(for: request).origin == .disk)
        #expect(!fixture.data.keys.contains { $0.text.contains("secret") })
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `A file that changes` {
    /// The new file would be shown as the old one until the memory cache forgets it.
    @Test func whileItIsLoadedLeavesNothingOldUnderTheNewOnesIdentity() async throws {
        let directory = try TemporaryDirectory()
        let url = try directory.write(SolidImage.file(.black), to: "picture")
        let fixture = PipelineFixture()
        let request = ImageRequest(.file(url.path(percentEncoded: false)))
        let replace: @Sendable () -> Void = {
            _ = try? directory.write(SolidImage.file(.white, byteCount: 100), to: "picture")
        }
        let address = URL(filePath: url.path(percentEncoded: false)).absoluteString
        fixture.loader.setScript([.chunk(SolidImage.file(.black)), .call(replace)], for: address)
        _ = try await fixture.pipeline.image(for: request)
        #expect(fixture.loader.requests.count == 1)
        fixture.loader.setScript([.chunk(SolidImage.file(.white))], for: address)
        let second = try await fixture.pipeline.image(for: request)
        #expect(second.bitmap.withRow(0) { $0.byte(at: 0) } == 255)
    }

    @Test func isAnotherPictureByPathAndByURLAlike() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(SolidImage.file(.black), to: "a b%41.solid").path(percentEncoded: false)
        let requests = [ImageRequest(.file(path)), ImageRequest(url: URL(filePath: path))]
        let fixture = PipelineFixture { $0.loader = FileLoader() }
        _ = try await fixture.pipeline.image(for: requests[0])
        for request in requests { #expect(fixture.pipeline.cachedImage(for: request) != nil) }
        _ = try directory.write(SolidImage.file(.white, byteCount: 100), to: "a b%41.solid")
        for request in requests { #expect(fixture.pipeline.cachedImage(for: request) == nil) }
    }

    @Test func underANameThatIsNoTextIsSeenToChange() async throws {
        let directory = try TemporaryDirectory()
        let url = try #require(URL(string: "file://\(directory.path)/%FF"))
        let fixture = PipelineFixture { $0.loader = FileLoader() }
        try write(SolidImage.file(.black), [UInt8]("\(directory.path)/".utf8) + [0xFF])
        _ = try await fixture.pipeline.image(for: ImageRequest(url: url))
        #expect(fixture.pipeline.cachedImage(for: ImageRequest(url: url)) != nil)
        try write(SolidImage.file(.white, byteCount: 100), [UInt8]("\(directory.path)/".utf8) + [0xFF])
        #expect(fixture.pipeline.cachedImage(for: ImageRequest(url: url)) == nil)
    }

    private func write(_ bytes: [UInt8], _ path: [UInt8]) throws {
        let descriptor = open(path.map(CChar.init(bitPattern:)) + [0], O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    }
}
