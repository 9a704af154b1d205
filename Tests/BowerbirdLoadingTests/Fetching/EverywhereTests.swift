import BowerbirdCore
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@testable import BowerbirdLoading

/// What a pipeline does is the same whoever answers: the scripted loader, and nginx over HTTP/1.1, TLS and HTTP/2.
@Suite(.enabled(if: Nginx.canServeTLS, "nginx or openssl is not installed"), .timeLimit(.minutes(5)))
struct `A pipeline, whoever answers` {
    @Test(arguments: Origin.all)
    func findsAPictureOnceAndThenInMemoryAndOnTheDisk(_ origin: Origin) async throws {
        let place = try Place(origin)
        let request = try place.request("picture")
        #expect(try await place.pipeline.response(for: request).origin == .network)
        #expect(try await place.pipeline.response(for: request).origin == .memory)
        place.images.removeAll()
        #expect(try await place.pipeline.response(for: request).origin == .disk)
        #expect(place.finalStatuses() == [200])
    }

    @Test(arguments: Origin.all)
    func saysThatThereIsNothing(_ origin: Origin) async throws {
        let place = try Place(origin)
        let request = try place.request("missing")
        let missing = ImageError.loading(.status(404), address: request.source.address)
        await #expect(throws: missing) { try await place.pipeline.image(for: request) }
        await #expect(throws: ImageError.failedBefore(missing)) { try await place.pipeline.image(for: request) }
        #expect(place.finalStatuses() == [404])
    }

    @Test(arguments: Origin.all)
    func asksWhetherAPictureIsStillRightAndDecodesItOnce(_ origin: Origin) async throws {
        let place = try Place(origin)
        var request = try place.request("picture")
        let first = try await place.pipeline.image(for: request)
        request.options.cachePolicy = .refreshCached
        let task = place.pipeline.task(for: request)
        let events = await task.events.collect()
        let second = try await task.response.image
        #expect(events.cached.map { $0.bitmap.isIdentical(to: first.bitmap) } == [true])
        #expect(second.bitmap.isIdentical(to: first.bitmap))
        #expect(place.decoder.decodeCount == 1)
        #expect(place.finalStatuses() == [200, 304])
    }

    @Test(arguments: Origin.all)
    func goesOnWhereATransferWasCut(_ origin: Origin) async throws {
        let place = try Place(origin, cutsFirst: true)
        let request = try place.request("picture")
        let cut = ImageError.loading(.connectionLost("cut"), address: request.source.address)
        await #expect(throws: cut) { try await place.pipeline.data(for: request) }
        let whole = try await place.pipeline.data(for: request)
        #expect(whole.data.withUnsafeBytes { Array($0) } == Place.file)
        #expect(place.finalStatuses() == [200, 206])
    }

    @Test(arguments: Origin.all)
    func answersManyWithOneTransfer(_ origin: Origin) async throws {
        let place = try Place(origin)
        let request = try place.request("picture")
        let tasks = (0..<20).map { _ in place.pipeline.task(for: request) }
        for task in tasks { _ = try await task.response }
        #expect(place.finalStatuses() == [200])
    }
}

/// Who answers.
enum Origin: Sendable, Hashable, CustomTestStringConvertible {
    case script
    case nginx(Nginx.Transport)

    static let all = [Origin.script] + Nginx.Transport.allCases.map(Origin.nginx)

    var testDescription: String {
        switch self {
        case .script: "the scripted loader"
        case .nginx(let transport): "nginx, \(transport)"
        }
    }
}

/// One picture at one origin, and a pipeline that asks for it.
private final class Place: Sendable {
    static let file = SolidImage.file(byteCount: 300_000)

    let pipeline: ImagePipeline
    let decoder = SolidDecoder()
    let images = DictionaryImageCache()
    private let scripted = ScriptedLoader()
    private let statuses = StatusLog()
    private let nginx: Nginx?
    private let folder: TemporaryDirectory?

    init(_ origin: Origin, cutsFirst: Bool = false) throws {
        var codecs = CodecSet()
        codecs.add(decoder)
        var loader: any DataLoader = scripted
        if case .nginx(let transport) = origin {
            let folder = try TemporaryDirectory()
            _ = try folder.write(Self.file, to: "picture")
            nginx = try Nginx(serving: folder.path, over: transport)
            self.folder = folder
            loader = HTTPLoader()
        } else {
            (nginx, folder) = (nil, nil)
        }
        if cutsFirst { loader = CuttingLoader(loader) }
        var configuration = ImagePipeline.Configuration(
            loader: loader, codecs: codecs, imageCache: images, dataCache: DictionaryDataCache())
        configuration.options.allowsInvalidCertificate = true
        pipeline = ImagePipeline(configuration)
        guard nginx == nil else { return }
        scripted.setAnswer(for: address("picture")) { [statuses] request in
            statuses.note(Self.answer(to: request))
        }
        scripted.setAnswer(for: address("missing")) { [statuses] _ in statuses.note(.init(status: 404)) }
    }

    /// As nginx does it.
    private static func answer(to request: DataRequest) -> ScriptedLoader.Answer {
        let headers = ["etag": "\"1\"", "accept-ranges": "bytes"]
        if request.headers["If-None-Match"] == "\"1\"" { return .init(status: 304, headers: headers) }
        guard let start = request.headers["Range"].flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
            return .init(headers: headers, [.chunk(Array(file[..<1000])), .chunk(Array(file[1000...]))])
        }
        let range = headers.merging(["content-range": "bytes \(start)-\(file.count - 1)/\(file.count)"]) { $1 }
        return .init(status: 206, headers: range, [.chunk(Array(file[start...]))])
    }

    func address(_ name: String) -> String { nginx?.address(of: name) ?? "https://host.test/\(name)" }

    func request(_ name: String) throws -> ImageRequest { ImageRequest(try ImageSource(address(name))) }

    /// Of each answer; ends the server, which completes its log.
    func finalStatuses() -> [Int] {
        guard let nginx else { return statuses.all }
        nginx.stop()
        return nginx.requests.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
    }
}

private final class StatusLog: Sendable {
    private let statuses = Lock<[Int]>([])

    var all: [Int] { statuses.withLock { $0 } }

    func note(_ answer: ScriptedLoader.Answer) -> ScriptedLoader.Answer {
        statuses.withLock { $0.append(answer.status) }
        return answer
    }
}

/// Loses the connection of its first answer after the first bytes.
private final class CuttingLoader: DataLoader {
    private let loader: any DataLoader
    private let isFirst = Lock(true)

    init(_ loader: any DataLoader) { self.loader = loader }

    func response(for request: DataRequest) async throws(LoadingError) -> DataResponse {
        let response = try await loader.response(for: request)
        guard isFirst.withLock({ $0.exchange(with: false) }), case .stream(let stream) = response.body else {
            return response
        }
        let hasBegun = Flag()
        let cut = DataStream { () async throws(LoadingError) -> [UInt8]? in
            guard !hasBegun.isSet else { throw .connectionLost("cut") }
            hasBegun.isSet = true
            return try await stream.next()
        }
        return DataResponse(head: response.head, body: .stream(cut))
    }
}

extension Bool {
    fileprivate mutating func exchange(with new: Bool) -> Bool {
        defer { self = new }
        return self
    }
}
