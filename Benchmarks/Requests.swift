import Bowerbird
import BowerbirdTestSupport

extension Topic {
    /// Many small files from nginx on this machine, beside the command `curl` with the same limit.
    static let requests = Topic("Requests") {
        guard Nginx.canServeTLS else { throw CannotMeasure("nginx or openssl is not installed") }
        guard ChildProcess.isInstalled("curl") else { throw CannotMeasure("curl is not installed") }
        return try await figures("HTTP/1.1", .plain, atLeast: 1) + figures("HTTP/2 over TLS", .http2, atLeast: 0.9)
    }

    private static let pairCount = 11

    private static func figures(
        _ name: String, _ transport: Nginx.Transport, atLeast limit: Double
    ) async throws -> [Figure] {
        let files = try ServedFiles(over: transport)
        let curl = try CurlCommand(files)
        let loader = HTTPLoader()
        let comparison = try await Comparison.interleaved(.wall, pairs: pairCount) {
            try await files.loadAll(loader)
        } _: {
            try curl.run(curl.all)
        }
        var starts = Samples()
        for _ in 0..<pairCount { try await starts.add(.wall) { try curl.run(curl.one) } }
        let computed = try await computing(files, loader, curl)
        return speed(name, comparison, starts, limit) + computed.map { $0.figure(name) }
    }

    /// Requests a second. curl's time for one file is about what it takes to start, and to shake hands where there is
    /// TLS, which the loader did before.
    private static func speed(
        _ name: String, _ comparison: Comparison, _ starts: Samples, _ limit: Double
    ) -> [Figure] {
        let ours = comparison.subject.spread.median
        let curl = comparison.reference.spread.median
        let curlAlone = curl - starts.spread.median
        return [
            rate("\(name): HTTPLoader, \(ServedFiles.atOnce) at once", comparison.subject),
            rate("\(name): curl --parallel-max \(ServedFiles.atOnce)", comparison.reference),
            Figure("\(name): curl for one file, which is its start", starts, .milliseconds),
            Figure(
                name: "\(name): requests a second : curl's", value: curl / ours, unit: .ratio, limit: .atLeast(limit)),
            Figure(
                name: "\(name): requests a second : curl's without its start", value: curlAlone / ours, unit: .ratio),
            Figure(name: "\(name): HTTPLoader : itself", value: ours / comparison.again.spread.median, unit: .ratio),
        ]
    }

    /// The figure is the median.
    private static func rate(_ name: String, _ samples: Samples) -> Figure {
        let rates = Spread(of: samples.seconds.map { Double(ServedFiles.count) / $0 })
        return Figure(name: name, value: rates.median, unit: .perSecond, spread: rates)
    }

    private static func computing(
        _ files: ServedFiles, _ loader: HTTPLoader, _ curl: CurlCommand
    ) async throws -> [ProcessorTime] {
        var ours = ProcessorTime("HTTPLoader")
        var theirs = ProcessorTime("curl")
        for _ in 0..<pairCount {
            try await ours.samples.add(.processor) { try await files.loadAll(loader) }
            try await theirs.samples.add(.children) { try curl.run(curl.all) }
        }
        return [ours, theirs]
    }
}

/// What one request costs a client's processor.
private struct ProcessorTime {
    let client: String
    var samples = Samples()

    init(_ client: String) { self.client = client }

    func figure(_ name: String) -> Figure {
        Figure("\(name): \(client), processor time a request", samples.divided(by: ServedFiles.count), .microseconds)
    }
}
