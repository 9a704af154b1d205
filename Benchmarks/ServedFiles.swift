import Bowerbird
import BowerbirdTestSupport
import FoundationEssentials
import Synchronization

/// 2,000 files of 20 KB, and the server that has them.
struct ServedFiles {
    static let count = 2000
    static let byteCount = 20_000
    static let atOnce = 6

    private let folder: TemporaryDirectory
    private let nginx: Nginx
    let urls: [URL]

    init(over transport: Nginx.Transport) throws {
        folder = try TemporaryDirectory()
        let bytes = [UInt8](repeating: 0xA5, count: Self.byteCount)
        for number in 0..<Self.count { _ = try folder.write(bytes, to: "\(number).bin") }
        let nginx = try Nginx(serving: folder.path, over: transport, keepsLog: false)
        urls = (0..<Self.count).compactMap { URL(string: nginx.address(of: "\($0).bin")) }
        self.nginx = nginx
    }

    /// As many readers as may run at once, each taking the next address when it is done with one.
    func loadAll(_ loader: HTTPLoader) async throws {
        let next = Counter()
        try await withThrowingTaskGroup { group in
            for _ in 0..<Self.atOnce {
                group.addTask {
                    while let url = next.take(of: urls) { try await Self.load(url, loader) }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func load(_ url: URL, _ loader: HTTPLoader) async throws {
        let response = try await loader.response(for: DataRequest(url: url, allowsInvalidCertificate: true))
        guard case .stream(let stream) = response.body else { throw CannotMeasure("\(url) came whole") }
        var count = 0
        while let chunk = try await stream.next() { count += chunk.count }
        guard count == byteCount else { throw CannotMeasure("\(url) has \(count) bytes") }
    }
}

/// The readers' place in the list.
private final class Counter: Sendable {
    private let count = Atomic(0)

    func take(of urls: [URL]) -> URL? {
        let index = count.wrappingAdd(1, ordering: .relaxed).oldValue
        return index < urls.count ? urls[index] : nil
    }
}
