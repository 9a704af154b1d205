public import FoundationEssentials

/// Chooses the loader by the scheme of the address: `http` and `https`, `file`, `data`.
public struct SourceLoader: DataLoader {
    /// For `http:` and `https:`.
    public var http: any DataLoader
    /// For `file:`.
    public var file: any DataLoader
    /// For `data:`.
    public var data: any DataLoader

    /// Each has a default and can be one of your own.
    public init(
        http: any DataLoader = HTTPLoader(), file: any DataLoader = FileLoader(), data: any DataLoader = DataURLLoader()
    ) {
        self.http = http
        self.file = file
        self.data = data
    }

    /// Whether the scheme is one of these, and its loader can.
    public func canLoad(_ url: URL) -> Bool {
        guard let loader = try? loader(for: url.scheme?.lowercased() ?? "") else { return false }
        return loader.canLoad(url)
    }

    /// What the chosen loader answers; `.unsupportedScheme` where there is none.
    public func response(for request: DataRequest) async throws(LoadingError) -> DataResponse {
        try await loader(for: request.url.scheme?.lowercased() ?? "").response(for: request)
    }

    private func loader(for scheme: String) throws(LoadingError) -> any DataLoader {
        switch scheme {
        case "http", "https": http
        case "file": file
        case "data": data
        default: throw .unsupportedScheme(scheme)
        }
    }
}
