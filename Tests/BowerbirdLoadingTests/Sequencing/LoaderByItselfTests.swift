import BowerbirdCore
import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `A loader by itself` {
    private func withServer(_ body: (LocalServer) async throws -> Void) async throws {
        let server = try LocalServer.start()
        defer { server.stop() }
        try await body(server)
    }

    @Test func bringsTheWholeBodyAndTellsHowMuchHasCome() async throws {
        try await withServer { server in
            let (gate, file) = (LocalServer.Gate(), pattern(300))
            server.script("/a", .gated([Array(file[..<100]), Array(file[100...])], by: [gate]))
            var news: [TransferProgress] = []
            let (data, head) = try await HTTPLoader().data(for: DataRequest(url: server.url("/a"))) { progress in
                news.append(progress)
                gate.open()
            }
            #expect(Array(data) == file)
            #expect(head.status == 200)
            #expect(news.first == TransferProgress(received: 100, total: 300))
            #expect(news.last == TransferProgress(received: 300, total: 300))
        }
    }

    @Test func throwsWhatWentWrong() async throws {
        try await withServer { server in
            server.script("/cut", .cut(pattern(300), after: 100))
            await #expect(throws: LoadingError.incomplete(received: 100, expected: 300)) {
                try await HTTPLoader().data(for: DataRequest(url: server.url("/cut")))
            }
            await #expect(throws: LoadingError.status(404)) {
                try await HTTPLoader().data(for: DataRequest(url: server.url("/missing")))
            }
        }
    }

    @Test func bringsBodiesInTurnAndGoesOnBehindAFailure() async throws {
        let loader = ScriptedLoader()
        let running = Record<Int>()
        for index in [0, 2] {
            let steps: [ScriptedLoader.Step] = [
                .call { running.note(index) }, .chunk([UInt8(index)]), .call { running.note(-index) },
            ]
            loader.setScript(steps, for: PipelineFixture.address(index))
        }
        let requests = try (0..<3).map { DataRequest(url: try #require(URL(string: PipelineFixture.address($0)))) }
        var (ends, news): ([String], [Int]) = ([], [])
        await loader.dataInTurn(for: requests, news: { index, _ in news.append(index) }) { index, outcome in
            switch outcome {
            case .success(let body): ends.append("\(index): \(Array(body.data))")
            case .failure(let error): ends.append("\(index): \(error)")
            }
        }
        #expect(ends == ["0: [0]", "1: the server answered with status 404", "2: [2]"])
        #expect(news == [0, 2])
        #expect(running.all == [0, 0, 2, -2])
    }

    @Test func givesUpAllThatIsInTurnWhenItsTaskIsCancelled() async throws {
        let (loader, gate) = (ScriptedLoader(), Gate())
        loader.setScript([.gate(gate), .chunk([1])], for: PipelineFixture.address)
        let request = DataRequest(url: try #require(URL(string: PipelineFixture.address)))
        let ends = Record<Int>()
        let loading = Task {
            await loader.dataInTurn(for: [request, request]) { index, _ in ends.note(index) }
        }
        await gate.waitForArrivals()
        loading.cancel()
        await loading.value
        #expect(ends.all.isEmpty)
        #expect(loader.requests.count == 1)
        #expect(loader.runningCount == 0)
    }
}

/// Bytes for the addresses of one scheme.
private struct SchemeLoader: DataLoader {
    let scheme: String
    let byte: UInt8

    func canLoad(_ url: URL) -> Bool { url.scheme == scheme }

    func response(for request: DataRequest) async throws(LoadingError) -> DataResponse {
        guard let data = EncodedImage([byte]) else { throw .outOfMemory }
        return DataResponse(head: ResponseHead(url: request.url), body: .complete(data))
    }
}

@Suite
struct `A chain of loaders` {
    private let address = URL(string: "b:x")

    @Test func asksTheFirstThatCanAndWhatWasAddedLastBeforeAll() async throws {
        var chain = LoaderChain([SchemeLoader(scheme: "a", byte: 1), SchemeLoader(scheme: "b", byte: 2)])
        let request = DataRequest(url: try #require(address))
        #expect(Array(try await chain.data(for: request).data) == [2])
        chain.add(SchemeLoader(scheme: "b", byte: 3))
        chain.add(SchemeLoader(scheme: "c", byte: 4))
        #expect(Array(try await chain.data(for: request).data) == [3])
    }

    @Test func saysThatNoneCan() async throws {
        let chain = LoaderChain([SchemeLoader(scheme: "a", byte: 1)])
        let url = try #require(address)
        #expect(!chain.canLoad(url))
        #expect(!LoaderChain().canLoad(url))
        await #expect(throws: LoadingError.unsupportedScheme("b")) { try await chain.data(for: DataRequest(url: url)) }
    }

    @Test func mayStandInAChain() async throws {
        let chain = LoaderChain([LoaderChain([SchemeLoader(scheme: "b", byte: 2)]), SchemeLoader(scheme: "a", byte: 1)])
        let url = try #require(address)
        #expect(chain.canLoad(url))
        #expect(Array(try await chain.data(for: DataRequest(url: url)).data) == [2])
    }
}
