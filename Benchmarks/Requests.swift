import Bowerbird
import BowerbirdTestSupport
import FoundationEssentials
import Glibc
import Synchronization

extension Topic {
    /// Many small files from nginx on this machine, beside the command `curl` with the same limit.
    static let requests = Topic("Requests") {
        guard Nginx.isInstalled else { throw CannotMeasure("nginx is not installed") }
        guard ChildProcess.isInstalled("curl") else { throw CannotMeasure("curl is not installed") }
        let files = try ServedFiles()
        let curl = try CurlCommand(files)
        let loader = HTTPLoader()
        let comparison = try await Comparison.interleaved(.wall, pairs: ServedFiles.pairCount) {
            try await files.loadAll(loader)
        } _: {
            try curl.run(curl.all)
        }
        var starts = Samples()
        for _ in 0..<ServedFiles.pairCount { try await starts.add(.wall) { try curl.run(curl.one) } }
        return figures(comparison, starts)
    }

    private static func figures(_ comparison: Comparison, _ starts: Samples) -> [Figure] {
        let ours = comparison.subject.spread.median
        let curl = comparison.reference.spread.median
        let curlAlone = curl - starts.spread.median
        return [
            rate("HTTPLoader, 6 at once", comparison.subject),
            rate("curl --parallel-max 6", comparison.reference),
            Figure("curl for one file, which is its start", starts, .milliseconds),
            Figure(name: "requests a second : curl's", value: curl / ours, unit: .ratio),
            Figure(
                name: "requests a second : curl's without its start", value: curlAlone / ours, unit: .ratio,
                limit: .atLeast(1)),
            Figure(name: "HTTPLoader : itself", value: ours / comparison.again.spread.median, unit: .ratio),
        ]
    }

    /// Requests a second; the figure is the median.
    private static func rate(_ name: String, _ samples: Samples) -> Figure {
        let rates = Spread(of: samples.seconds.map { Double(ServedFiles.count) / $0 })
        return Figure(name: name, value: rates.median, unit: .perSecond, spread: rates)
    }
}

/// 2,000 files of 20 KB, and the server that has them.
private struct ServedFiles {
    static let count = 2000
    static let byteCount = 20_000
    static let atOnce = 6
    static let pairCount = 11

    private let folder: TemporaryDirectory
    private let nginx: Nginx
    let urls: [URL]

    init() throws {
        folder = try TemporaryDirectory()
        let bytes = [UInt8](repeating: 0xA5, count: Self.byteCount)
        for number in 0..<Self.count { _ = try folder.write(bytes, to: "\(number).bin") }
        let nginx = try Nginx(serving: folder.path, keepsLog: false)
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
        let response = try await loader.response(for: DataRequest(url: url))
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

/// The command `curl`, told what to load by a file.
private struct CurlCommand {
    private let folder: TemporaryDirectory
    /// Names of configurations.
    let all: String
    let one: String

    init(_ files: ServedFiles) throws {
        folder = try TemporaryDirectory()
        all = try Self.write(files.urls[...], to: "all", in: folder)
        one = try Self.write(files.urls.prefix(1), to: "one", in: folder)
    }

    private static func write(
        _ urls: ArraySlice<URL>, to name: String, in folder: TemporaryDirectory
    ) throws -> String {
        let lines = urls.map { "url = \"\($0.absoluteString)\"\noutput = \"/dev/null\"\n" }
        return try folder.write(Array(lines.joined().utf8), to: name).path
    }

    func run(_ configuration: String) throws {
        let status = try ChildProcess([
            "curl", "--config", configuration, "--no-progress-meter", "--fail", "--parallel", "--parallel-immediate",
            "--parallel-max", "\(ServedFiles.atOnce)",
        ]).wait()
        guard status == 0 else { throw CannotMeasure("curl ended with status \(status)") }
    }
}
