import BowerbirdLoading
import BowerbirdTestSupport
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SourceLoaderTests {
    @Test func eachSchemeFindsItsLoader() async throws {
        let server = try LocalServer.start()
        let directory = try TemporaryDirectory()
        server.script("/a", .ok([1]))
        let data = try #require(URL(string: "Data:;base64,Aw=="))
        let loader = SourceLoader()
        #expect(try await loader.bytes(from: server.url("/a")) == [1])
        #expect(try await loader.bytes(from: try directory.write([2], to: "a")) == [2])
        #expect(try await loader.bytes(from: data) == [3])
    }

    @Test func aLoaderOfYourOwnTakesTheOthersPlace() async throws {
        let url = try #require(URL(string: "https://example.org/"))
        let loader = SourceLoader(http: Refusing())
        await #expect(throws: LoadingError.status(418)) { try await loader.bytes(from: url) }
    }

    private struct Refusing: DataLoader {
        func response(for request: DataRequest) async throws(LoadingError) -> DataResponse { throw .status(418) }
    }
}
